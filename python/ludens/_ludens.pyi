"""What the package is made of; see crates/python."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludens.choosing import AnyAgent
from ludens.rules import Rules

__all__ = [
    "Batch",
    "Failed",
    "Game",
    "Invalid",
    "Learning",
    "Player",
    "Site",
    "State",
    "Value",
    "about_value",
    "add_agent",
    "add_evaluator",
    "add_rules",
    "agent_names",
    "begin_run",
    "check_run",
    "close",
    "command",
    "contest",
    "curve_svg",
    "game",
    "game_names",
    "known_rules",
    "list_rules",
    "measure",
    "resume_run",
    "selfplay",
    "solve",
    "tournament",
    "value_path",
    "write_value",
]

class Invalid(ValueError):
    """The call is invalid: no such game, a number out of range, an illegal move."""

class Failed(RuntimeError):
    """The call is valid, but it did not succeed."""

@final
class Game:
    """The rules of a game, with its settings."""

    @property
    def spec(self) -> str:
        """The shortest text that opens this game with these settings."""
    @property
    def title(self) -> str:
        """The name people use."""
    @property
    def players(self) -> int:
        """How many players."""
    @property
    def chance(self) -> bool:
        """Whether chance acts."""
    @property
    def moves(self) -> int:
        """One more than the largest move id."""
    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of cells."""
    @property
    def cell_values(self) -> list[int]:
        """How many values each cell can take."""
    @property
    def symmetries(self) -> int:
        """How many symmetries the board has, the identity included."""
    @property
    def rules(self) -> Rules | None:
        """The object whose rules these are; None if they are not written in Python."""
    def start(self, seed: int = 0) -> State:
        """A game at its beginning. Chance draws from `seed`."""
    def state(self, text: str, seed: int = 0) -> State:
        """The state that `text` describes, as a new start."""
    def replay(self, record: str, seed: int = 0) -> State:
        """The state after what a record, a line of JSON, says."""
    def batch(self, seed: int = 0) -> Batch:
        """No state yet, and room for many. Chance draws from `seed`."""
    def value(self, path: str) -> Value:
        """The learned value in a file."""
    def perft(self, depth: int) -> int:
        """How many sequences of `depth` turns there are."""
    def playthrough(self, seed: int = 0) -> str:
        """One random game written out."""
    def check(self, games: int = 20) -> None:
        """Runs the conformance tests on so many random games."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class State:
    """A game that somebody is playing: a state, how it came about, and what can be played next."""

    @property
    def player(self) -> int | None:
        """Who is to move, counted from 0; None if the game is over."""
    @property
    def over(self) -> bool:
        """Whether the game is over."""
    @property
    def rewards(self) -> list[float]:
        """What each player has gained so far."""
    @property
    def history(self) -> list[str]:
        """What was played so far; chance's draws are in brackets."""
    @property
    def text(self) -> str:
        """The state in one line; `Game.state` reads it back."""
    @property
    def game(self) -> Game:
        """The game that is played, as `ludens.game` opens it."""
    @property
    def record(self) -> str:
        """What was played from which start, as a line of JSON; `Game.replay` reads it back."""
    @property
    def chance_stream(self) -> str:
        """The random stream of chance, as JSON."""
    def set_chance_stream(self, stream: str) -> None:
        """From now on chance draws from this stream, as `chance_stream` tells it."""
    def legal_moves(self) -> list[str]:
        """The legal moves as players write them."""
    def legal_ids(self) -> list[int]:
        """The ids of the legal moves, ascending, in the order of `legal_moves`."""
    def legal_mask(self) -> NDArray[np.bool_]:
        """Which of all move ids are legal, as an array of bools."""
    def play(self, move: str | int) -> list[float]:
        """Plays a move and returns what each player gained, chance's reply included."""
    def undo(self) -> bool:
        """Takes back the last move and what chance replied. False if there is none."""
    def cells(self, player: int | None = None) -> NDArray[np.uint8]:
        """The cells as `player` sees them; if none is named, as the player to move does."""
    def batch(self) -> Batch:
        """This state alone, as a batch."""
    def choose(self, agent: AnyAgent, seed: int = 0) -> str:
        """What an agent would play here."""
    def policy(self, agent: AnyAgent, seed: int = 0) -> dict[str, float]:
        """The probability with which an agent would play each legal move.

        From the visits of a tree search; otherwise the agent's choice has probability 1.
        """
    def move_values(self, agent: AnyAgent, seed: int = 0) -> dict[str, float] | None:
        """What an agent thinks of each legal move; None if it holds no opinion."""
    def copy(self) -> State:
        """A copy that goes its own way from here, with the same luck."""
    def __copy__(self) -> State: ...
    def __deepcopy__(self, _memo: Any) -> State: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int:
        """Raises a `TypeError`: states change. Hash their text."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_svg_(self) -> str: ...

@final
class Batch:
    """Many states of one game, side by side: what is asked of all of them costs one call."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> State: ...
    @overload
    def __getitem__(
        self, index: slice | Sequence[int] | NDArray[np.integer[Any]] | NDArray[np.bool_], /
    ) -> Batch: ...
    @property
    def game(self) -> Game:
        """The game whose states these are."""
    def add_starts(self, count: int = 1) -> None:
        """Adds `count` games at their beginning."""
    def add_random(self, count: int) -> None:
        """Adds `count` states on players' turns, met in random games."""
    def add(self, texts: Sequence[str]) -> None:
        """Adds states, given by their texts."""
    def texts(self) -> list[str]:
        """The states, each in one line."""
    def players(self) -> NDArray[np.int8]:
        """Who is to move in each state, counted from 0; -1 where the game is over."""
    def cells(self, player: int | None = None) -> NDArray[np.uint8]:
        """The cells of all states as `player` sees them; else as the player to move does."""
    def planes(self, player: int | None = None) -> NDArray[np.float32]:
        """The cells of all states as one-hot planes, one plane for each value of a cell."""
    def legal(self) -> NDArray[np.bool_]:
        """For all states and move ids whether the move is legal."""
    def play(self, moves: ArrayLike, reset: bool = False) -> NDArray[np.float32]:
        """Plays one move id in every state that is not over; returns what each player gained.

        Where the id is -1, the state stays as it is. With `reset`, a new game begins wherever one
        has ended.
        """
    def reset(self, chosen: ArrayLike | slice | None = None) -> None:
        """Begins new games in the states that a mask or indices name; else where one has ended."""
    @property
    def chance_streams(self) -> str:
        """The random streams of all states, as JSON."""
    def set_chance_streams(self, streams: str) -> None:
        """From now on chance draws from these streams, as `chance_streams` tells them."""
    def copy(self) -> Batch:
        """A copy that goes its own way from here, with the same luck."""
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, _memo: Any) -> Batch: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Value:
    """What states and moves are worth, as learned."""

    def values(self, batch: Batch) -> NDArray[np.float32]:
        """What each player expects to gain from each state on."""
    def move_values(self, batch: Batch) -> NDArray[np.float32]:
        """What each move id is worth to the player to move; NaN if it is not legal."""
    def repeat_values(self, batch: Batch, times: int) -> None:
        """Does what `values` does so many times within Rust, to measure what Python costs."""

