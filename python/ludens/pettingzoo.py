"""Games as PettingZoo environments (AEC), for any number of players.

>>> from ludens import pettingzoo
>>> env = pettingzoo.env("connect4")

PettingZoo's words are kept here, since its users know them: an agent is a player, an action a move
id. What a player observes is the cells of the board as it sees them, and which actions are legal.
"""

from __future__ import annotations

import copy
import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludens._ludens import Game, Invalid, State
from ludens.opening import AnyGame
from ludens.opening import game as open_game
from ludens.pictures import rendered


def env(game: AnyGame, render_mode: str | None = None) -> AECEnv:
    """A game that complains about steps out of order, and in which illegal moves lose."""
    checked = _TerminateIllegal(raw_env(game, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv):
    """A game as it is; an illegal move is an exception."""

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "is_parallelizable": False}

    def __init__(self, game: AnyGame, render_mode: str | None = None):
        super().__init__()
        self.game = open_game(game)
        if self.game.start().over:
            raise Invalid(f"nobody moves in {self.game.spec}: chance alone plays")
        self.metadata = {**raw_env.metadata, "name": f"ludens_{self.game.spec}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{i}" for i in range(self.game.players)]
        self.agents = list(self.possible_agents)
        self.observation_spaces = {agent: _observations(self.game) for agent in self.agents}
        self.action_spaces = {agent: spaces.Discrete(self.game.moves) for agent in self.agents}
        self._luck = np.random.default_rng()
        self.state_now: State = self.game.start()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The cells and the legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The move ids."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; chance draws from `seed`."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.state_now = self.game.start(int(self._luck.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def observe(self, agent: str) -> dict[str, Any]:
        """The cells as `agent` sees them; only who is to move has legal actions."""
        if agent == self.agent_selection:
            mask = self.state_now.legal_mask().view(np.int8)
        else:
            mask = np.zeros(self.game.moves, np.int8)
        seat = self.possible_agents.index(agent)
        return {"observation": self.state_now.cells(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays a move, and chance's reply."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Invalid("expected an action: the game is not over")
        gained = self.state_now.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, gained))
        if self.state_now.over:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._to_move()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Prints the board, or returns it as text or as an array of colours."""
        return rendered(self.state_now, self.render_mode)

    def close(self) -> None:
        """Nothing is left open."""

    def clone(self) -> raw_env:
        """A copy that goes its own way from here, with the same luck."""
        return copy.deepcopy(self)

    def _to_move(self) -> str:
        player = self.state_now.player
        if player is None:
            seat = self.possible_agents.index(self.agent_selection)
            return self.possible_agents[(seat + 1) % len(self.possible_agents)]
        return self.possible_agents[player]


class _TerminateIllegal(wrappers.TerminateIllegalWrapper):
    """The wrapper of PettingZoo, with properties for what it reads several times in a step."""


for _name in ["agent_selection", "agents", "infos", "rewards", "terminations", "truncations"]:
    setattr(_TerminateIllegal, _name, property(operator.attrgetter(f"env.{_name}")))


def _observations(game: Game) -> spaces.Space[Any]:
    values = max(game.cell_values)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, values - 1, game.shape, np.uint8),
            "action_mask": spaces.Box(0, 1, (game.moves,), np.int8),
        }
    )
