"""Games as Gymnasium environments: one player learns, the others are agents of Ludens.

>>> from ludens import gymnasium
>>> env = gymnasium.GameEnv("2048")

Gymnasium's words are kept here, since its users know them: an action is a move id.
"""

from __future__ import annotations

import copy
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from ludens._ludens import Invalid, State
from ludens.opening import AnyGame
from ludens.opening import game as open_game
from ludens.pictures import rendered


class GameEnv(gymnasium.Env):
    """A game as one player sees it.

    The observation is the cells of the board as the player sees them; `info["action_mask"]` tells
    which actions are legal. An illegal one changes nothing and gains nothing, as in 2048 on a
    phone; `info["illegal"]` tells of it.
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        game: AnyGame,
        player: int = 0,
        opponent: str = "random",
        render_mode: str | None = None,
    ):
        self.game = open_game(game)
        if self.game.start().over:
            raise Invalid(f"nobody moves in {self.game.spec}: chance alone plays")
        if not 0 <= player < self.game.players:
            last = self.game.players - 1
            raise Invalid(f"there is no player {player}; they count from 0 to {last}")
        self.player, self.opponent, self.render_mode = player, opponent, render_mode
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
        self._let_others_play()
        return self._seen(), self._info(illegal=False)

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Plays a move, and what chance and the other players reply."""
        legal = not self.state.over and int(action) in self.state.legal_ids()
        gained = 0.0
        if legal:
            gained = self.state.play(int(action))[self.player] + self._let_others_play()
        if self.render_mode == "human":
            self.render()
        return self._seen(), gained, self.state.over, False, self._info(illegal=not legal)

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
        return {"action_mask": self.state.legal_mask().astype(np.int8), "illegal": illegal}
