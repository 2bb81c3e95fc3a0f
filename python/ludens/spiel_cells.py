"""Cells of a board, read from the observation tensors of OpenSpiel.

The values that occur in random games are numbered, so that no two of them become equal. A tensor of
planes becomes a board: what all planes say about a place is the value of its cell.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ludens._ludens import Invalid

MOST_VALUES = 255
"""Most values of a cell."""
_GAMES = 30
_STATES = 3_000
_DOUBLINGS = 17
"""How many tiles 2048 has on its board of 16 cells: 2 to 131072."""
_JOINT = 32
"""Most values of a cell when planes that say the same about all places are joined to the others."""

Floats = NDArray[np.float32]


class CellReader:
    """Turns observation tensors into cells with few values each."""

    def __init__(
        self,
        spiel: pyspiel.Game,
        values: Sequence[float] | None = None,
        shape: tuple[int, int] | None = None,
    ):
        self.name = str(spiel)
        tensors = np.stack(list(_random_tensors(spiel)))
        planes, height, width = _grid(list(spiel.observation_tensor_shape()), shape, self.name)
        self._grid = (planes, height * width)
        boards = tensors.reshape(len(tensors), *self._grid)
        self._levels = [_levels(boards[:, plane], values) for plane in range(planes)]
        digits = self._digits(boards)
        self._find_uniform(digits)
        self._codes = self._known_codes(digits)
        if len(self._codes) > MOST_VALUES:
            raise self._too_many(len(self._codes))
        rows = -(-len(self._apart) // width)
        self.shape = (height + rows, width)
        self._padding = rows * width - len(self._apart)
        extra = [len(self._levels[plane]) for plane in self._apart] + [1] * self._padding
        if max(extra, default=1) > MOST_VALUES:
            raise self._too_many(max(extra))
        self.cell_values = [len(self._codes)] * (height * width) + extra
        self._warned = False

    def read(self, tensor: Floats) -> list[int]:
        """The cells of one tensor."""
        digits = self._digits(tensor.reshape(1, *self._grid))
        codes = self._code(digits)[0]
        places = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        for place in np.flatnonzero(self._codes[places] != codes):
            places[place] = self._nearest(codes[place])
        extra = [int(digits[0, plane, 0]) for plane in self._apart] + [0] * self._padding
        return [*map(int, places), *extra]

    def _digits(self, boards: Floats) -> NDArray[np.int64]:
        """The number of each value among those of its plane."""
        digits = np.empty(boards.shape, np.int64)
        for plane, levels in enumerate(self._levels):
            found = np.searchsorted(levels, boards[:, plane])
            right = np.minimum(found, len(levels) - 1)
            left = np.maximum(right - 1, 0)
            numbers = boards[:, plane]
            nearer = np.abs(levels[left] - numbers) < np.abs(levels[right] - numbers)
            digits[:, plane] = np.where(nearer, left, right)
            if not np.allclose(levels[digits[:, plane]], numbers, atol=1e-5):
                self._warn("a number that no random game has shown")
        return digits

    def _find_uniform(self, digits: NDArray[np.int64]) -> None:
        """Finds planes that say the same about all places: they are joined, or cells apart."""
        planes = range(len(self._levels))
        uniform = [
            plane
            for plane in planes
            if self._grid[1] > 1 and (digits[:, plane] == digits[:, plane, :1]).all()
        ]
        self._apart: list[int] = []
        self._joined = list(planes)
        if uniform and len(np.unique(self._code(digits))) > _JOINT:
            self._apart = [plane for plane in uniform if len(self._levels[plane]) > 1]
            self._joined = [plane for plane in planes if plane not in uniform]

    def _code(self, digits: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the joined planes say about each place, as one number."""
        code = np.zeros((len(digits), self._grid[1]), np.int64)
        for plane in self._joined:
            code = code * len(self._levels[plane]) + digits[:, plane]
        return code

    def _known_codes(self, digits: NDArray[np.int64]) -> NDArray[np.int64]:
        """What can stand on a place: of one plane all its numbers, of several what was met."""
        if len(self._joined) == 1:
            return np.arange(len(self._levels[self._joined[0]]))
        return np.unique(self._code(digits))

    def _nearest(self, code: int) -> int:
        """The known code that differs from this one in the fewest planes."""
        self._warn("a cell that no random game has shown")
        differing = np.zeros(len(self._codes), np.int64)
        known = self._codes.copy()
        for plane in reversed(self._joined):
            size = len(self._levels[plane])
            differing += known % size != code % size
            known, code = known // size, code // size
        return int(differing.argmin())

    def _warn(self, what: str) -> None:
        if not getattr(self, "_warned", True):
            self._warned = True
            hint = "different states may become equal; cells=[...] lists all numbers"
            warnings.warn(f"{self.name}: {what} is read as the nearest one: {hint}", stacklevel=4)

    def _too_many(self, count: int) -> Invalid:
        expected = f"expected at most {MOST_VALUES} values of a cell, found {count}"
        return Invalid(f"{self.name}: {expected}; cells=[...] lists the numbers to tell apart")


