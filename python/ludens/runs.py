"""Runs of learning."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Union, overload

import numpy as np
from numpy.typing import NDArray

from ludens import _ludens, checking
from ludens._ludens import Game, Invalid
from ludens.arena import Report, evaluate
from ludens.opening import AnyGame
from ludens.opening import game as open_game
from ludens.progress import Bar
from ludens.rules import check_current
from ludens.value import Value

PathLike = Union[str, "os.PathLike[str]"]


class Run:
    """A run of learning, as its folder tells it; see docs/runs.md."""

    def __init__(self, folder: PathLike):
        self.folder = Path(folder)
        if not (self.folder / "run.toml").exists():
            raise Invalid(f"{folder} holds no run: it has no run.toml")

    @property
    def metrics(self) -> dict[str, NDArray[Any]]:
        """The learning curve, one array a column: `pandas.DataFrame(run.metrics)` is a table."""
        with open(self.folder / "metrics.jsonl", encoding="utf-8") as file:
            lines = [_flat(json.loads(line)) for line in file]
        names = list(dict.fromkeys(name for line in lines for name in line))
        return {name: _column([line.get(name) for line in lines]) for name in names}

    @property
    def summary(self) -> dict[str, Any]:
        """The result; empty as long as the run is not finished."""
        path = self.folder / "summary.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    @property
    def finished(self) -> bool:
        """Whether all episodes have been learned."""
        return (self.folder / "summary.json").exists()

    @property
    def value(self) -> Value:
        """What was learned in the end, or when the run was last saved."""
        return Value(self.folder)

    @property
    def agent(self) -> str:
        """The text that opens an agent that plays by what was learned."""
        return self.value.agent

    @property
    def game(self) -> Game:
        """The game that is learned."""
        return self.value.game

    def evaluate(self, protocol: str | None = None, **options: Any) -> Report:
        """Measures what was learned; the options are those of `ludens.evaluate`."""
        value = self.value
        return evaluate(value.game, value, protocol, **options)

    def resume(self, episodes: int | None = None, **options: Any) -> Run:
        """Goes on with the run, to `episodes` in all, if given."""
        return resume(self.folder, episodes, **options)

    def __repr__(self) -> str:
        return f"<run in {self.folder}, {'finished' if self.finished else 'not finished'}>"

    def _repr_html_(self) -> str:
        text = self.folder / "summary.txt"
        told = text.read_text(encoding="utf-8").splitlines()[:1] if text.exists() else [repr(self)]
        return self._repr_svg_() + f"<pre>{html.escape(' '.join(told))}</pre>"

    def _repr_svg_(self) -> str:
        return curves({self.folder.name: self})


def curves(runs: Mapping[str, Run], title: str = "") -> str:
    """The learning curves of runs in one picture, as SVG."""
    drawn: list[_ludens._Curve] = []
    label = "length"
    for name, run in runs.items():
        metrics = run.metrics
        measured = "figure" in metrics
        heights = metrics["figure" if measured else "length"]
        if measured:
            label = str(metrics["measures"][-1])
        points = [
            (float(x), float(y)) for x, y in zip(metrics["episode"], heights) if y == y
        ]
        drawn.append((name, points, []))
    return _ludens.curve_svg(title, ("episodes", label), drawn)


def train(
    game: AnyGame | None = None,
    preset: str | None = None,
    *,
    episodes: int | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    config: PathLike | None = None,
    threads: int = 1,
    deterministic: bool = False,
    out: PathLike | None = None,
    eval: str | None = None,
    every: int | None = None,
    save_every: float = 60.0,
    progress: bool | Callable[..., None] = False,
) -> Run:
    """Learns a game by playing, in a folder that holds everything about it.

    The arguments are those of `ludens train`, and so is what is learned: the same game, preset,
    settings and seed give the same bytes. `settings` has keys such as `learner.alpha`. Ctrl-C stops
    after the current game and saves; `resume` goes on as if nothing had happened.

    `progress` draws a line; a function instead is called several times a second with the episode,
    all episodes, moves, whether strength is being measured, and the latest line of the learning
    curve as JSON or None.
    """
    learning = begin(
        game,
        preset,
        episodes=episodes,
        seed=seed,
        settings=settings,
        config=config,
        threads=threads,
        deterministic=deterministic,
        out=out,
        eval=eval,
        every=every,
    )
    return go(learning, threads, save_every, progress)


def begin(
    game: AnyGame | None,
    preset: str | None,
    *,
    episodes: int | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    config: PathLike | None = None,
    threads: int = 1,
    deterministic: bool = False,
    out: PathLike | None = None,
    eval: str | None = None,
    every: int | None = None,
) -> _ludens.Learning:
    """A run at its beginning; `train` tells what the arguments mean."""
    if game is not None and not isinstance(game, str):
        game = check_current(open_game(game)).spec
    episodes, seed = checking.maybe("episodes", episodes), checking.seed(seed)
    if settings is not None and not isinstance(settings, Mapping):
        raise TypeError(f'settings: expected {{"learner.alpha": 0.1, ...}}, found {settings!r}')
    told = {"game": game, "preset": preset, "episodes": episodes, "seed": seed}
    return _ludens.begin_run(
        {
            **told,
            "settings": [f"{key}={_plain(value)}" for key, value in (settings or {}).items()],
            "config": config,
            "threads": checking.threads(threads),
            "deterministic": bool(deterministic),
            "out": out,
            "eval": eval,
            "every": checking.maybe("every", every, 1),
            "command": _command(told),
        }
    )


def resume(
    folder: PathLike,
    episodes: int | None = None,
    *,
    threads: int = 1,
    save_every: float = 60.0,
    progress: bool | Callable[..., None] = False,
) -> Run:
    """Goes on with a run that was stopped, killed or finished; to `episodes` in all, if given."""
    episodes = checking.maybe("episodes", episodes)
    threads = checking.threads(threads)
    return go(_ludens.resume_run(folder, episodes), threads, save_every, progress)


@overload
def load(path: PathLike, kind: None = None) -> Run | Value: ...
@overload
def load(path: PathLike, kind: type[Run]) -> Run: ...
@overload
def load(path: PathLike, kind: type[Value]) -> Value: ...
def load(path: PathLike, kind: type[Run] | type[Value] | None = None) -> Run | Value:
    """Opens the folder of a run as a `Run`, the file of a learned value as a `Value`.

    With `kind`, only that is returned: `load(folder, Value)` opens what a run has learned, and a
    file is no `Run`. Files that are damaged are refused.
    """
    if not Path(path).is_dir() and kind is Run:
        raise Invalid(f"{path}: expected the folder of a run, found a file")
    if not Path(path).is_dir() or kind is Value:
        return Value(path)
    run = Run(path)
    _ludens.check_run(run.folder)
    if run.finished:
        # Reading the value checks all its numbers.
        _ = run.value
    return run


def go(learning: _ludens.Learning, threads: int, save_every: float, progress: Any) -> Run:
    """Carries out a run that has begun."""
    try:
        with Bar("learning", progress) as bar:
            learning.go(threads, save_every, _teller(bar, progress))
    finally:
        learning.close()
    return Run(learning.folder)


def _teller(
    bar: Bar, progress: bool | Callable[..., None]
) -> Callable[..., None] | None:
    if not progress:
        return None
    if not isinstance(progress, bool):
        return progress

    def tell(episode: int, episodes: int, moves: int, measuring: bool, line: str | None) -> None:
        found = json.loads(line).get("evaluation") if line else None
        if found:
            bar.latest = f", {found['protocol']} {found['figure']:.3f}"
        bar.draw(episode, episodes)

    return tell


def _command(told: Mapping[str, Any]) -> str:
    said = [f"{key}={value!r}" for key, value in told.items() if value is not None]
    return f"ludens.train({', '.join(said)})"


def _plain(value: Any) -> str:
    """A setting as it is written on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_quoted(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k} = {_quoted(v)}" for k, v in value.items()) + " }"
    return str(value)


def _quoted(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else _plain(value)


def _flat(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the curve without nesting: `rewards_0`, `figure`, ..."""
    flat: dict[str, Any] = {}
    for name, value in line.items():
        if name == "evaluation":
            flat.update(value or {})
        elif isinstance(value, list):
            flat.update({f"{name}_{i}": item for i, item in enumerate(value)})
        else:
            flat[name] = value
    return flat


def _column(values: list[Any]) -> NDArray[Any]:
    if any(isinstance(value, str) for value in values):
        return np.array(values, dtype=object)
    return np.array([np.nan if value is None else value for value in values])
