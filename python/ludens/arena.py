"""Who is stronger: matches, tournaments, measurements."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from typing import Any, Union

from ludens import _ludens, checking
from ludens.choosing import AnyAgent, agent_text
from ludens.opening import AnyGame
from ludens.opening import game as open_game
from ludens.progress import Bar

Progress = Union[bool, Callable[[int, int], None]]


class Report(dict[str, Any]):
    """What came of a match, a tournament or a measurement.

    Its entries are those that the command line prints with `--json`; `str` gives what it prints
    without. `records` holds the games, one line of JSON each, if they were asked for.
    """

    def __init__(self, text: str, document: str, records: list[str], picture: str | None = None):
        super().__init__(json.loads(document))
        self.text = text
        self.records = records
        self.picture = picture

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return (self.picture or "") + f"<pre>{html.escape(self.text)}</pre>"


def games() -> dict[str, str]:
    """The names of all games, and what each is about."""
    return dict(_ludens.game_names())


def agents() -> dict[str, str]:
    """The names of all agents, and how each plays."""
    return dict(_ludens.agent_names())


def match(
    game: AnyGame,
    *agents: AnyAgent,
    games: int | None = None,
    openings: str = "start",
    sprt: str | None = None,
    seed: int = 1,
    threads: int = 1,
    record: bool = False,
    progress: Progress = False,
) -> Report:
    """Lets agents play many games in every role: who is stronger, and how sure that is.

    Agents are written as `name:key=value,...`, or are learned values, runs, `Agent` objects or
    functions. `ludens match --help` tells what `games`, `openings` and `sprt` mean.
    """
    wish = _wish(agents, games, openings, sprt, seed, threads, record)
    with Bar("playing", progress) as bar:
        return Report(*_ludens.contest(open_game(game), wish, bar.tell))


def tournament(
    game: AnyGame,
    *agents: AnyAgent,
    games: int = 100,
    openings: str = "start",
    seed: int = 1,
    threads: int = 1,
    record: bool = False,
    progress: Progress = False,
) -> Report:
    """Lets everybody play everybody: standings, ratings and a cross table."""
    wish = _wish(agents, games, openings, None, seed, threads, record)
    with Bar("playing", progress) as bar:
        told, picture = _ludens.tournament(open_game(game), wish, bar.tell)
    return Report(*told, picture)


def evaluate(
    game: AnyGame,
    agent: AnyAgent,
    protocol: str | None = None,
    games: int | None = None,
    seed: int = 1,
    threads: int = 1,
    progress: Progress = False,
) -> Report:
    """Measures an agent by a protocol, the game's usual one unless named."""
    wish = {
        "protocol": protocol,
        "games": checking.games(games),
        "seed": checking.seed(seed),
        "threads": checking.threads(threads),
    }
    with Bar("measuring", progress) as bar:
        return Report(*_ludens.measure(open_game(game), agent_text(agent), wish, bar.tell))


def _wish(
    agents: Sequence[AnyAgent],
    games: int | None,
    openings: str,
    sprt: str | None,
    seed: int,
    threads: int,
    record: bool,
) -> dict[str, Any]:
    return {
        "agents": [agent_text(agent) for agent in agents],
        "games": checking.games(games),
        "openings": openings,
        "sprt": sprt,
        "seed": checking.seed(seed),
        "threads": checking.threads(threads),
        "record": bool(record),
    }