def _levels(numbers: Floats, values: Sequence[float] | None) -> Floats:
    """The distinct numbers of a plane, ascending; counts are filled up where some are missing."""
    if values is not None:
        return np.unique(np.asarray(values, np.float32))
    found = np.unique(np.round(numbers, 5))
    steps = np.diff(found)
    if len(steps) < 2:
        return found
    if _doubles(found[found > 0]):
        # Random games end long before the largest tile.
        first = found[found > 0][0]
        return np.concatenate([found[found <= 0], first * 2.0 ** np.arange(_DOUBLINGS)])
    step = steps.min()
    counts = (found - found[0]) / step
    even = np.allclose(counts, np.rint(counts), atol=1e-2)
    if not even or not len(found) / 2 <= np.rint(counts[-1]) + 1 <= MOST_VALUES:
        return found
    count = int(np.rint(counts[-1])) + 1
    # Only what looks like counting is filled up, not powers of two.
    return found if count > 2 * len(found) else np.linspace(found[0], found[-1], count, dtype="f4")


def _doubles(numbers: Floats) -> bool:
    """Whether each number is twice the one before, as tiles are."""
    return len(numbers) > 3 and bool((numbers[1:] == 2 * numbers[:-1]).all())


def _grid(tensor: list[int], shape: tuple[int, int] | None, name: str) -> tuple[int, int, int]:
    """Planes, rows and columns."""
    size = int(np.prod(tensor))
    if shape is not None:
        height, width = shape
        if height < 1 or width < 1 or size % (height * width):
            raise Invalid(f"{name}: a tensor of {size} numbers has no board of {height} x {width}")
        return size // (height * width), height, width
    if len(tensor) == 3:
        return tensor[0], tensor[1], tensor[2]
    return (1, tensor[0], tensor[1]) if len(tensor) == 2 else (1, 1, size)


def _random_tensors(spiel: pyspiel.Game) -> Iterator[Floats]:
    """What players observe in some random games."""
    luck, seen = np.random.default_rng(1), 0
    for _ in range(_GAMES):
        state = spiel.new_initial_state()
        while seen < _STATES:
            for player in range(spiel.num_players()):
                yield tensor(state, player)
            seen += spiel.num_players()
            if state.is_terminal():
                break
            state.apply_action(_random_action(state, luck))


def _random_action(state: pyspiel.State, luck: np.random.Generator) -> int:
    if not state.is_chance_node():
        return int(luck.choice(state.legal_actions()))
    actions, probabilities = zip(*state.chance_outcomes())
    return int(luck.choice(actions, p=np.array(probabilities) / sum(probabilities)))


def tensor(state: pyspiel.State, player: int) -> Any:
    """The observation of a player."""
    return np.asarray(state.observation_tensor(player), np.float32)
