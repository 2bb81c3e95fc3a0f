"""Games as Gymnasium environments: one player learns, the others are agents of Ludens.

>>> import gymnasium, ludens.gymnasium
>>> env = gymnasium.make("ludens/2048-v0")

`GameEnv` plays one game, `GameVectorEnv` many at once.

Gymnasium's words are kept here, since its users know them: an action is a move id.
"""

from __future__ import annotations

import copy
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ludens import checking
from ludens._ludens import Batch, Invalid, State
from ludens.choosing import AnyAgent, SeenBatch, agent_text
from ludens.gymnasium_ids import register_envs
from ludens.opening import AnyGame
from ludens.opening import game as open_game
from ludens.pictures import rendered
from ludens.value import Value

register_envs()


class GameEnv(gymnasium.Env[Any, Any]):
    """A game as one player sees it.

    The observation is the cells of the board as the player sees them; `info["action_mask"]` tells
    which actions are legal, and so does `action_masks()`, as sb3-contrib asks for it. An illegal
    action changes nothing and gains nothing, as in 2048 on a phone; `info["illegal"]` tells of it,
    and after `illegal_limit` of them in a row the episode is truncated.
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        game: AnyGame,
        player: int = 0,
        opponent: AnyAgent = "random",
        render_mode: str | None = None,
        illegal_limit: int | None = 100,
    ):
        self.game = open_game(game)
        if self.game.start().over:
            raise Invalid(f"nobody moves in {self.game.spec}: chance alone plays")
        if not 0 <= player < self.game.players:
            last = self.game.players - 1
            raise Invalid(f"there is no player {player}; they count from 0 to {last}")
        self.player, self.opponent, self.render_mode = player, agent_text(opponent), render_mode
        self.illegal_limit = checking.maybe("illegal_limit", illegal_limit, 1)
        self._illegal = 0
        values = max(self.game.cell_values)
        self.observation_space = spaces.Box(0, values - 1, self.game.shape, np.uint8)
        self.action_space = spaces.Discrete(self.game.moves)
        self.state: State = self.game.start()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins a new game; chance and the other players draw from `seed`."""
        super().reset(seed=seed)
        self.state = self.game.start(int(self.np_random.integers(2**63)))
        self._illegal = 0
        self._let_others_play()
        return self._seen(), self._info(illegal=False)

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Plays a move, and what chance and the other players reply."""
        legal = not self.state.over and int(action) in self.state.legal_ids()
        gained = 0.0
        if legal:
            gained = self.state.play(int(action))[self.player] + self._let_others_play()
        self._illegal = 0 if legal else self._illegal + 1
        truncated = self.illegal_limit is not None and self._illegal >= self.illegal_limit
        if self.render_mode == "human":
            self.render()
        return self._seen(), gained, self.state.over, truncated, self._info(illegal=not legal)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal."""
        return self.state.legal_mask()

    def render(self) -> Any:
        """Prints the board, or returns it as text or as an array of colours."""
        return rendered(self.state, self.render_mode)

    def clone(self) -> GameEnv:
        """A copy that goes its own way from here, with the same luck."""
        return copy.deepcopy(self)

    def _let_others_play(self) -> float:
        gained = 0.0
        while not self.state.over and self.state.player != self.player:
            luck = int(self.np_random.integers(2**63))
            gained += self.state.play(self.state.choose(self.opponent, luck))[self.player]
        return gained

    def _seen(self) -> Any:
        return self.state.cells(self.player)

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self.state.legal_mask().view(np.int8), "illegal": illegal}


