"""Games written in Python."""

from __future__ import annotations

import ast
import inspect
import operator
import re
from collections.abc import Hashable, Sequence
from typing import Any

from ludens import _ludens, checking
from ludens._ludens import Game, Invalid

CHANCE = "chance"
"""What `Rules.turn` returns when chance acts."""


class Rules:
    """The rules of a game: write a subclass, and it can be learned, played and measured.

    Set `name`, `players`, `moves`, `shape` and `cell_values`, and write `start`, `turn`,
    `legal_moves`, `play` and `cells`; games with chance also `events` and `resolve`. A state is any
    value that can be hashed and never changes, such as a tuple. `ludens.check_game` tells whether
    all promises are kept.
    """

    name: str
    """A word of small letters, digits and dashes."""
    title: str | None = None
    """The name people use; unless it is given, made from `name`."""
    players: int = 2
    """How many players, 1 to 4."""
    moves: int
    """How many move ids there are; they count from 0."""
    shape: tuple[int, int]
    """Rows and columns of cells."""
    cell_values: int | Sequence[int] = 3
    """How many values a cell can take: one number for all, or one for each."""
    chance: bool | None = None
    """Whether chance acts; unless it is given, whether the class writes `events`."""
    symmetries: Sequence[Sequence[int]] = ()
    """Permutations of the cells that change nothing: cell i is carried to cell symmetry[i]."""

    def start(self) -> Hashable:
        """The state before the first turn."""
        raise self._missing("start")

    def turn(self, state: Any) -> int | str | None:
        """Who acts: a player, counted from 0; `CHANCE`; or None if the game is over."""
        raise self._missing("turn")

    def legal_moves(self, state: Any) -> Sequence[int]:
        """The ids of the legal moves; asked only on players' turns, when there is at least one."""
        raise self._missing("legal_moves")

    def play(self, state: Any, move: int) -> tuple[Hashable, Sequence[float] | None]:
        """The state after a legal move, and what each player gained; None if nobody did."""
        raise self._missing("play")

    def cells(self, state: Any, player: int) -> Sequence[int]:
        """The value of each cell, row by row, as a player sees it, such as 1 for its own stones."""
        raise self._missing("cells")

    def events(self, state: Any) -> Sequence[tuple[int, float]]:
        """What chance may draw: event ids and their probabilities."""
        raise self._missing("events")

    def resolve(self, state: Any, event: int) -> tuple[Hashable, Sequence[float] | None]:
        """The state after an event, and what each player gained; None if nobody did."""
        raise self._missing("resolve")

    def features(self, state: Any, player: int) -> Sequence[float]:
        """Numbers that say something about a state, for linear values and networks."""
        raise self._missing("features")

    def map_move(self, symmetry: int, move: int) -> int:
        """What a move becomes under a symmetry; as it is written here, moves are cells."""
        return self._symmetries[symmetry][move]

    def map_event(self, symmetry: int, event: int) -> int:
        """What an event becomes under a symmetry."""
        return event

    def move_text(self, state: Any, move: int) -> str:
        """How players write a move."""
        return str(move)

    def event_text(self, state: Any, event: int) -> str:
        """How an event is written."""
        return str(event)

    def state_text(self, state: Any) -> str:
        """A state in one line; `parse_state` reads it back."""
        return repr(state)

    def parse_state(self, text: str) -> Hashable:
        """The state that a line describes."""
        state: Hashable = ast.literal_eval(text)
        return state

    def cell_move(self, cell: int) -> int | None:
        """The move that pointing at a cell means; without it, buttons offer the moves.

        As it is written here, moves are cells if there are as many of both.
        """
        return cell if self.moves == self.shape[0] * self.shape[1] else None

    def glyph(self, value: int) -> str:
        """The character that stands for the value of a cell."""
        return ".xo*+#@%"[value] if value < 8 else chr(ord("A") + value % 26)

    def parameters(self) -> Any:
        """What tells these rules from others of the same class: all attributes of the object.

        Two objects of one class with equal parameters are the same game.
        """
        return dict(vars(self))

    def _missing(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} does not write {method}")

    @property
    def _symmetries(self) -> list[list[int]]:
        cells = self.shape[0] * self.shape[1]
        identity = list(range(cells))
        others = [list(symmetry) for symmetry in self.symmetries if list(symmetry) != identity]
        return [identity, *others]


