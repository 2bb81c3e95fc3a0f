"""The truth about Connect-4."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ludens import _ludens
from ludens._ludens import Invalid, State


@dataclass(frozen=True)
class Solution:
    """The exact score of every move, and how the game ends.

    A score is 22 minus the stones that the winner has on the board at the end: positive if the
    player to move wins, negative if it loses, 0 for a draw. Columns that are full have none.
    """

    moves: str
    scores: dict[str, int]
    line: list[str]

    @property
    def score(self) -> int | None:
        """The score of the best move; None if the board is full."""
        return max(self.scores.values(), default=None)

    @property
    def best(self) -> list[str]:
        """The moves with the best score."""
        return [move for move, score in self.scores.items() if score == self.score]


def solve(position: str | State = "") -> Solution:
    """Solves a position of Connect-4, given by the columns played, such as `4453`, or a state."""
    if isinstance(position, State):
        _check_board(position)
        moves = "".join(position.history)
    elif isinstance(position, str):
        moves = position
    else:
        expected = "expected the columns played, such as '4453', or a state"
        raise TypeError(f"{expected}, found {position!r}")
    scores, line = _ludens.solve(moves)
    named = {str(i + 1): score for i, score in enumerate(scores) if score is not None}
    return Solution(moves, named, [str(column + 1) for column in line])


def _check_board(state: State) -> None:
    """Refuses what the solver does not cover."""
    if state.game.spec != "connect4":
        board = "connect4 with four in a row on 7 columns and 6 rows"
        raise Invalid(f"expected {board}, found {state.game.spec}")
    if json.loads(state.record).get("start") is not None:
        raise Invalid("expected a game that began with the empty board, found another start")