def clone(env: gymnasium.Env[Any, Any]) -> gymnasium.Env[Any, Any]:
    """A copy of an environment, with all its wrappers, that goes its own way from here."""
    return copy.deepcopy(env)


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once, as one player sees them.

    What Gymnasium calls the autoreset mode is "next step": the action after the end of a game is
    ignored and begins a new one. An illegal action changes nothing; after `illegal_limit` of them
    in a row the episode is truncated. The other players move at random, by a learned value or by a
    `batch_agent`; any other agent is asked about each state by itself, which is slower.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: AnyGame,
        num_envs: int = 1,
        player: int = 0,
        opponent: AnyAgent = "random",
        illegal_limit: int | None = 100,
        render_mode: str | None = None,
    ):
        one = GameEnv(game, player, opponent, None, illegal_limit)
        self.game, self.player, self.illegal_limit = one.game, one.player, one.illegal_limit
        self.num_envs = checking.whole("num_envs", num_envs, 1, 1_000_000)
        self.render_mode = render_mode
        self.single_observation_space = one.observation_space
        self.single_action_space = one.action_space
        self.observation_space = batch_space(one.observation_space, self.num_envs)
        self.action_space = batch_space(one.action_space, self.num_envs)
        self.opponent = opponent if isinstance(opponent, Value) else one.opponent
        self._choose_many = getattr(opponent, "choose_many", None)
        self._illegal = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self.batch: Batch = self.game.batch()

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins new games; chance and the other players draw from `seed`."""
        super().reset(seed=seed)
        self.batch = self.game.batch(int(self.np_random.integers(2**63)))
        self.batch.add_starts(self.num_envs)
        self._illegal[:], self._ended[:] = 0, False
        self._let_others_play()
        return self._seen(), self._info(np.zeros(self.num_envs, np.bool_))

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays one move in every game, and what chance and the other players reply."""
        actions, mask = np.asarray(actions, np.int64), self.batch.legal()
        begins = self._ended
        known = (0 <= actions) & (actions < self.game.moves)
        legal = known & mask[np.arange(self.num_envs), np.where(known, actions, 0)] & ~begins
        self.batch.reset(begins)
        gained = self.batch.play(np.where(legal, actions, -1))[:, self.player]
        gained = gained + self._let_others_play()
        illegal = ~legal & ~begins
        self._illegal = np.where(illegal, self._illegal + 1, 0)
        over = (self.batch.players() < 0) & ~begins
        limit = np.inf if self.illegal_limit is None else self.illegal_limit
        truncated = (self._illegal >= limit) & ~over
        self._ended = over | truncated
        gained = np.where(begins, 0.0, gained).astype(np.float64)
        return self._seen(), gained, over, truncated, self._info(illegal)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, one row a game."""
        return self.batch.legal()

    def _let_others_play(self) -> NDArray[np.float32]:
        gained = np.zeros(self.num_envs, np.float32)
        while True:
            players = self.batch.players()
            waiting = (players >= 0) & (players != self.player)
            if not waiting.any():
                return gained
            gained += self.batch.play(np.where(waiting, self._replies(waiting), -1))[:, self.player]

    def _replies(self, waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        """What the other players play where they are to move."""
        if isinstance(self.opponent, Value):
            values = self.opponent.move_values(self.batch)
            return _best(np.nan_to_num(values, nan=-np.inf))
        if self.opponent == "random":
            draws = self.np_random.random((self.num_envs, self.game.moves))
            return _best(np.where(self.batch.legal(), draws, -1.0))
        replies = np.full(self.num_envs, -1, np.int64)
        if self._choose_many is not None:
            states = self.batch[waiting]
            seen = SeenBatch(states.cells(), states.legal(), states.players())
            replies[waiting] = np.asarray(self._choose_many(seen))
            return replies
        for index in np.flatnonzero(waiting):
            state = self.batch[int(index)]
            chosen = state.choose(self.opponent, int(self.np_random.integers(2**63)))
            replies[index] = state.legal_ids()[state.legal_moves().index(chosen)]
        return replies

    def _seen(self) -> Any:
        return self.batch.cells(self.player)

    def _info(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        # As Gymnasium has it, a second entry tells which games have the first one.
        told = np.ones(self.num_envs, np.bool_)
        mask = self.batch.legal().view(np.int8)
        return {"action_mask": mask, "_action_mask": told, "illegal": illegal, "_illegal": told}


def _best(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """The column with the largest number of each row."""
    columns: NDArray[np.int64] = numbers.argmax(axis=1)
    return columns