def add(rules: Rules) -> Game:
    """Makes rules known by their name, as `python:NAME`, and opens them as a game.

    A name stands for one game: other rules of the same name are refused. A class that was defined
    again, as in a notebook, replaces the old one.
    """
    name = getattr(rules, "name", None)
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9-]+", name):
        raise Invalid(f"name: expected small letters, digits and dashes, found {name!r}")
    missing = [key for key in ("moves", "shape") if not hasattr(rules, key)]
    if missing:
        raise Invalid(f"{name}: expected {' and '.join(missing)}")
    known = _ludens.known_rules(name)
    if known is None or not _is_same(known, rules):
        if known is not None and not _is_defined_again(known, rules):
            raise Invalid(
                f"two different games are called {name!r}: {_described(known)} and "
                f"{_described(rules)}; give each its own name, such as "
                "self.name = f'grid-{size}' in __init__"
            )
        _ludens.add_rules(name, _about(rules), rules)
    return _ludens.game(f"python:{name}")


def check_current(game: Game) -> Game:
    """Refuses a game whose class was defined again since: its name stands for the new rules."""
    rules = game.rules
    if rules is not None and _ludens.known_rules(rules.name) is not rules:
        raise Invalid(
            f"{rules.name}: its class was defined again, and the name stands for the new rules; "
            "open the game again"
        )
    return game


def _is_same(known: Rules, rules: Rules) -> bool:
    """Whether two objects are the same rules."""
    if known is rules:
        return True
    try:
        return type(known) is type(rules) and bool(known.parameters() == rules.parameters())
    except Exception:
        # Parameters that cannot be compared, such as arrays, are not known to be equal.
        return False


def _is_defined_again(known: Rules, rules: Rules) -> bool:
    """Whether the class of the rules is a new definition of the known one."""
    old, new = type(known), type(rules)
    named = (old.__module__, old.__qualname__) == (new.__module__, new.__qualname__)
    return named and old is not new


def _described(rules: Rules) -> str:
    return f"{type(rules).__name__} with {rules.parameters()!r}"


def check_game(rules: Rules | Game | str, games: int = 50) -> None:
    """Plays random games and checks every promise of the rules.

    The first one that is broken is explained by an `Invalid`, with the state that shows it.
    """
    from ludens.opening import game

    opened = game(rules)
    opened.check(checking.whole("games", games, 1))
    # What people see is called by nobody else.
    str(opened.start())


def _about(rules: Rules) -> dict[str, Any]:
    try:
        height, width = map(operator.index, rules.shape)
    except (TypeError, ValueError):
        expected = "rows and columns of cells, such as (3, 3)"
        raise Invalid(f"shape: expected {expected}, found {rules.shape!r}") from None
    values = rules.cell_values
    if not 0 < height * width <= 10_000:
        raise Invalid(f"shape: expected 1 to 10000 cells, found {height} rows of {width}")
    listed = [values] * (height * width) if isinstance(values, int) else list(values)
    return {
        "players": checking.whole("players", rules.players),
        "moves": checking.whole("moves", rules.moves),
        "chance": _writes(rules, "events") if rules.chance is None else bool(rules.chance),
        "shape": (height, width),
        "cell_values": [checking.whole("cell_values", value, 1, 255) for value in listed],
        "symmetries": rules._symmetries,
        "title": rules.title or rules.name.replace("-", " ").capitalize(),
        "about": (inspect.getdoc(rules) or "A game written in Python.").splitlines()[0],
        "features": len(rules.features(rules.start(), 0)) if _writes(rules, "features") else 0,
    }


def _writes(rules: Rules, method: str) -> bool:
    """Whether a subclass has written a method."""
    return getattr(type(rules), method) is not getattr(Rules, method)
