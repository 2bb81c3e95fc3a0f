"""Learns board games by playing against itself.

>>> import ludens
>>> state = ludens.game("connect4").start()
>>> state.play("4")
[0.0, 0.0]

`train` learns a game, `load` opens what was learned, `match`, `tournament` and `evaluate` tell who
is stronger, `solve` tells the truth about Connect-4, `serve` shows the page. See docs/python.md.
"""

from ludens._ludens import Batch, Failed, Game, Invalid, State
from ludens.choosing import Agent, AnyAgent, Seen, SeenBatch, agent, batch_agent
from ludens.arena import Report, agents, evaluate, games, match, tournament
from ludens.evaluating import Evaluator
from ludens.opening import game
from ludens.playing import SelfPlay, selfplay
from ludens.rules import CHANCE, Rules, check_game
from ludens.runs import Run, load, resume, train
from ludens.serving import Page, serve
from ludens.solving import Solution, solve
from ludens.value import Value

__all__ = [
    "Agent",
    "AnyAgent",
    "Batch",
    "CHANCE",
    "Evaluator",
    "Failed",
    "Game",
    "Invalid",
    "Page",
    "Report",
    "Rules",
    "Run",
    "Seen",
    "SeenBatch",
    "SelfPlay",
    "Solution",
    "State",
    "Value",
    "agent",
    "agents",
    "batch_agent",
    "check_game",
    "evaluate",
    "game",
    "games",
    "load",
    "match",
    "resume",
    "selfplay",
    "serve",
    "solve",
    "tournament",
    "train",
]
