"""What was learned: values of states and moves, and the weights behind them."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from typing import Any, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludens import _ludens
from ludens._ludens import Batch, Game, Invalid, State
from ludens.opening import game as open_game

_KINDS: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "U8": np.dtype("u1"),
}

States = Union[State, Batch, list[str]]


class Value:
    """A learned value, kept in a file; the folder of a run will do.

    It is an agent as well: where agents are named, a value plays what it likes best.
    """

    def __init__(self, path: str | os.PathLike[str], game: Game | None = None):
        self.path = os.fspath(_ludens.value_path(os.fspath(path)))
        self.about = _ludens.about_value(self.path)
        self.game: Game = open_game(self.about["game"] if game is None else game)
        self._learned = self.game.value(self.path)

    @property
    def agent(self) -> str:
        """The text that opens an agent that plays by this value."""
        return f"greedy:value=({self.path})"

    @property
    def episode(self) -> int:
        """How many episodes had been learned when this was saved."""
        return int(self.about["episode"])

    def evaluate(self, states: States) -> NDArray[np.float32]:
        """What each player expects to gain: one row for each state, one number for a player.

        Of a single state, its row.
        """
        values = self._learned.values(self._batch(states))
        return values[0] if isinstance(states, State) else values

    @overload
    def move_values(self, states: State) -> dict[str, float]: ...
    @overload
    def move_values(self, states: Batch | list[str]) -> NDArray[np.float32]: ...
    def move_values(self, states: States) -> dict[str, float] | NDArray[np.float32]:
        """What each move is worth to the player to move.

        Of a single state, moves as players write them and their values; of many, one row for each
        state, one column for each move id, NaN where a move is not legal.
        """
        values = self._learned.move_values(self._batch(states))
        if not isinstance(states, State):
            return values
        pairs = zip(states.legal_moves(), states.legal_ids())
        return {text: float(values[0, number]) for text, number in pairs}

    def weights(self) -> dict[str, NDArray[Any]]:
        """The tensors in the file, read-only and not copied: pages are read when looked at."""
        with open(self.path, "rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(length))
        start = 8 + length
        tensors = {}
        for name, about in header.items():
            if name == "__metadata__":
                continue
            offset, kind, shape = start + about["data_offsets"][0], about["dtype"], about["shape"]
            # An empty file region cannot be mapped.
            empty = 0 in shape
            tensors[name] = (
                np.zeros(shape, _KINDS[kind])
                if empty
                else np.memmap(self.path, _KINDS[kind], "r", offset, tuple(shape))
            )
        return tensors

    def save(
        self,
        path: str | os.PathLike[str],
        weights: Mapping[str, ArrayLike] | None = None,
    ) -> Value:
        """Writes the value to a file, with these tensors instead of its own, and opens it.

        `weights` has names and shapes as `weights()` returns them; missing ones stay.
        """
        tensors = {**self.weights()}
        for name, numbers in (weights or {}).items():
            if name not in tensors:
                raise Invalid(f"{name}: expected one of {', '.join(tensors)}")
            tensors[name] = _fitting(name, numbers, tensors[name])
        _ludens.write_value(path, self.about, tensors)
        return Value(path, self.game)

    @classmethod
    def from_arrays(
        cls,
        like: Value,
        weights: Mapping[str, ArrayLike],
        path: str | os.PathLike[str],
    ) -> Value:
        """A value like another one, with these weights, in a file of its own."""
        return like.save(path, weights)

    def _batch(self, states: States) -> Batch:
        if isinstance(states, Batch):
            return states
        if isinstance(states, State):
            return states.batch()
        if isinstance(states, (list, tuple)):
            batch = self.game.batch()
            texts = [state.text if isinstance(state, State) else state for state in states]
            if all(isinstance(text, str) for text in texts):
                batch.add(texts)
                return batch
        raise TypeError(f"expected a state, a batch or a list of texts, found {states!r}")

    def __repr__(self) -> str:
        return f"<value of {self.game.spec} after {self.episode} episodes, {self.path}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Value, (self.path, self.game)


def _fitting(name: str, numbers: ArrayLike, old: NDArray[Any]) -> NDArray[Any]:
    """Numbers of the same type and shape as the old ones."""
    found = np.ascontiguousarray(numbers, old.dtype)
    if found.shape != old.shape:
        raise Invalid(f"{name}: expected an array of shape {old.shape}, found {found.shape}")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise Invalid(f"{name}: expected finite numbers")
    return found
