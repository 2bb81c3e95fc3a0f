"""Value functions written in Python, such as neural networks, for the searches of Ludens."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens import _ludens
from ludens._ludens import Invalid

_numbers = itertools.count(1)


class Evaluator:
    """A function that evaluates many states at once, as a value function of search agents.

    It is called with `cells`, an array of states, rows and columns, as the player to move sees
    them, and with `players`, who is to move in each. It returns what the player to move expects to
    gain from each state on: one number a state, or one row a state with one number a player. Of
    two players, the other one expects the opposite. For tree search it may also return priors: one
    row a state with one number of at least 0 for each move id. The interpreter lock is taken once
    for each call.

    >>> evaluator = Evaluator(lambda cells, players: cells.mean(axis=(1, 2)))
    >>> ludens.match("connect4", evaluator.mcts(iterations=100), "random")
    """

    def __init__(self, evaluate: Callable[[Any, Any], Any], name: str | None = None):
        self.name = name or f"evaluator-{next(_numbers)}"
        self._evaluate = evaluate
        _ludens.add_evaluator(self.name, self._checked)

    @property
    def agent(self) -> str:
        """The text of the agent that plays the move with the best value."""
        return self.greedy()

    def greedy(self) -> str:
        """The text of the agent that plays the move with the best value."""
        return f"greedy:value=({self.value})"

    def alphabeta(self, depth: int = 2, **settings: Any) -> str:
        """The text of alpha-beta search with this evaluator at the leaves."""
        return _written("alphabeta", {"depth": depth, **settings, "value": f"({self.value})"})

    def mcts(self, iterations: int = 100, **settings: Any) -> str:
        """The text of tree search with this evaluator: PUCT, with its priors if it has some."""
        chosen = {"iterations": iterations, **settings, "value": f"({self.value})"}
        return _written("mcts", chosen)

    @property
    def value(self) -> str:
        """The text that stands for this evaluator as the setting `value` of an agent."""
        return f"python:{self.name}"

    def _checked(
        self, cells: NDArray[np.uint8], players: NDArray[np.uint8], seats: int, moves: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        found = self._evaluate(cells, players)
        values, priors = found if isinstance(found, tuple) else (found, None)
        return _values(values, players, seats), _priors(priors, len(players), moves)

    def __repr__(self) -> str:
        return f"<evaluator {self.name}>"


def _written(agent: str, settings: dict[str, Any]) -> str:
    words = (f"{key.replace('_', '-')}={value}" for key, value in settings.items())
    return f"{agent}:{','.join(words)}"


def _values(found: Any, players: NDArray[np.uint8], seats: int) -> NDArray[np.float32]:
    """One row a state, one number a player."""
    values = np.asarray(found, np.float32)
    count = len(players)
    if values.shape == (count, seats):
        return np.ascontiguousarray(values)
    if values.shape in ((count,), (count, 1)) and seats <= 2:
        own = values.reshape(count)
        rows = np.repeat(-own[:, None], seats, axis=1)
        rows[np.arange(count), players] = own
        return rows
    expected = f"{count} numbers, or {count} rows of {seats}"
    if seats > 2:
        expected = f"{count} rows of {seats} numbers"
    raise Invalid(f"evaluator: expected {expected}, found an array of shape {values.shape}")


def _priors(found: Any, count: int, moves: int) -> NDArray[np.float32] | None:
    if found is None:
        return None
    priors = np.ascontiguousarray(found, np.float32)
    if priors.shape != (count, moves) or not (priors >= 0).all():
        expected = f"priors of at least 0 in {count} rows of {moves}"
        raise Invalid(f"evaluator: expected {expected}, found an array of shape {priors.shape}")
    return priors
