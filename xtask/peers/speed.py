"""Measures random playouts of OpenSpiel from Python, per second of CPU time.

usage: speed.py [<our game>...]; prints one line of JSON for each.
"""

import json
import random
import sys
import time

from both import chosen

WINDOWS = 7
WINDOW = 0.4  # seconds


def playout(game, choice=random.choice, unit=random.random):
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            left = unit()
            for action, probability in state.chance_outcomes():
                left -= probability
                if left < 0:
                    break
            state.apply_action(action)
        else:
            state.apply_action(choice(state.legal_actions()))


def window(game):
    """Playouts per second in one window."""
    games, begun = 0, time.process_time()
    while (took := time.process_time() - begun) < WINDOW:
        playout(game)
        games += 1
    return games / took


def main():
    for peer in chosen(sys.argv[1:]):
        game = peer.load()
        best = max(window(game) for _ in range(WINDOWS))
        line = {
            "game": peer.ours,
            "theirs": peer.theirs,
            "playouts": best,
            "differences": list(peer.differences),
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
