"""What the way through Python costs: learning, evaluation of many states, rules in Python.

Build both for speed, then measure; the page is written if it is named:

    cargo build --release && pip install '.[openspiel,pettingzoo]'
    python python/benches/overhead.py target/release/ludens docs/performance-python.md

Everything is measured in CPU time, in turn, and the best of several rounds counts: other work on
the machine can only make a round slower.
"""

from __future__ import annotations

import datetime
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import calls
import ludens

ROUNDS = 7
LEARNING = [("tictactoe", "default", 500_000), ("connect4", "default", 25_000)]
"""Games, presets and episodes. The shorter a game is, the more its frame weighs."""
STATES = 20_000
TIMES = 10


class SlowTicTacToe(ludens.Rules):
    """Tic-tac-toe written in Python."""

    name = "slow-tictactoe"
    moves = 9
    shape = (3, 3)
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def start(self):
        return (0,) * 9

    def turn(self, state):
        return None if self.won(state) or 0 not in state else (9 - state.count(0)) % 2

    def legal_moves(self, state):
        return [i for i, cell in enumerate(state) if cell == 0]

    def play(self, state, move):
        player = (9 - state.count(0)) % 2
        after = (*state[:move], player + 1, *state[move + 1 :])
        return after, ([1, -1] if player == 0 else [-1, 1]) if self.won(after) else None

    def cells(self, state, player):
        return [cell and 1 + (cell - 1 != player) for cell in state]

    def won(self, state):
        return any(state[a] and state[a] == state[b] == state[c] for a, b, c in self.lines)


def children_seconds() -> float:
    """CPU time of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spent(clock: Callable[[], float], work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    begun = clock()
    work()
    return clock() - begun


def compare_learning(here: Path, command: str, game: str, preset: str, episodes: int) -> list[str]:
    """The same run through both, in turn; what they write must be the same."""
    through, direct = [], []
    for number in range(ROUNDS):
        a, b = here / f"{game}-python-{number}", here / f"{game}-command-{number}"
        told = {"episodes": episodes, "seed": 1, "eval": "none", "out": a}
        through.append(spent(time.process_time, lambda: ludens.train(game, preset, **told)))
        typed = [command, "train", game, "--preset", preset, "--seed", "1", "--eval", "none"]
        typed += ["--episodes", str(episodes), "--out", str(b)]
        run = lambda: subprocess.run(typed, check=True, capture_output=True)  # noqa: E731
        direct.append(spent(children_seconds, run))
        same = [(folder / "value.safetensors").read_bytes() for folder in (a, b)]
        assert same[0] == same[1], "both learn the same"
    share = min(direct) / min(through)
    rates = [f"{episodes / min(seconds):,.0f}" for seconds in (through, direct)]
    return [f"{game}, {preset}", f"{episodes:,}", *rates, f"{100 * share:.1f} %"]


def compare_evaluation(here: Path, game: str) -> list[str]:
    """The same states, opened before, by the same value: one by one call, or all within Rust."""
    value = ludens.load(here / f"{game}-python-0").value
    batch = value.game.batch(seed=1)
    batch.add_random(STATES)
    inside = value._learned.repeat_values
    through, direct, alone = [], [], []
    state = batch[STATES // 2]
    for _ in range(2 * ROUNDS):
        work = lambda: [value.evaluate(batch) for _ in range(TIMES)]  # noqa: E731
        through.append(spent(time.thread_time, work))
        direct.append(spent(time.thread_time, lambda: inside(batch, TIMES)))
        work = lambda: [value.evaluate(state) for _ in range(1_000)]  # noqa: E731
        alone.append(spent(time.thread_time, work) / 1_000)
    rates = [f"{TIMES * STATES / min(seconds):,.0f}" for seconds in (through, direct)]
    share = min(direct) / min(through)
    return [game, *rates, f"{100 * share:.1f} %", f"{1 / min(alone):,.0f}"]


def compare_rules(here: Path) -> list[list[str]]:
    """The same game in Rust and in Python: learned, and played by random agents."""
    settings = {"value.ntuple.count": 10, "value.ntuple.length": 4}
    slow = SlowTicTacToe()
    rows = []
    for name, game, episodes, games in [
        ("Rust", "tictactoe", 50_000, 100_000),
        ("Python", slow, 1_000, 2_000),
    ]:
        learned, played = [], []
        for number in range(3):
            told = {"episodes": episodes, "eval": "none", "settings": settings}
            told["out"] = here / f"{name}-{number}"
            learned.append(spent(time.process_time, lambda: ludens.train(game, **told)))
            work = lambda: ludens.match(game, "random", "random", games=games)  # noqa: E731
            played.append(spent(time.process_time, work))
        rows.append([name, episodes / min(learned), games / min(played)])
    times = ["Rust is faster", *(f"{a / b:.0f} times" for a, b in zip(rows[0][1:], rows[1][1:]))]
    return [[row[0], *(f"{rate:,.0f}" for rate in row[1:])] for row in rows] + [times]


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Rows of texts as Markdown."""
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def processor() -> str:
    """What the machine calls its processor."""
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def page(command: str) -> str:
    """Everything measured, as the page of the documentation."""
    version = platform.python_version()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        learning = [compare_learning(here, command, *run) for run in LEARNING]
        evaluation = [compare_evaluation(here, game) for game, _, _ in LEARNING]
        rules = compare_rules(here)
    return f"""<!-- Written by `python python/benches/overhead.py`. Change that, not this. -->
# What the way through Python costs

Measured on {datetime.date.today()} with Python {version} on {processor()}, in CPU time of one
core, both programs built for speed; they take turns, and the best of {ROUNDS} rounds counts, of
{2 * ROUNDS} for evaluation. `python python/benches/overhead.py` measures again.

## Learning

`ludens.train` in a program that has imported `ludens`, and `ludens train` as a program of its own,
with the same preset, seed and episodes, without measuring strength. Both write the same bytes.

{table(["run", "episodes", "Python, games/s", "command, games/s", "Python is as fast"], learning)}
## Evaluation

`value.evaluate(batch)` of {STATES:,} states met in random games, and the same states by the same
value in a loop within Rust. In both the states are there before the clock runs; Python also copies
them, so that other threads may play on, and makes a new array for each answer. The last column asks
for one state at a time.

{table(["value", "batch, states/s", "Rust, states/s", "batch is as fast", "one by one, states/s"],
       evaluation)}
{calls.section()}
## Rules written in Python

TicTacToe in Rust, and the same written as `ludens.Rules` (`SlowTicTacToe` in the script): learned
with the same small n-tuple network, and played by two agents that draw their moves.

{table(["rules", "games learned/s", "games played/s"], rules)}"""


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    written = page(sys.argv[1])
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(written, encoding="utf-8")
    print(written)
