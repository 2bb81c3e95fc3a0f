"""Pickled games, states and batches.

The rules of a game written in Python travel with it, so that other processes know them.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ludens import _ludens
from ludens._ludens import Batch, Game, Invalid, State


class UnknownGame:
    """Stands for a game whose rules could not be unpickled in this process.

    A pool of processes waits forever for a task that raises while it is unpickled. So this object
    is made instead, and whatever it is asked for raises `Invalid` with the reason.
    """

    def __init__(self, spec: str, reason: str):
        self._spec, self._reason = spec, reason

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise self.error()

    def __len__(self) -> int:
        raise self.error()

    def __getitem__(self, index: Any) -> Any:
        raise self.error()

    def error(self) -> Invalid:
        """Why the game is unknown here."""
        return Invalid(
            f"{self._spec}: its rules cannot be unpickled in this process: {self._reason}; "
            "define their class in a module that all processes can import"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownGame, (self._spec, self._reason)


def reduce_game(spec: str, rules: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """What pickle keeps of a game: its text, or its rules if they are written in Python."""
    if rules is None:
        return _ludens.game, (spec,)
    return restore_rules, (spec, _pickler().dumps(rules))


def restore_rules(spec: str, pickled: bytes) -> Game | UnknownGame:
    """The game whose rules were pickled."""
    from ludens.rules import add

    try:
        return add(pickle.loads(pickled))
    except Exception as error:
        return UnknownGame(spec, f"{type(error).__name__}: {error}")


def restore_state(game: Game | UnknownGame, record: str, stream: str) -> State | UnknownGame:
    """The state that was pickled, with its random stream."""
    if isinstance(game, UnknownGame):
        return game
    state = game.replay(record)
    state.set_chance_stream(stream)
    return state


def restore_batch(
    game: Game | UnknownGame, texts: Sequence[str], streams: str
) -> Batch | UnknownGame:
    """The batch that was pickled, with its random streams."""
    if isinstance(game, UnknownGame):
        return game
    batch = game.batch()
    batch.add(texts)
    batch.set_chance_streams(streams)
    return batch


def _pickler() -> Any:
    """Ray's pickler, which also takes classes of the main program along, where Ray is in use."""
    return sys.modules.get("ray.cloudpickle") or sys.modules.get("cloudpickle") or pickle
