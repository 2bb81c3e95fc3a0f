"""Whatever is typed wrong, nothing crashes, hangs or is told in words of the machinery."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import psutil
import pytest

import ludens
from test_rules import SMALL, Corners

RACING = {"episodes": 20, "settings": SMALL, "eval": "none"}

LEAVES = """
import sys, threading, time
import ludens
from test_rules import SMALL, Corners

def work():
    if sys.argv[1] == "train":
        ludens.train("tictactoe", episodes=10**9, out="a", eval="none")
    elif sys.argv[1] == "rules":
        ludens.train(Corners(), episodes=10**9, out="b", eval="none", settings=SMALL)
    elif sys.argv[1] == "match":
        ludens.match("tictactoe", "random", "random", games=10**7, threads=2)
    else:
        ludens.game(Corners()).start().choose("mcts:iterations=1000000000")

threading.Thread(target=work, daemon=True).start()
time.sleep(0.7)
print("the end", flush=True)
"""


def play(**options):
    return ludens.match("tictactoe", "random", "random", **options)


def train(**options):
    return ludens.train("tictactoe", **{"episodes": 10, "eval": "none", **options})


def states():
    batch = ludens.game("tictactoe").batch()
    batch.add_starts(2)
    return batch


MISTAKES = [
    (lambda: ludens.game(5), TypeError, "expected the name of a game, a Game or Rules, found 5"),
    (lambda: ludens.game(Corners), TypeError, r"found their class: write Corners\(\)"),
    (lambda: ludens.game("hex:size=99999"), ludens.Invalid, "a whole number from 2 to 13"),
    (lambda: ludens.game("nim").start().play(None), TypeError, "text or by its id, found None"),
    (lambda: ludens.game("nim").start().play(10**50), ludens.Invalid, "id 10+ is not legal here"),
    (lambda: ludens.game("nim").start().play(-1), ludens.Invalid, "move id -1 is not legal here"),
    (lambda: ludens.game("connect4").start().play(7), ludens.Invalid, "legal: 0 1 2 3 4 5 6"),
    (lambda: ludens.game("nim").start().play(2.0), TypeError, "text or by its id, found 2.0"),
    (lambda: states().add_starts(10**18), ludens.Invalid, "at most 10000000 states in a batch"),
    (lambda: states().play([0.5, 1]), ludens.Invalid, "one row of whole numbers"),
    (lambda: states().play(["a", "b"]), ludens.Invalid, "one row of whole numbers"),
    (lambda: states().play(None), ludens.Invalid, "one row of whole numbers"),
    (lambda: play(games=-1), ludens.Invalid, "games: expected 1 to"),
    (lambda: play(games=10**12), ludens.Invalid, "games: expected 1 to 10000000"),
    (lambda: play(games="10"), TypeError, "games: expected a whole number, found '10'"),
    (lambda: play(threads=0), ludens.Invalid, "threads: expected 1 to 4096, found 0"),
    (lambda: play(seed=1.5), TypeError, "seed: expected a whole number, found 1.5"),
    (lambda: ludens.match("nim", 5, "random"), TypeError, "expected an agent as text, a learned"),
    (lambda: ludens.train(), ludens.Invalid, "expected a game"),
    (lambda: train(episodes=-1), ludens.Invalid, "episodes: expected 0 to"),
    (lambda: train(episodes=1e3), TypeError, "episodes: expected a whole number, found 1000.0"),
    (lambda: train(every=0), ludens.Invalid, "every: expected 1 to"),
    (lambda: train(settings=["a=1"]), TypeError, "settings: expected {"),
    (lambda: train(save_every=-1), ludens.Invalid, "save_every: "),
    (lambda: ludens.load("nowhere"), ludens.Invalid, "nowhere: it cannot be read"),
    (lambda: ludens.solve(4), TypeError, "expected the columns played"),
    (lambda: ludens.game("nim").start(-1), ludens.Invalid, "a whole number from 0 to 1844"),
    (lambda: ludens.game("nim").start(2**64), ludens.Invalid, "a whole number from 0 to 1844"),
    (lambda: ludens.game("nim").perft(-3), ludens.Invalid, "a whole number from 0 to 4294967295"),
    (lambda: ludens.game("nim").start().cells(300), ludens.Invalid, "from 0 to 255, found 300"),
    (lambda: ludens.game("nim").start("1"), TypeError, "expected a whole number, found '1'"),
    (lambda: states().add_random(-1), ludens.Invalid, "a whole number from 0"),
    (lambda: train(settings={"learner.alpha": float("nan")}), ludens.Invalid, "a finite number"),
    (lambda: train(settings={"learner.alpha": float("inf")}), ludens.Invalid, "a finite number"),
]


def openings(count):
    """Games of Connect-4 after nine moves, which take longest to solve."""
    luck, found = np.random.default_rng(1), []
    while len(found) < count:
        state = ludens.game("connect4").start()
        while not state.over and len(state.history) < 9:
            state.play(str(luck.choice(state.legal_moves())))
        if not state.over:
            found.append("".join(state.history))
    return found


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes_are_told_in_words(number):
    work, kind, words = MISTAKES[number]
    with pytest.raises(kind, match=words):
        work()


WRONG = {
    "shape: expected rows and columns": {"shape": 5},
    "shape: expected 1 to 10000 cells": {"shape": (10**6, 10**6)},
    "moves: expected 1 to 1000000": {"moves": 10**10},
    "players: expected 1 to 4, found 9": {"players": 9},
    "cell_values: expected 1 to 255, found 300": {"cell_values": 300},
    "symmetries: expected permutations of 0 to 5": {"symmetries": [[0, 0, 0, 0, 0, 0]]},
    r"legal_moves: expected one or more ids.*found \[\] in state": {
        "legal_moves": lambda self, state: []
    },
    r"legal_moves: expected .* found \[0, 7\] in state": {
        "legal_moves": lambda self, state: [0, 7]
    },
    "play: expected the new state and the rewards, found None": {
        "play": lambda self, state, move: None
    },
    "play: expected one finite reward for each of 2 players": {
        "play": lambda self, state, move: (state, [float("nan"), 0])
    },
    "cells: expected less than 3 in cell 0, found 9 in state": {
        "cells": lambda self, state, player: [9] * 6
    },
    "cells: .* found ": {"cells": lambda self, state, player: [-1] * 6},
    "turn: expected a player from 0 to 1": {"turn": lambda self, state: 0.5},
    "events: expected probabilities that add up to 1": {
        "turn": lambda self, state: ludens.CHANCE,
        "events": lambda self, state: [(0, 0.2)],
        "resolve": lambda self, state, event: (state, None),
    },
    "glyph: ": {"glyph": lambda self, value: "two"},
}


@pytest.mark.parametrize("words", WRONG)
def test_mistakes_of_rules_are_told_with_the_state(words):
    rules = type("Wrong", (Corners,), {"name": "wrong-rules", **WRONG[words]})()
    with pytest.raises((ValueError, TypeError), match=words):
        ludens.check_game(rules)
    if "glyph" not in words:
        with pytest.raises((ValueError, TypeError), match=words):
            ludens.train(rules, **RACING)


def test_threads_may_evaluate_by_the_same_value_at_once(tictactoe):
    value, batch, found = tictactoe.value, states(), []
    batch.add_random(5_000)

    def work():
        found.append(value.evaluate(batch))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and all((one == found[0]).all() for one in found)


def test_nothing_is_evaluated_to_nothing(tictactoe):
    value, none = tictactoe.value, ludens.game("tictactoe").batch()
    assert value.evaluate(none).shape == (0, 2) and value.move_values([]).shape == (0, 9)
    assert none.play(np.array([])).shape == (0, 2) and none.cells().shape == (0, 3, 3)


@pytest.mark.parametrize(
    "work",
    [
        lambda: ludens.game("connect4").start().choose("mcts:iterations=1000000000"),
        lambda: play(games=10**7, threads=2),
        lambda: ludens.match("connect4", "mcts:iterations=1000000000", "random", games=2),
        lambda: [ludens.solve(moves) for moves in openings(60)],
        lambda: ludens.game("othello").perft(30),
        lambda: ludens.check_game("tictactoe", games=10**9),
    ],
    ids=["choose", "match", "long move", "solve", "perft", "conformance"],
)
def test_ctrl_c_ends_the_work(work):
    process = psutil.Process()
    threads = process.num_threads()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - begun < 1.5
    # No thread is left, and the process needs no processor time any more.
    timer.join()
    patience = time.monotonic() + 10
    while process.num_threads() > threads and time.monotonic() < patience:
        time.sleep(0.05)
    assert process.num_threads() <= threads
    before = time.process_time()
    time.sleep(1)
    assert time.process_time() - before < 0.5


@pytest.mark.parametrize("kind", ["train", "rules", "match", "choose"])
def test_a_program_may_end_while_a_thread_is_at_work(kind):
    env = {**os.environ, "PYTHONPATH": os.path.dirname(__file__)}
    done = subprocess.run([sys.executable, "-c", LEAVES, kind], env=env, timeout=60,
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "the end\n" and done.stderr == "", done