@final
class Site:
    """The page of Ludens on a port of this machine."""

    def __new__(cls, listen: str, port: int, runs: str | PathLike[str]) -> Site: ...
    @property
    def url(self) -> str:
        """Where the page is, with the token if one is needed."""
    def run(self) -> None:
        """Answers requests until it is stopped or somebody presses Ctrl-C."""
    def stop(self) -> None:
        """Lets `run` come to its end."""

@final
class Player:
    """Plays games for a run that learns elsewhere, with the weights that it is told."""

    def __new__(cls, plan: str) -> Player: ...
    def set_weights(self, weights: NDArray[np.float32]) -> None:
        """Takes over all weights."""
    def change_weights(self, indices: NDArray[np.uint32], values: NDArray[np.float32]) -> None:
        """Takes over the weights that have changed."""
    def play(self, first: int, end: int, threads: int) -> bytes:
        """Plays the games from `first` to before `end`, and returns them as bytes."""

@final
class Learning:
    """A run of learning that has not ended. Its folder is locked until it is closed."""

    @property
    def folder(self) -> Path:
        """Where everything about the run lies."""
    def close(self) -> None:
        """Lets others work in the folder."""
    def set_crew(self, play: Callable[[int, int, NDArray[np.float32]], bytes]) -> None:
        """Lets a function play the games of every batch from now on; see `Player`."""
    def go(
        self, threads: int, save_every: float, tell: Callable[..., None] | None = None
    ) -> None:
        """Learns until all episodes are learned. Ctrl-C saves the run before it interrupts it."""

