"""Agents written in Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Union

from ludens import _ludens
from ludens._ludens import Invalid

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Seen:
    """What an agent sees of a game."""

    state: str
    """The state in one line."""
    start: str
    """The state that the game began with."""
    history: list[str]
    """What was played so far; chance's draws are in brackets."""
    legal: Mapping[str, int]
    """The legal moves as players write them, and their ids."""


def agent(choose: Callable[[Seen], Union[str, int]], name: str | None = None) -> str:
    """Makes a function that picks moves an agent, and returns the text that names it.

    >>> first = agent(lambda seen: min(seen.legal.values()), "first")
    >>> ludens.match("tictactoe", first, "random")
    """
    name = name or f"agent-{next(_numbers)}"

    def chosen(state: str, start: str, history: list[str], legal: list[tuple[str, int]]) -> int:
        seen = Seen(state, start, history, dict(legal))
        move = choose(seen)
        if isinstance(move, str):
            if move not in seen.legal:
                raise Invalid(f"{move!r} is not legal here; legal: {' '.join(seen.legal)}")
            return seen.legal[move]
        return int(move)

    _ludens.add_agent(name, chosen)
    return f"python:{name}"
