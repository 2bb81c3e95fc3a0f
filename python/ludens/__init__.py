"""Learns board games by playing against itself.

>>> import ludens
>>> state = ludens.game("connect4").start()
>>> state.play("4")
[0.0, 0.0]

`train` learns a game, `load` opens what was learned, `match`, `tournament` and `evaluate` tell who
is stronger, `solve` tells the truth about Connect-4, `serve` shows the page. See docs/python.md.
"""

from ludens._ludens import Batch, Failed, Game, Invalid, State
from ludens.choosing import Seen, agent
from ludens.arena import Report, agents, evaluate, games, match, tournament
from ludens.opening import game
from ludens.rules import CHANCE, Rules, check_game
from ludens.runs import Run, load, resume, train
from ludens.serving import Page, serve
from ludens.solving import Solution, solve
from ludens.value import Value

__all__ = [
    "Batch",
    "CHANCE",
    "Failed",
    "Game",
    "Invalid",
    "Page",
    "Report",
    "Rules",
    "Run",
    "Seen",
    "Solution",
    "State",
    "Value",
    "agent",
    "agents",
    "check_game",
    "evaluate",
    "game",
    "games",
    "load",
    "match",
    "resume",
    "serve",
    "solve",
    "tournament",
    "train",
]


def _replay(spec: str, record: str) -> State:
    """Makes a state again after it was pickled; chance then draws from seed 0."""
    return game(spec).replay(record)
