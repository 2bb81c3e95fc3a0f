"""What Ray costs on this machine, with two nodes on it: the times and bytes of docs/scaling.md.

    pip install '.[ray]'
    python python/benches/ray_costs.py
    python -m ludens.scaling docs/scaling.md

The first command writes python/ludens/costs.json, which the simulation reads; the second writes the
tables of the page. It takes some minutes.
"""

from __future__ import annotations

import datetime
import json
import os
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

TARGET = Path(__file__).parents[1] / "ludens" / "costs.json"
SIZES = [1, 8, 64]
"""Sizes of messages in MiB."""
LEARNINGS: list[dict[str, Any]] = [
    {
        "name": "Connect-4, TD",
        "game": "connect4",
        "batch": 2_000,
        "batches": 3,
        "games": 10_000_000,
    },
    {
        "name": "Othello, TD-Leaf",
        "game": "othello",
        "settings": {
            "learner.algorithm": "td-leaf",
            "search.depth": 4,
            "trace.form": "sparse",
        },
        "batch": 40,
        "batches": 3,
        "games": 200_000,
    },
]
"""What is learned by two actors; `games` is how many a whole run has."""


class Echo:
    """An actor that answers."""

    def ready(self) -> bool:
        return True

    def look(self, data: np.ndarray) -> float:
        return float(data[0])

    def give(self, count: int) -> bytes:
        return bytes(count)


def seconds(work: Callable[[], Any]) -> float:
    """How long some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def usual(work: Callable[[], Any], rounds: int) -> float:
    """How long some work usually takes."""
    return statistics.median(seconds(work) for _ in range(rounds))


def messages() -> dict[str, Any]:
    """Tasks, actors, calls, and bytes on their way to two nodes and back."""
    import ray

    task = ray.remote(num_cpus=1)(lambda: None)
    first = seconds(lambda: ray.get(task.remote()))
    many = usual(lambda: ray.get([task.remote() for _ in range(1_000)]), 3) / 1_000
    hired: Any = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(Echo)
    actors: list[Any] = []

    def hire() -> None:
        actors.append(hired.remote())
        ray.get(actors[-1].ready.remote())

    begin = [seconds(hire) for _ in range(2)]
    call = usual(lambda: ray.get(actors[0].ready.remote()), 300)
    told = {"first_task": first, "task": many, "actor": max(begin), "call": call}
    told["broadcast"] = {size: broadcast(actors, size << 20) for size in SIZES}
    told["answer"] = {
        size: usual(lambda: ray.get(actors[1].give.remote(size << 20)), 5) for size in SIZES
    }
    for actor in actors:
        ray.kill(actor)
    return told


def broadcast(actors: list[Any], count: int) -> list[float]:
    """Seconds until all actors have an array: the first time, and once it is there."""
    import ray

    new, again = [], []
    for _ in range(5):
        data = np.zeros(count // 4, np.float32)
        begun = time.perf_counter()
        there = ray.put(data)
        ray.get([actor.look.remote(there) for actor in actors])
        new.append(time.perf_counter() - begun)
        again.append(seconds(lambda: ray.get([actor.look.remote(there) for actor in actors])))
    return [statistics.median(new), statistics.median(again)]


def learning(about: dict[str, Any], here: Path) -> dict[str, Any]:
    """What playing and learning cost, by a run with two actors."""
    from ludens import cluster

    batch, batches = about["batch"], about["batches"]
    run = cluster.train(
        about["game"],
        actors=2,
        batch=batch,
        episodes=batch * batches,
        settings=about.get("settings"),
        eval="none",
        out=here / about["game"],
    )
    lines = [json.loads(line) for line in open(run.folder / "crew.jsonl")]
    worked = sum(json.loads(line)["learning"] for line in open(run.folder / "times.jsonl"))
    games = sum(line["games"] for line in lines)
    weights = run.value.weights()["weights"].size
    # The first batch begins with nothing and tells of no change.
    changed = statistics.mean(line["changed"] for line in lines[1:])
    return {
        "name": about["name"],
        "play": sum(line["playing"] for line in lines) / games,
        "learn": (worked - sum(line["waiting"] for line in lines)) / games,
        "game_bytes": sum(line["received"] for line in lines) / games,
        "weights": weights,
        "touched": -weights / batch * float(np.log1p(-changed / weights)),
        "games": about["games"],
        "batch": batch,
        "changed": changed,
        "sent": statistics.mean(line["sent"] for line in lines[1:]),
        "around": statistics.mean(
            max(line["waiting"] - line["playing"] / 2, 0.0) for line in lines[1:]
        ),
    }


def comparing() -> float:
    """Bytes of weights compared in a second."""
    old = np.zeros(1 << 24, np.float32)
    new = old.copy()
    new[::1_000] = 1.0
    return old.nbytes / usual(lambda: new[np.flatnonzero(new != old)], 5)


def collecting(here: Path) -> dict[str, float]:
    """What the files of a finished run cost to pack, and to put into place."""
    from ludens import cluster

    folder = here / "packed"
    (folder / "runs").mkdir(parents=True)
    (here / "connect4").rename(folder / "runs" / "connect4")
    packed = cluster._pack(folder)
    return {
        "run_bytes": len(packed),
        "pack": seconds(lambda: cluster._pack(folder)),
        "unpack": seconds(lambda: cluster._unpack(packed, here / "there")),
    }


def measure() -> dict[str, Any]:
    """Everything."""
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    os.environ["RAY_raylet_start_wait_time_s"] = "180"
    import ray
    from ray.cluster_utils import Cluster

    from ludens import cluster

    made: Any = None

    def begin() -> None:
        nonlocal made
        made = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        cluster.connect(made.address)

    told: dict[str, Any] = {"date": str(datetime.date.today()), "ray": ray.__version__}
    told["begin"] = seconds(begin)
    told["join"] = seconds(lambda: made.add_node(num_cpus=1))
    told.update(messages())
    told["compared"] = comparing()
    with tempfile.TemporaryDirectory() as folder:
        told["learnings"] = [learning(about, Path(folder)) for about in LEARNINGS]
        told.update(collecting(Path(folder)))
    ray.shutdown()
    made.shutdown()
    return told


if __name__ == "__main__":
    found = json.dumps(measure(), indent=2)
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(found + "\n", encoding="utf-8")
    print(found)
