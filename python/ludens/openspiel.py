"""OpenSpiel, both ways: its games learned and measured here, agents of either side in the other.

>>> from ludens import openspiel
>>> game = openspiel.game("breakthrough(rows=5,columns=5)")
>>> run = ludens.train(game, episodes=1_000)

OpenSpiel's words are kept where its users meet them: a bot is an agent, an action a move id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel

import ludens
from ludens import agent as add_agent
from ludens._ludens import Game, Invalid, State
from ludens.choosing import Agent, AnyAgent, agent_text
from ludens.rules import CHANCE, Rules
from ludens.spiel_cells import CellReader, tensor

NATIVE = {"connect_four": "connect4", "tic_tac_toe": "tictactoe"}
"""Games that Ludens has as well, with the same move ids: agents for those play much faster."""

_START = "start"


class Position:
    """A state of OpenSpiel that never changes.

    Two are equal if they look the same and the same player is to move, as in OpenSpiel's own
    value iteration.
    """

    __slots__ = ("key", "spiel")

    def __init__(self, spiel: pyspiel.State):
        self.spiel = spiel
        self.key = (str(spiel), int(spiel.current_player()))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key

    def __repr__(self) -> str:
        return ",".join(map(str, self.spiel.history()))

    def after(self, action: int) -> Position:
        """The state after an action or an event."""
        child = self.spiel.clone()
        child.apply_action(action)
        return Position(child)


class SpielRules(Rules):
    """A sequential game of OpenSpiel with perfect information, chance included.

    Cells are read from the observation tensor. If it has three dimensions, they are the places of
    a board, and what all planes say about a place is its value; otherwise they are the numbers of
    the tensor. The values that occur are found in random games; `cells` lists all numbers instead,
    and `shape` gives rows and columns where they cannot be recognised. The tensor itself is there
    for linear values and networks, as the features `rules`.
    """

    def __init__(
        self,
        spiel: str | pyspiel.Game,
        cells: Sequence[float] | None = None,
        shape: tuple[int, int] | None = None,
    ):
        self.spiel = pyspiel.load_game(spiel) if isinstance(spiel, str) else spiel
        _check(self.spiel)
        self.name = re.sub(r"[^a-z0-9]+", "-", str(self.spiel).lower()).strip("-")
        self.players = self.spiel.num_players()
        self.moves = self.spiel.num_distinct_actions()
        self.chance = self.spiel.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
        self._choice = (None if cells is None else tuple(cells), shape)
        self._reader = CellReader(self.spiel, cells, shape)
        self.shape = self._reader.shape
        self.cell_values = self._reader.cell_values

    def parameters(self) -> Any:
        """The game of OpenSpiel with its parameters, and how its cells are read."""
        return str(self.spiel), self._choice

    def __reduce__(self) -> tuple[Any, ...]:
        return SpielRules, (str(self.spiel), *self._choice)

    def start(self) -> Position:
        """The state before the first turn."""
        return Position(self.spiel.new_initial_state())

    def turn(self, state: Position) -> int | str | None:
        """Who acts."""
        if state.spiel.is_terminal():
            return None
        return CHANCE if state.spiel.is_chance_node() else int(state.spiel.current_player())

    def legal_moves(self, state: Position) -> list[int]:
        """The legal actions."""
        return list(state.spiel.legal_actions())

    def play(self, state: Position, move: int) -> tuple[Position, list[float]]:
        """The state after an action, and what was gained."""
        return self._followed(state, move)

    def events(self, state: Position) -> list[tuple[int, float]]:
        """What chance may draw."""
        return list(state.spiel.chance_outcomes())

    def resolve(self, state: Position, event: int) -> tuple[Position, list[float]]:
        """The state after an event, and what was gained."""
        return self._followed(state, event)

    def cells(self, state: Position, player: int) -> Any:
        """What stands on each place, or the numbers of the tensor."""
        return self._reader.read(tensor(state.spiel, player))

    def features(self, state: Position, player: int) -> list[float]:
        """The observation tensor."""
        return list(map(float, tensor(state.spiel, player)))

    def move_text(self, state: Position, move: int) -> str:
        """An action as OpenSpiel writes it."""
        return str(state.spiel.action_to_string(state.spiel.current_player(), move))

    def state_text(self, state: Position) -> str:
        """What was played so far."""
        return repr(state) or _START

    def parse_state(self, text: str) -> Position:
        """The state after what was played."""
        spiel = self.spiel.new_initial_state()
        for action in [] if text == _START else text.split(","):
            if spiel.is_terminal() or int(action) not in spiel.legal_actions():
                raise Invalid(f"{action} cannot be played after {spiel.history()}")
            spiel.apply_action(int(action))
        return Position(spiel)

    def _followed(self, state: Position, action: int) -> tuple[Position, list[float]]:
        after = state.after(action)
        sums = zip(after.spiel.returns(), state.spiel.returns())
        return after, [later - earlier for later, earlier in sums]


def game(
    spiel: str | pyspiel.Game,
    cells: Sequence[float] | None = None,
    shape: tuple[int, int] | None = None,
) -> Game:
    """A game of OpenSpiel as a game of Ludens; `SpielRules` tells what the arguments mean."""
    return ludens.game(SpielRules(spiel, cells, shape))


def bot_agent(bot: pyspiel.Bot | Callable[[], pyspiel.Bot], spiel: str | pyspiel.Game) -> Agent:
    """Makes a bot of OpenSpiel an agent of Ludens."""
    rules = SpielRules(spiel)
    player: Any = bot if isinstance(bot, pyspiel.Bot) else bot()

    def choose(seen: ludens.Seen) -> int:
        if not seen.history:
            player.restart()
        return int(player.step(rules.parse_state(seen.state).spiel))

    return add_agent(choose)


class LudensBot(pyspiel.Bot):
    """An agent of Ludens as a bot of OpenSpiel."""

    def __init__(self, spiel: str | pyspiel.Game, agent: AnyAgent, seed: int = 0):
        pyspiel.Bot.__init__(self)
        loaded = pyspiel.load_game(spiel) if isinstance(spiel, str) else spiel
        native = NATIVE.get(str(loaded).removesuffix("()"))
        self.native = ludens.game(native) if native else None
        self.game = self.native or game(loaded)
        self.agent = agent_text(agent)
        self.luck = np.random.default_rng(seed)

    def step(self, state: pyspiel.State) -> int:
        """The action that the agent chooses."""
        now = self._state(state)
        chosen = now.choose(self.agent, int(self.luck.integers(2**63)))
        return dict(zip(now.legal_moves(), now.legal_ids()))[chosen]

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """The action, and a policy that is sure of it."""
        action = self.step(state)
        return [(legal, float(legal == action)) for legal in state.legal_actions()], action

    def provides_policy(self) -> bool:
        """Every action is chosen, none is weighed."""
        return True

    def restart(self) -> None:
        """Nothing is remembered from move to move."""

    def restart_at(self, state: pyspiel.State) -> None:
        """Nothing is remembered from move to move."""

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        """Nothing is remembered from move to move."""

    def _state(self, state: pyspiel.State) -> State:
        if self.native is None:
            return self.game.state(",".join(map(str, state.history())) or _START)
        now = self.native.start()
        for action in state.history():
            now.play(int(action))
        return now


def _check(spiel: pyspiel.Game) -> None:
    kind = spiel.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise Invalid(f"{spiel}: expected a game in which players move in turn")
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise Invalid(f"{spiel}: expected a game of perfect information")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise Invalid(f"{spiel}: expected chance that lists its outcomes")
    if not kind.provides_observation_tensor:
        raise Invalid(f"{spiel}: expected a game with observation tensors")
