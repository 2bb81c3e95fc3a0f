"""Self-play: what an agent meets when it plays against itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens import _ludens, checking
from ludens.arena import Progress
from ludens.choosing import AnyAgent, agent_text
from ludens.opening import AnyGame
from ludens.opening import game as open_game
from ludens.progress import Bar


@dataclass(frozen=True)
class SelfPlay:
    """The positions of self-play games, one after the other; one row a position."""

    cells: NDArray[np.uint8]
    """The boards as the player to move sees them."""
    masks: NDArray[np.bool_]
    """Which move ids are legal."""
    moves: NDArray[np.int64]
    """The ids of the moves that were played."""
    players: NDArray[np.int8]
    """The players to move."""
    outcomes: NDArray[np.float32]
    """What the player to move gained from there to the end of the game."""
    values: NDArray[np.float32]
    """What the agent expected; NaN if it holds no opinion."""
    games: NDArray[np.int64]
    """The number of the game."""
    rewards: NDArray[np.float32]
    """One row a game: what each player gained in all."""

    def __len__(self) -> int:
        return len(self.moves)

    def planes(self, values: int | None = None) -> NDArray[np.float32]:
        """The cells as one-hot planes: position, value of a cell, row, column."""
        count = int(self.cells.max()) + 1 if values is None else values
        found: NDArray[np.bool_] = self.cells[:, None] == np.arange(count)[:, None, None]
        return found.astype(np.float32)


def selfplay(
    game: AnyGame,
    agent: AnyAgent,
    games: int = 100,
    *,
    seed: int = 1,
    threads: int = 1,
    progress: Progress = False,
) -> SelfPlay:
    """Lets an agent play so many games against itself, and returns the positions as arrays.

    The same seed gives the same games, whatever the number of threads. For games that differ, take
    an agent that draws at random, such as `epsilon:epsilon=0.2,agent=(mcts)`.
    """
    wish: dict[str, Any] = {
        "agent": agent_text(agent),
        "games": checking.whole("games", games, 1, 10_000_000),
        "seed": checking.seed(seed),
        "threads": checking.threads(threads),
    }
    with Bar("playing", progress) as bar:
        return SelfPlay(**_ludens.selfplay(open_game(game), wish, bar.tell))
