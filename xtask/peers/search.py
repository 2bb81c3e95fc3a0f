"""Times BitBully and OpenSpiel's Monte Carlo tree search on what Ludens was timed on.

usage: search.py <file of `ludens-bench solve`>; prints a line of JSON for each, then one for MCTS.
"""

import json
import statistics
import sys
import time

import numpy
import pyspiel
from bitbully import BitBully, Board

ITERATIONS = 100_000
SEARCHES = 5


def solve(line):
    """Solves the same positions without a book, and compares the scores."""
    solver = BitBully(opening_book=None)
    times, wrong = [], 0
    for position in line["positions"]:
        board = Board([int(column) - 1 for column in position["moves"]])
        begun = time.process_time()
        score = solver.mtdf(board)
        times.append(1e3 * (time.process_time() - begun))
        wrong += score != position["score"]
    return {
        "stones": line["stones"],
        "mean": statistics.mean(times),
        "median": statistics.median(times),
        "different": wrong,
    }


def mcts():
    """Simulations per second from the start of Connect-4, the best of several searches."""
    game = pyspiel.load_game("connect_four")
    best = 0.0
    for seed in range(SEARCHES):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            game, evaluator, numpy.sqrt(2), ITERATIONS, 1000, False, seed, False
        )
        state = game.new_initial_state()
        begun = time.process_time()
        bot.mcts_search(state)
        best = max(best, ITERATIONS / (time.process_time() - begun))
    return {"iterations": best}


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            print(json.dumps(solve(json.loads(line))), flush=True)
    print(json.dumps(mcts()), flush=True)


if __name__ == "__main__":
    main()
