"""What more machines would gain: a small simulation, with costs that were measured.

    python -m ludens.scaling                      prints the tables
    python -m ludens.scaling docs/scaling.md      writes them into the page

A batch is played by `machines * cores` workers, then learned by one learner. Its time is what the
slowest worker takes, what goes over the network, and what the learner does alone. `costs.json`
holds what python/benches/ray_costs.py has measured; docs/scaling.md says what is assumed besides.
"""

from __future__ import annotations

import heapq
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

CORES = 8
"""Cores of a machine."""
MACHINES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
RUNS, RUN_SECONDS = 400, 1_800.0
"""An experiment: how many runs, and how long one takes."""


@dataclass(frozen=True)
class Network:
    """What messages cost."""

    call: float
    """Seconds of the learner's time for a call and its answer."""
    start: float
    """Seconds until an actor or a task is at work."""
    compared: float
    """Bytes of weights that the learner compares in a second, to find those that changed."""
    task: float
    """Seconds of the driver's time for a task."""
    unpack: float
    """Seconds of the driver's time to put the files of a run into place."""
    run_bytes: float
    """Bytes of those files."""
    bandwidth: float = 1.0e9
    """Bytes in a second between machines: ten gigabits, well used. This is assumed."""


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


def costs() -> dict[str, Any]:
    """What was measured."""
    path = Path(__file__).with_name("costs.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def network(found: dict[str, Any]) -> Network:
    """What messages cost, as measured."""
    same = {name: found[name] for name in ("call", "compared", "task", "unpack", "run_bytes")}
    return Network(start=found["begin"] + found["actor"], **same)


def learnings(found: dict[str, Any]) -> list[Learning]:
    """What runs cost, as measured."""
    names = Learning.__dataclass_fields__
    return [Learning(**{name: run[name] for name in names}) for run in found["learnings"]]


def batch_parts(
    run: Learning, workers: int, games: int, net: Network, seed: int = 1
) -> dict[str, float]:
    """What the time of one batch of so many games is spent on."""
    luck = np.random.default_rng(seed)
    share = -(-games // workers)
    at_work = -(-games // share)
    # Games differ in length: a share is a sum, and the slowest one counts.
    spread = 0.3 / np.sqrt(share)
    distinct = run.weights * (1 - np.exp(-run.touched * games / run.weights))
    update = min(4.0 * run.weights, 8.0 * distinct)
    return {
        "playing": share * run.play * (1 + spread * luck.standard_normal(at_work)).max(),
        # Those who have the weights hand them on, as along a binary tree.
        "weights": update / net.bandwidth * np.ceil(np.log2(at_work + 1))
        + 4.0 * run.weights / net.compared,
        "games": games * run.game_bytes / net.bandwidth + at_work * net.call,
        "learning": games * run.learn,
    }


def speed_up(run: Learning, machines: int, net: Network, games: int = 0) -> float:
    """How much faster than one machine with as many threads; both play in batches."""
    workers = machines * CORES
    games = games or best_batch(run, workers)
    alone = games * (run.play / CORES + run.learn)
    return alone / sum(batch_parts(run, workers, games, net).values())


def best_batch(run: Learning, workers: int) -> int:
    """Games in a batch: a second of work for each worker, but no more than 1 % of the run."""
    return int(min(max(workers * max(1.0 / run.play, 1.0), 2), run.games / 100))


def experiment_speed_up(machines: int, net: Network, seed: int = 1) -> float:
    """How much faster many runs are done than by one machine; each run is a task on one core."""
    luck = np.random.default_rng(seed)
    lengths = RUN_SECONDS * np.exp(0.25 * luck.standard_normal(RUNS))

    def makespan(workers: int, start: float, each: float) -> float:
        free = [start + net.task * place for place in range(min(workers, RUNS))]
        ends = []
        for length in lengths:
            ends.append(heapq.heappop(free) + length)
            heapq.heappush(free, ends[-1])
        # One driver puts the files of one run after the other into place.
        done = 0.0
        for end in sorted(ends):
            done = max(done, end) + each
        return done

    collect = net.unpack + net.run_bytes / net.bandwidth
    return makespan(CORES, 0.0, 0.0) / makespan(machines * CORES, net.start, collect)


def pays(found: Callable[[int], float]) -> int:
    """The most machines of which each is still worth half a machine."""
    return max(machines for machines in MACHINES if found(machines) >= machines / 2)


def gains(found: dict[str, Any]) -> str:
    """The table of what more machines gain."""
    net, runs = network(found), learnings(found)
    ways: list[tuple[str, Callable[[int], float]]] = [
        (run.name, partial(speed_up, run, net=net)) for run in runs
    ]
    ways.append((f"an experiment of {RUNS} runs", partial(experiment_speed_up, net=net)))
    rows = [[f"{count:,}", *(f"{way(count):.1f}" for _, way in ways)] for count in MACHINES]
    rows.append(["pays up to", *(f"{pays(way):,}" for _, way in ways)])
    return table([f"machines of {CORES} cores", *(name for name, _ in ways)], rows)


def shares(found: dict[str, Any]) -> str:
    """The table of what the time of a batch is spent on."""
    net = network(found)
    heads = ["run", "machines", "games in a batch", "seconds"]
    heads += ["playing", "weights", "games on their way", "learning"]
    rows = []
    for run in learnings(found):
        for machines in (1, 10, 100, 1_000):
            games = best_batch(run, machines * CORES)
            parts = batch_parts(run, machines * CORES, games, net)
            whole = sum(parts.values())
            split = [f"{100 * part / whole:.0f} %" for part in parts.values()]
            rows.append([run.name, f"{machines:,}", f"{games:,}", f"{whole:.2f}", *split])
    return table(heads, rows)


def measured(found: dict[str, Any]) -> str:
    """The tables of costs."""
    rows = [
        ["Ray begins", _time(found["begin"])],
        ["a second node joins", _time(found["join"])],
        ["a task, the first time", _time(found["first_task"])],
        ["a task, of 1,000 empty ones", _time(found["task"])],
        ["an actor begins and answers", _time(found["actor"])],
        ["a call to an actor and its answer", _time(found["call"])],
    ]
    for size, (new, again) in found["broadcast"].items():
        told = f"{_time(new)}, {_time(again)} once they are there"
        rows.append([f"broadcast: {size} MiB of weights to an actor on each of two nodes", told])
    for size, took in found["answer"].items():
        rows.append([f"merge: {size} MiB of games from an actor of the other node", _time(took)])
    rows.append(["weights compared", f"{found['compared'] / 1e9:.1f} GB/s"])
    size = f"{found['run_bytes'] / 1e6:.1f} MB"
    rows.append([f"the files of a run, {size}, packed", _time(found["pack"])])
    rows.append(["the same put into place", _time(found["unpack"])])
    about = f"Measured on {found['date']} with Ray {found['ray']}; games in CPU time.\n\n"
    return about + table(["what", "time"], rows) + "\n" + _runs(found)


def _runs(found: dict[str, Any]) -> str:
    heads = ["run, two actors", "games in a batch", "playing a game", "learning it"]
    heads += ["bytes of a game", "weights", "changed in a batch", "bytes of an update"]
    rows = [
        [
            run["name"],
            f"{run['batch']:,}",
            _time(run["play"]),
            _time(run["learn"]),
            f"{run['game_bytes']:.0f}",
            f"{run['weights']:,}",
            f"{run['changed']:,.0f}",
            f"{run['sent']:,.0f}",
        ]
        for run in found["learnings"]
    ]
    return table(heads, rows)


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Rows of texts as Markdown."""
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main(arguments: list[str]) -> None:
    """Prints the tables of docs/scaling.md, or writes them into it."""
    found = costs()
    parts = {"costs": measured(found), "gains": gains(found), "shares": shares(found)}
    if not arguments:
        print("\n".join(parts.values()))
        return
    page = Path(arguments[0])
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        begin = f"<!-- {name}: written by `python -m ludens.scaling` -->\n"
        before, rest = text.split(begin)
        end = f"<!-- {name} end -->"
        text = before + begin + part + end + rest.split(end)[1]
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
