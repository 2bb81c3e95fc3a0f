"""Boards as arrays of colours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens._ludens import State

SIZE = 32
_GROUND = (226, 229, 233)
_EMPTY = (248, 249, 250)
# Colours that the colour-blind can tell apart (Okabe and Ito 2008).
_COLOURS = [
    (213, 94, 0),
    (0, 114, 178),
    (0, 158, 115),
    (230, 159, 0),
    (204, 121, 167),
    (86, 180, 233),
    (240, 228, 66),
]


def rendered(state: State, mode: str | None) -> Any:
    """What `render` answers: the board as an array of colours or as text, or nothing if printed."""
    if mode == "rgb_array":
        return picture(state)
    if mode == "ansi":
        return str(state)
    if mode == "human":
        print(state, flush=True)
    return None


def picture(state: State) -> NDArray[np.uint8]:
    """The cells as the first player sees them, each a disc whose colour tells its value."""
    cells = state.cells(0)
    height, width = cells.shape
    image = np.empty((height * SIZE, width * SIZE, 3), np.uint8)
    image[:] = _GROUND
    disc = _disc()
    for (row, column), value in np.ndenumerate(cells):
        colour = _COLOURS[(int(value) - 1) % len(_COLOURS)] if value else _EMPTY
        tile = image[row * SIZE : (row + 1) * SIZE, column * SIZE : (column + 1) * SIZE]
        tile[disc] = colour
    return image


def _disc() -> NDArray[np.bool_]:
    middle = (SIZE - 1) / 2
    rows, columns = np.mgrid[:SIZE, :SIZE]
    inside: NDArray[np.bool_] = np.hypot(rows - middle, columns - middle) <= SIZE * 0.42
    return inside
