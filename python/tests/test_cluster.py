"""Two Ray nodes on this machine; one of them and an actor are killed in the middle."""

import json
import os
import secrets
import signal
import subprocess
import sys

import psutil
import pytest

import ludens

EXPERIMENT = """
title = "Two rates"
source = "none"
about = "A short one."
game = "tictactoe"
preset = "default"
evaluation = "random:20"

[[variants]]
name = "slow"
set = ["learner.alpha=0.01"]

[[variants]]
name = "fast"
set = ["learner.alpha=0.1"]

[scales.smoke]
seeds = 2
episodes = 20000
every = 5000
"""

FILES = ["value.safetensors", "metrics.jsonl", "games.jsonl", "summary.json"]


@pytest.fixture(scope="module")
def nodes():
    """Two nodes with a processor each, and this process connected to them."""
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    os.environ["RAY_raylet_start_wait_time_s"] = "180"
    import ray
    from ray.cluster_utils import Cluster

    from ludens import cluster

    made = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    made.second = made.add_node(num_cpus=1)
    cluster.connect(made.address)
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_lost_actor_is_replaced_and_nothing_is_lost(nodes, tmp_path):
    from ludens import cluster

    killed = []

    def kill_one(episode, *_):
        if episode >= 200 and not killed:
            killed.append(_kill(nodes, "ray::Actor"))

    options = {"episodes": 600, "seed": 3, "eval": "random:20", "every": 100}
    run = cluster.train(
        "tictactoe", actors=2, batch=100, out=tmp_path / "far", progress=kill_one, **options
    )
    batches = [json.loads(line) for line in open(run.folder / "crew.jsonl")]
    assert killed and sum(batch["lost"] for batch in batches) >= 1
    assert batches[1]["sent"] > 0 and all(batch["stale"] == 99 for batch in batches)
    here = ludens.train(
        "tictactoe",
        settings={"learner.batch": 100},
        deterministic=True,
        out=tmp_path / "here",
        **options,
    )
    for name in FILES:
        assert (run.folder / name).read_bytes() == (here.folder / name).read_bytes(), name
    longer = cluster.resume(run.folder, 700, actors=1)
    assert longer.value.episode == 700


def test_runs_of_a_lost_node_are_run_elsewhere(nodes, tmp_path):
    from ludens import cluster

    path = tmp_path / "rates.toml"
    path.write_text(EXPERIMENT)
    lost = []

    def lose_one(states):
        if not lost:
            lost.append(nodes.remove_node(nodes.second, allow_graceful=False))

    folder = cluster.run_experiment(path, "smoke", out=tmp_path / "far", progress=lose_one)
    assert lost and (folder / "runs").exists()
    typed = ["experiment", "run", str(path), "--scale", "smoke", "--out", str(tmp_path / "here")]
    subprocess.run([sys.executable, "-m", "ludens", *typed], check=True, capture_output=True)
    names = sorted(run.name for run in (tmp_path / "here" / "runs").iterdir())
    assert names == sorted(run.name for run in (folder / "runs").iterdir())
    for name in names:
        for file in FILES:
            here, far = (tmp_path / "here" / "runs" / name / file, folder / "runs" / name / file)
            assert here.read_bytes() == far.read_bytes(), (name, file)
    told = []
    cluster.run_experiment(path, "smoke", out=folder, progress=told.append)
    assert told == []


def test_actors_play_games_that_are_written_in_python(nodes, tmp_path):
    from ludens import cluster

    from test_rules import SMALL, Corners

    # Actors cannot import the module of a test; what is written in a program is told to them.
    ray_pickle = __import__("ray.cloudpickle").cloudpickle
    ray_pickle.register_pickle_by_value(sys.modules["test_rules"])
    options = {"episodes": 60, "seed": 4, "eval": "none"}
    far = cluster.train(
        Corners(), actors=1, batch=20, settings=SMALL, out=tmp_path / "far", **options
    )
    settings = {**SMALL, "learner.batch": 20}
    here = ludens.train(
        Corners(), settings=settings, deterministic=True, out=tmp_path / "here", **options
    )
    for name in FILES:
        assert (far.folder / name).read_bytes() == (here.folder / name).read_bytes(), name


def test_games_that_are_not_from_self_play_stay_here(nodes, tmp_path):
    from ludens import cluster

    settings = {"games": [{"from": "random"}]}
    with pytest.raises(ludens.Invalid, match="self-play"):
        cluster.train("tictactoe", episodes=10, settings=settings, out=tmp_path / "a")


def _kill(nodes, name):
    """Kills a process of these nodes."""
    for node in nodes.list_all_nodes():
        raylet = psutil.Process(node.all_processes["raylet"][0].process.pid)
        for process in raylet.children(recursive=True):
            if any(name in word for word in process.cmdline()):
                os.kill(process.pid, signal.SIGKILL)
                return process.pid
    raise AssertionError(f"no process is called {name}")


def test_games_that_end_their_actor_each_time_are_given_up(nodes, tmp_path):
    from ludens import cluster

    from test_rules import SMALL, Corners

    class Deadly(Corners):
        """Ends every process but the one that made it."""

        name = "deadly-corners"

        def __init__(self):
            self.home = os.getpid()

        def legal_moves(self, state):
            return super().legal_moves(state) if os.getpid() == self.home else os._exit(1)

    ray_pickle = __import__("ray.cloudpickle").cloudpickle
    ray_pickle.register_pickle_by_value(sys.modules["test_rules"])
    options = {"episodes": 60, "eval": "none", "settings": SMALL, "out": tmp_path / "far"}
    with pytest.raises(ludens.Failed, match="actors were lost 3 times by games 0 to 19"):
        cluster.train(Deadly(), actors=1, batch=20, **options)


def test_runs_that_end_their_worker_each_time_have_failed(nodes, tmp_path, monkeypatch):
    from ludens import cluster

    path = tmp_path / "rates.toml"
    path.write_text(EXPERIMENT)
    monkeypatch.setattr(cluster, "_run_pair", lambda *_: os._exit(1))
    with pytest.raises(ludens.Failed, match="its worker was lost 3 times"):
        cluster.run_experiment(path, "smoke", out=tmp_path / "far", progress=False)


def test_games_may_take_longer_than_actors_may_be_missing(monkeypatch):
    from collections import deque

    from ludens import crew

    monkeypatch.setattr(crew.ray, "wait", lambda answers, timeout: ([], answers))
    waiting = object.__new__(crew.Crew)
    waiting.hands = {"answer": crew.Hand(None, piece=(0, 5))}
    waiting._collect(deque(), {}, crew.Batch(0, 5))
    waiting.hands = {"answer": crew.Hand(None)}
    with pytest.raises(ludens.Failed, match="nobody could play for 300 seconds"):
        waiting._collect(deque(), {}, crew.Batch(0, 5))
