"""What the binding costs: learning through Python and the command line, and batched evaluation.

Run it with the release wheel installed: python python/benches/overhead.py
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ludens

EPISODES = 60_000
ROUNDS = 5
STATES = 100_000


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


def learning_seconds(folder: Path) -> float:
    """Seconds of learning that the run itself has counted."""
    import json

    return sum(json.loads(line)["learning"] for line in open(folder / "times.jsonl"))


def compare_learning(here: Path) -> None:
    """Learns the same through both, in turn, and compares the fastest of each."""
    best = {"python": float("inf"), "command": float("inf")}
    for number in range(ROUNDS):
        folder = here / f"python-{number}"
        ludens.train("tictactoe", episodes=EPISODES, out=folder, eval="none")
        best["python"] = min(best["python"], learning_seconds(folder))
        folder = here / f"command-{number}"
        typed = f"train tictactoe --episodes {EPISODES} --eval none --out {folder}".split()
        subprocess.run([sys.executable, "-m", "ludens", *typed], check=True, capture_output=True)
        best["command"] = min(best["command"], learning_seconds(folder))
    share = best["command"] / best["python"]
    told = ", ".join(f"{name} {EPISODES / seconds:,.0f} games/s" for name, seconds in best.items())
    print(f"learning: {told}; through Python {100 * share:.1f} % as fast")


def compare_evaluation(here: Path) -> None:
    """Evaluates many states: what is not done for a state is the binding's."""
    value = ludens.load(here / "python-0" / "value.safetensors")
    batch = value.game.batch(seed=1)
    batch.add_random(STATES)
    whole = fastest(lambda: value.evaluate(batch))
    around = fastest(batch.copy)
    share = 1 - around / whole
    rate = STATES / whole
    print(f"evaluation: {rate:,.0f} states/s in batches, {100 * share:.1f} % of it in Rust's net")
    state = value.game.start()
    alone = fastest(lambda: [value.evaluate(state) for _ in range(1_000)]) / 1_000
    print(f"one by one: {1 / alone:,.0f} states/s")


def compare_rules(here: Path) -> None:
    """The same game in Rust and in Python."""
    settings = {"value.ntuple.count": 10, "value.ntuple.length": 4}
    rates = []
    for name, game, episodes in [("rust", "tictactoe", 20_000), ("rules", SlowTicTacToe(), 1_000)]:
        out = here / name
        ludens.train(game, episodes=episodes, out=out, eval="none", settings=settings)
        rates.append(episodes / learning_seconds(out))
    rust, python = rates
    print(f"rules: {rust:,.0f} games/s in Rust, {python:,.0f} in Python; {rust / python:.0f} times")


def fastest(work) -> float:
    """Seconds of the fastest of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        compare_learning(Path(folder))
        compare_evaluation(Path(folder))
        compare_rules(Path(folder))