_Told = tuple[str, str, list[str]]
_Curve = tuple[str, Sequence[tuple[float, float]], Sequence[tuple[float, float]]]
_Progress = Callable[..., None] | None

def game(text: str) -> Game:
    """Opens the game written as `name` or `name:key=value,...`."""

def game_names() -> list[tuple[str, str]]:
    """The names of all games, and what each is about."""

def agent_names() -> list[tuple[str, str]]:
    """The names of all agents, and how each plays."""

def contest(game: Game, wish: Mapping[str, Any], progress: _Progress) -> _Told:
    """Lets agents play many games in every role."""

def tournament(game: Game, wish: Mapping[str, Any], progress: _Progress) -> tuple[_Told, str]:
    """Lets everybody play everybody. The last text is the table as a picture."""

def measure(game: Game, agent: str, wish: Mapping[str, Any], progress: _Progress) -> _Told:
    """Measures an agent by a protocol, the game's standard one unless named."""

def selfplay(game: Game, wish: Mapping[str, Any], progress: _Progress) -> dict[str, NDArray[Any]]:
    """Lets an agent play against itself, and returns what it met as a dictionary of arrays."""

def add_agent(name: str, choose: Callable[..., int]) -> None:
    """Makes a function that picks moves known as the agent `python:NAME`."""

def add_evaluator(name: str, evaluate: Callable[..., Any]) -> None:
    """Makes a function known as the value `python:NAME`."""

def add_rules(name: str, about: Mapping[str, Any], rules: Rules) -> None:
    """Makes rules written in Python known by a name."""

def known_rules(name: str) -> Rules | None:
    """The rules that are known by a name."""

def list_rules(names: Sequence[str]) -> None:
    """Lists these rules among the games of the page."""

def begin_run(choice: Mapping[str, Any]) -> Learning:
    """Begins a run in a new folder."""

def check_run(path: str | PathLike[str]) -> None:
    """Refuses a folder whose description of the run is damaged."""

def resume_run(path: str | PathLike[str], episodes: int | None = None) -> Learning:
    """Goes on with the run in a folder, to `episodes` in all, if given."""

def about_value(path: str) -> dict[str, str]:
    """The texts about a learned value that its file holds."""

def value_path(path: str | PathLike[str]) -> Path:
    """The file of a learned value, given that file or the folder of a run."""

def write_value(
    path: str | PathLike[str], about: Mapping[str, str], tensors: Mapping[str, NDArray[Any]]
) -> None:
    """Writes the file of a value: texts about it, and its tensors."""

def solve(moves: str) -> tuple[list[int | None], list[int]]:
    """The score of each column of Connect-4, and the best line."""

def curve_svg(title: str, labels: tuple[str, str], curves: Sequence[_Curve]) -> str:
    """Learning curves in one picture, as SVG."""

def close() -> None:
    """Ends the work of all threads, since the program ends."""

def command(arguments: Sequence[str]) -> int:
    """Does what the `ludens` command does, and returns its exit code."""
