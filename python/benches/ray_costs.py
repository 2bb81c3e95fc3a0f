"""What Ray costs on this machine, with two nodes on it: the times and bytes of docs/scaling.md.

    pip install '.[ray]'
    python python/benches/ray_costs.py
    python -m ludens.scaling docs/scaling.md

The first command writes python/ludens/costs.json, which the simulation reads; the second writes the
tables of the page. It takes some minutes. Of several rounds the quick ones count, and games are
measured in CPU time: other work on the machine can only make it slower.
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
    *(
        {
            "name": f"Othello, {name}",
            "game": "othello",
            "settings": {
                "learner.algorithm": name.lower(),
                "search.depth": 4,
                "trace.form": "sparse",
            },
            "batch": 40,
            "batches": 3,
            "games": 200_000,
        }
        for name in ("TD-Leaf", "TD-Directed")
    ),
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
    """How long some work takes if nothing else is in its way: a tenth of the rounds is quicker."""
    return sorted(seconds(work) for _ in range(rounds))[rounds // 10]


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
    return [min(new), min(again)]


def learning(about: dict[str, Any], here: Path) -> dict[str, Any]:
    """What playing and learning cost here, and what a run with two actors sends."""
    from ludens import cluster

    batch, episodes = about["batch"], about["batch"] * about["batches"]
    options = {"episodes": episodes, "eval": "none"}
    settings = about.get("settings", {})
    run = cluster.train(
        about["game"], actors=2, batch=batch, settings=settings, out=here / about["name"], **options
    )
    lines = [json.loads(line) for line in open(run.folder / "crew.jsonl")][1:]
    playing, both = phases(about, settings, here / "alone" / about["name"], options)
    weights = run.value.weights()["weights"].size
    changed = statistics.mean(line["changed"] for line in lines)
    games = sum(line["games"] for line in lines)
    return {
        "name": about["name"],
        "play": playing / episodes,
        "learn": (both - playing) / episodes,
        "game_bytes": sum(line["received"] for line in lines) / games,
        "weights": weights,
        "touched": -weights / batch * float(np.log1p(-changed / weights)),
        "games": about["games"],
        "batch": batch,
        "changed": changed,
        "sent": statistics.mean(line["sent"] for line in lines),
    }


def phases(
    about: dict[str, Any], settings: dict[str, Any], out: Path, options: dict[str, Any]
) -> tuple[float, float]:
    """CPU seconds of playing, and of playing and learning, by the same run in this process."""
    from ludens._ludens import Player
    from ludens.runs import begin, go

    settings = {**settings, "learner.batch": about["batch"]}
    run = begin(about["game"], None, settings=settings, deterministic=True, out=out, **options)
    player = Player((run.folder / "run.toml").read_text(encoding="utf-8"))
    playing = 0.0

    def play(first: int, end: int, weights: np.ndarray) -> bytes:
        nonlocal playing
        player.set_weights(weights)
        begun = time.process_time()
        games = player.play(first, end, 1)
        playing += time.process_time() - begun
        return games

    run.set_crew(play)
    begun = time.process_time()
    go(run, 1, 1_000.0, False)
    return playing, time.process_time() - begun


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
    (here / LEARNINGS[0]["name"]).rename(folder / "runs" / "connect4")
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
