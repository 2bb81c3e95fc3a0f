"""What more machines would gain: a small simulation, with costs that were measured.

>>> python -m ludens.scaling

A batch is played by `machines * cores` workers, then merged by one learner. Its time is what the
slowest worker takes, what goes over the network, and what the learner does alone. docs/scaling.md
says where the numbers come from.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Network:
    """What messages cost."""

    call: float = 1.0e-3
    """Seconds of the learner's time for a call and its answer."""
    bandwidth: float = 1.0e9
    """Bytes in a second: ten gigabits, well used."""
    start: float = 10.0
    """Seconds until an actor or a task is at work."""


@dataclass(frozen=True)
class Learning:
    """A run whose games are played in batches."""

    name: str
    play: float
    """Seconds of one core to play a game."""
    learn: float
    """Seconds of the learner to learn it."""
    game_bytes: float
    """Bytes of a game."""
    weights: int
    """How many weights there are."""
    touched: float
    """Weights that one game changes."""
    games: int
    """Games of the run."""


LEARNINGS = [
    Learning("Connect-4, TD", 90e-6, 60e-6, 140, 17_000_000, 2_000, 10_000_000),
    Learning("Othello, TD-Leaf", 0.25, 2e-3, 260, 400_000, 3_000, 200_000),
]

MACHINES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]


def batch_seconds(run: Learning, workers: int, games: int, net: Network, seed: int = 1) -> float:
    """The time of one batch of so many games."""
    luck = np.random.default_rng(seed)
    share = -(-games // workers)
    at_work = -(-games // share)
    # Games differ in length: a share is a sum, and the slowest one counts.
    spread = 0.3 / np.sqrt(share)
    slowest = share * run.play * (1 + spread * luck.standard_normal(at_work)).max()
    distinct = run.weights * (1 - np.exp(-run.touched * games / run.weights))
    update = min(4.0 * run.weights, 8.0 * distinct)
    # Those who have the weights hand them on, so that a broadcast takes as long as a binary tree.
    broadcast = update / net.bandwidth * np.ceil(np.log2(at_work + 1))
    collect = games * run.game_bytes / net.bandwidth + at_work * net.call
    compare = 4.0 * run.weights / 4e9
    return slowest + broadcast + collect + compare + games * run.learn


def speed_up(run: Learning, machines: int, cores: int = 8, batch: int = 0,
             net: Network = Network()) -> float:
    """How much faster than one machine with as many threads; both play in batches."""
    games = batch or best_batch(run, machines * cores, net)
    alone = games * (run.play / cores + run.learn)
    return alone / batch_seconds(run, machines * cores, games, net)


def best_batch(run: Learning, workers: int, net: Network) -> int:
    """Games in a batch: a second of work for each worker, but no more than 1 % of the run."""
    return int(min(max(workers * max(1.0 / run.play, 1.0), 2), run.games / 100))


def experiment_speed_up(runs: int, seconds: float, machines: int, cores: int = 8,
                        net: Network = Network(), seed: int = 1) -> float:
    """How much faster many runs are done than by one machine; each run is a task on one core."""
    luck = np.random.default_rng(seed)
    lengths = seconds * np.exp(0.25 * luck.standard_normal(runs))

    def makespan(workers: int, start: float) -> float:
        free = [start] * min(workers, runs)
        for length in lengths:
            heapq.heappush(free, heapq.heappop(free) + length + net.call)
        return max(free)

    return makespan(cores, 0.0) / makespan(machines * cores, net.start)


def main() -> None:
    """Prints the table of docs/scaling.md."""
    names = [run.name for run in LEARNINGS]
    print("| machines of 8 cores | " + " | ".join(names) + " | an experiment of 400 runs |")
    print("| ---: |" + " ---: |" * (len(names) + 1))
    for machines in MACHINES:
        found = [speed_up(run, machines) for run in LEARNINGS]
        found.append(experiment_speed_up(400, 1_800, machines))
        print(f"| {machines} | " + " | ".join(f"{times:.1f}" for times in found) + " |")


if __name__ == "__main__":
    main()
