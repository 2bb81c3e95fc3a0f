"""Agents: named by a text, by what was learned, or written in Python."""

from __future__ import annotations

import itertools
import random
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludens import _ludens, checking
from ludens._ludens import Invalid, State

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Seen:
    """What an agent written in Python sees of a game."""

    state: str
    """The state in one line."""
    start: str
    """The state that the game began with."""
    history: list[str]
    """What was played so far; chance's draws are in brackets."""
    legal: Mapping[str, int]
    """The legal moves as players write them, and their ids."""
    player: int
    """The player to move, counted from 0."""
    cells: NDArray[np.uint8]
    """The board as the player to move sees it, in rows and columns."""
    mask: NDArray[np.bool_]
    """Which of all move ids are legal."""


@dataclass(frozen=True)
class SeenBatch:
    """What an agent written in Python sees of many states at once; one row a state."""

    cells: NDArray[np.uint8]
    """The boards as the players to move see them."""
    masks: NDArray[np.bool_]
    """Which of all move ids are legal."""
    players: NDArray[np.int8]
    """The players to move, counted from 0."""


class HasAgent(Protocol):
    """Something that plays, such as a `Value`, a `Run` or an `Agent`."""

    @property
    def agent(self) -> str:
        """The text that opens the agent."""
        ...


Chooser = Callable[[Seen], Union[str, int]]
BatchChooser = Callable[[SeenBatch], ArrayLike]
AnyAgent = Union[str, HasAgent, Chooser]
"""An agent as text, a learned value, a run, an `Agent` or a function that picks moves."""

_known: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


class Agent:
    """An agent as an object.

    >>> agent = Agent("mcts:iterations=200")
    >>> agent.choose(ludens.game("connect4").start())
    """

    def __init__(self, source: AnyAgent, seed: int = 0):
        self.agent = agent_text(source)
        """The text that opens this agent."""
        self.seed = checking.seed(seed)
        self.choose_many: BatchChooser | None = getattr(source, "choose_many", None)
        """Picks moves in many states at once, if the agent was made by `batch_agent`."""
        self._source = source
        self._luck = random.Random(self.seed)

    def choose(self, state: State) -> str:
        """The move that the agent plays in a state."""
        return state.choose(self.agent, self._luck.getrandbits(64))

    def policy(self, state: State) -> dict[str, float]:
        """The probability of each legal move: shares of visits, or 1 for the move it chooses."""
        return state.policy(self.agent, self._luck.getrandbits(64))

    def move_values(self, state: State) -> dict[str, float] | None:
        """What the agent thinks of each legal move; None if it holds no opinion."""
        return state.move_values(self.agent, self._luck.getrandbits(64))

    def reset(self) -> None:
        """Begins the random numbers anew; a source that has `reset` is reset as well."""
        self._luck = random.Random(self.seed)
        reset = getattr(self._source, "reset", None)
        if callable(reset):
            reset()

    def __str__(self) -> str:
        return self.agent

    def __repr__(self) -> str:
        return f"ludens.Agent({self.agent!r})"


def agent(choose: Chooser, name: str | None = None) -> Agent:
    """Makes a function that picks moves an agent.

    >>> first = agent(lambda seen: min(seen.legal.values()), "first")
    >>> ludens.match("tictactoe", first, "random")
    """
    name = name or f"agent-{next(_numbers)}"

    def chosen(
        state: str,
        start: str,
        history: list[str],
        legal: list[tuple[str, int]],
        player: int,
        board: tuple[bytes, tuple[int, int], int],
    ) -> int:
        data, shape, moves = board
        mask = np.zeros(moves, np.bool_)
        mask[[number for _, number in legal]] = True
        cells = np.frombuffer(data, np.uint8).reshape(shape)
        seen = Seen(state, start, history, dict(legal), player, cells, mask)
        move = choose(seen)
        if isinstance(move, str):
            if move not in seen.legal:
                raise Invalid(f"{move!r} is not legal here; legal: {' '.join(seen.legal)}")
            return seen.legal[move]
        return int(move)

    _ludens.add_agent(name, chosen)
    return Agent(f"python:{name}")


def batch_agent(choose: BatchChooser, name: str | None = None) -> Agent:
    """Makes a function that picks moves in many states at once an agent.

    It is called with a `SeenBatch` and returns one move id a state. `GameVectorEnv` asks it once
    about all games that wait for it; elsewhere agents are asked about one state at a time.

    >>> first = batch_agent(lambda seen: seen.masks.argmax(axis=1), "first-of-many")
    >>> ludens.gymnasium.GameVectorEnv("connect4", num_envs=64, opponent=first)
    """

    def chosen(seen: Seen) -> int:
        players = np.array([seen.player], np.int8)
        moves = np.asarray(choose(SeenBatch(seen.cells[None], seen.mask[None], players)))
        if moves.shape != (1,):
            raise Invalid(f"expected one move id a state, found an array of shape {moves.shape}")
        return int(moves[0])

    made = agent(chosen, name)
    made.choose_many = choose
    return made


def agent_text(source: AnyAgent) -> str:
    """The text that opens an agent; a learned value plays the move that it values most."""
    if isinstance(source, str):
        return source
    named = getattr(source, "agent", None)
    if isinstance(named, str):
        return named
    if callable(source):
        return _text_of(source)
    expected = "an agent as text, a learned value, a run, an Agent or a function"
    raise TypeError(f"expected {expected}, found {source!r}")


def _text_of(choose: Chooser) -> str:
    """The text of a function, which is made an agent once."""
    try:
        if choose not in _known:
            _known[choose] = agent(choose).agent
        return _known[choose]
    except TypeError:
        # Some callable objects can be neither hashed nor referred to weakly.
        return agent(choose).agent
