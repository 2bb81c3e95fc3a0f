"""Opening games."""

from __future__ import annotations

from typing import Union

from ludens import _ludens
from ludens._ludens import Game
from ludens.pickling import UnknownGame
from ludens.rules import Rules, add

AnyGame = Union[str, Game, Rules]


def game(game: AnyGame) -> Game:
    """Opens the game written as `name` or `name:key=value,...`, such as `hex:size=5`.

    Rules written in Python are made known and opened. `games` lists the names of the others.
    """
    if isinstance(game, Rules):
        return add(game)
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        return _ludens.game(game)
    if isinstance(game, UnknownGame):
        raise game.error()
    if isinstance(game, type) and issubclass(game, Rules):
        raise TypeError(f"expected rules, found their class: write {game.__name__}()")
    raise TypeError(f"expected the name of a game, a Game or Rules, found {game!r}")
