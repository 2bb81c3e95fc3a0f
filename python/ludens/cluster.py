"""Many machines: experiments and learning over Ray.

>>> from ludens import cluster
>>> cluster.run_experiment("experiments/thill-connect4.toml", address="auto")

Local work needs none of this: threads are faster than processes. See docs/scaling.md.
"""

from __future__ import annotations

import io
import json
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import NodeDiedError, ObjectLostError, WorkerCrashedError

from ludens import _ludens
from ludens._ludens import Failed, Invalid
from ludens.crew import TRIES, Crew
from ludens.opening import AnyGame
from ludens.runs import PathLike, Run, begin, go


def connect(address: str | None = None) -> None:
    """Joins the cluster at `address`, or begins one on this machine; nothing if already there.

    Ray's own messages are kept quiet. Only those who know the token may join: a cluster that begins
    here draws one, unless `RAY_AUTH_TOKEN` says it.
    """
    if ray.is_initialized():
        return
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    if address is None:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    # A busy machine takes its time to begin.
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")
    ray.init(
        address=address,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )


def run_experiment(
    experiment: PathLike,
    scale: str = "quick",
    *,
    out: PathLike | None = None,
    address: str | None = None,
    shared: bool = False,
    cpus: float = 1,
    progress: bool | Callable[[list[dict[str, Any]]], None] = True,
) -> Path:
    """Runs what is not finished of an experiment, each run wherever there is room.

    The contract is that of `ludens experiment run --index`: every run has a folder of its own, is
    the same wherever it is run, and is never repeated once it is finished. With `shared`, all
    machines see the folder `out`, and a run that lost its machine goes on from its last save;
    otherwise runs are collected here when they are finished, and a lost one begins anew elsewhere.
    Returns the folder, with the report in it.
    """
    name = os.fspath(experiment)
    stem = Path(name).stem if name.endswith(".toml") else name
    folder = Path(out or Path("results") / f"{stem}-{scale}").absolute()
    text = Path(name).read_text(encoding="utf-8") if name.endswith(".toml") else None
    options = ["--scale", scale, "--out", str(folder)]
    left = [run for run in _status(name, options) if run["progress"] != "finished"]
    if left:
        connect(address)
        _run_all(name, text, scale, folder, left, shared, cpus, progress)
    _command("experiment", "report", name, *options)
    return folder


def train(
    game: AnyGame | None = None,
    preset: str | None = None,
    *,
    actors: int = 2,
    batch: int | None = None,
    threads: int = 1,
    address: str | None = None,
    save_every: float = 60.0,
    progress: bool | Callable[..., None] = False,
    **options: Any,
) -> Run:
    """Learns a game that many machines play, in batches; see docs/scaling.md.

    So many actors, each with so many threads, play the games of a batch with the weights as they
    were before it; one learner here learns them in order. The bytes are those of `ludens.train`
    with `deterministic=True` and the same `learner.batch`, whoever plays and whoever is lost
    meanwhile. The other options are those of `ludens.train`. Worth it where playing is dear: an
    actor should have a second of work in each batch.
    """
    settings = {"learner.batch": batch or 64 * actors, **(options.pop("settings", None) or {})}
    learning = begin(
        game, preset, settings=settings, deterministic=True, threads=1, **options
    )
    return _go_with_crew(learning, actors, threads, address, save_every, progress)


def resume(
    folder: PathLike,
    episodes: int | None = None,
    *,
    actors: int = 2,
    threads: int = 1,
    address: str | None = None,
    save_every: float = 60.0,
    progress: bool | Callable[..., None] = False,
) -> Run:
    """Goes on with a run, wherever it was begun, with actors to play."""
    learning = _ludens.resume_run(folder, episodes)
    return _go_with_crew(learning, actors, threads, address, save_every, progress)


def _go_with_crew(
    learning: _ludens.Learning,
    actors: int,
    threads: int,
    address: str | None,
    save_every: float,
    progress: bool | Callable[..., None],
) -> Run:
    connect(address)
    with Crew(learning.folder, actors, threads) as crew:
        learning.set_crew(crew.play)
        return go(learning, 1, save_every, progress)


def _run_all(
    name: str,
    text: str | None,
    scale: str,
    folder: Path,
    left: list[dict[str, Any]],
    shared: bool,
    cpus: float,
    progress: Any,
) -> None:
    task = ray.remote(num_cpus=cpus, max_retries=TRIES - 1)(_run_pair)
    place = str(folder) if shared else None
    waiting = {task.remote(name, text, scale, run["index"], place): run for run in left}
    states = {run["index"]: {**run, "progress": "waiting"} for run in left}
    failed = []
    while waiting:
        done, _ = ray.wait(list(waiting), timeout=1.0)
        for reference in done:
            run = waiting.pop(reference)
            reason, files = _answer(reference)
            if files is not None:
                _unpack(files, folder)
            states[run["index"]]["progress"] = "failed" if reason else "finished"
            if reason:
                failed.append(f"{run['variant']}, seed {run['seed']}: {reason}")
        _tell(progress, list(states.values()))
    if len(failed) == len(left):
        raise Failed("every run has failed: " + "; ".join(failed))


def _answer(reference: Any) -> tuple[str | None, bytes | None]:
    """Why a run failed, or its files; a run that takes its worker along each time has failed."""
    try:
        reason, files = ray.get(reference)
        return reason, files
    except (WorkerCrashedError, NodeDiedError, ObjectLostError) as error:
        return f"its worker was lost {TRIES} times ({type(error).__name__})", None


def _run_pair(
    name: str, text: str | None, scale: str, index: int, place: str | None
) -> tuple[str | None, bytes | None]:
    """One run, in this process: if the machine is lost, nobody is left behind at work."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as here:
        if text is not None:
            name = str(Path(here) / Path(name).name)
            Path(name).write_text(text, encoding="utf-8")
        folder = place or str(Path(here) / "out")
        options = ["--scale", scale, "--out", folder]
        code = _ludens.command(
            ["ludens", "experiment", "run", name, *options, "--index", str(index)]
        )
        reason = None
        if code != 0:
            told = _status(name, options)[index]
            reason = told["reason"] or f"exit code {code}"
        return reason, None if place else _pack(Path(folder))


def _pack(folder: Path) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        archive.add(folder / "runs", "runs")
    return data.getvalue()


def _unpack(files: bytes, folder: Path) -> None:
    """Puts a run into place at once, so that half of one is never seen."""
    with tempfile.TemporaryDirectory(dir=_made(folder)) as here:
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(here, filter="data")
        for run in (Path(here) / "runs").iterdir():
            target = _made(folder / "runs") / run.name
            if not (target / "summary.json").exists():
                shutil.rmtree(target, ignore_errors=True)
                os.replace(run, target)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _status(name: str, options: list[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        _command("experiment", "status", name, *options, "--json")
    )
    return found


def _command(*arguments: str) -> str:
    typed = [sys.executable, "-m", "ludens", *arguments]
    done = subprocess.run(typed, capture_output=True, text=True)
    if done.returncode != 0:
        what = done.stderr.strip().removeprefix("error: ")
        raise (Invalid if done.returncode == 2 else Failed)(what)
    return done.stdout


def _tell(progress: Any, states: list[dict[str, Any]]) -> None:
    if callable(progress):
        progress(states)
    elif progress:
        ended = sum(run["progress"] != "waiting" for run in states)
        sys.stderr.write(f"\r{ended} of {len(states)} runs ended")
        sys.stderr.write("\n" if ended == len(states) else "")
        sys.stderr.flush()
