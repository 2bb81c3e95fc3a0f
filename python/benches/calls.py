"""What single calls cost: states of Ludens beside those of OpenSpiel, and steps in PettingZoo.

Build for speed, then measure; the section of the page is written if the page is named:

    pip install '.[openspiel,pettingzoo]'
    python python/benches/calls.py docs/performance-python.md

Another wheel is named after the page, such as "the wheel that the tests build". Both sides take
turns in the same process, in CPU time, and the best of several rounds counts.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyspiel

import ludens
from ludens import pettingzoo

ROUNDS = 15
CALLS = 5_000
MOVES = [3, 3, 2, 4, 4, 2, 2, 5, 3, 3]
"""A game of Connect-4 that is not over."""
STEPS = 20
"""Steps of an environment in one game."""
BEGIN, END = "<!-- calls: written by `python python/benches/calls.py` -->", "<!-- calls end -->"


def seconds(work: Callable[[], object], calls: int) -> float:
    """CPU time of one call."""
    begun = time.process_time()
    for _ in range(calls):
        work()
    return (time.process_time() - begun) / calls


def fastest(works: list[Callable[[], object] | None]) -> list[float | None]:
    """The best time of each in several rounds, in turn."""
    best: list[float | None] = [None] * len(works)
    for _ in range(ROUNDS):
        for index, work in enumerate(works):
            if work is not None:
                found = seconds(work, CALLS)
                best[index] = min(found, best[index] or found)
    return best


def positions() -> tuple[ludens.State, pyspiel.State]:
    """The same position on both sides."""
    ours = ludens.game("connect4").start()
    theirs = pyspiel.load_game("connect_four").new_initial_state()
    for move in MOVES:
        ours.play(move)
        theirs.apply_action(move)
    assert ours.legal_ids() == theirs.legal_actions()
    return ours, theirs


def compare_states() -> list[list[str]]:
    """A call of ours, OpenSpiel's, and what each takes."""
    ours, theirs = positions()
    game, spiel = ours.game, theirs.get_game()
    rows: list[tuple[str, str, Callable[[], object], Callable[[], object] | None]] = [
        (
            "`state.copy().play(3)`",
            "`clone` + `apply_action`",
            lambda: ours.copy().play(3),
            lambda: theirs.clone().apply_action(3),
        ),
        ("`state.copy()`", "`clone`", ours.copy, theirs.clone),
        ("`game.start()`", "`new_initial_state`", game.start, spiel.new_initial_state),
        ("`state.player`", "`current_player`", lambda: ours.player, theirs.current_player),
        ("`state.over`", "`is_terminal`", lambda: ours.over, theirs.is_terminal),
        ("`state.rewards`", "`returns`", lambda: ours.rewards, theirs.returns),
        ("`state.legal_ids()`", "`legal_actions`", ours.legal_ids, theirs.legal_actions),
        (
            "`state.legal_mask()`",
            "`legal_actions_mask`",
            ours.legal_mask,
            theirs.legal_actions_mask,
        ),
        ("`state.cells()`", "`observation_tensor`", ours.cells, theirs.observation_tensor),
        ("`state.text`", "`str`", lambda: ours.text, lambda: str(theirs)),
        ("`state.legal_moves()`", "", ours.legal_moves, None),
        ("`state.history`", "`history_str`", lambda: ours.history, theirs.history_str),
        ("`game.moves`", "`num_distinct_actions`", lambda: game.moves, spiel.num_distinct_actions),
    ]
    measured = [(mine, other, fastest([a, b])) for mine, other, a, b in rows]
    return [[mine, _written(best[0]), other, _written(best[1])] for mine, other, best in measured]


def long_game() -> list[int]:
    """The moves of a random game that is not over after them."""
    luck = random.Random(1)
    while True:
        state, moves = ludens.game("connect4").start(), []
        while not state.over and len(moves) < STEPS:
            moves.append(luck.choice(state.legal_ids()))
            state.play(moves[-1])
        if not state.over:
            return moves


def play_out(env, moves: list[int], ask: bool) -> float:
    """CPU time of one step of a game, and of `last` before it."""
    env.reset(seed=1)
    begun = time.process_time()
    for move in moves:
        if ask:
            env.last()
        env.step(move)
    return (time.process_time() - begun) / len(moves)


def compare_steps() -> list[list[str]]:
    """Steps of environments, without and with what is observed before."""
    rows, moves = [], long_game()
    for name, make in [("raw_env", pettingzoo.raw_env), ("env", pettingzoo.env)]:
        env = make("connect4")
        found = [
            min(play_out(env, moves, ask) for _ in range(40 * ROUNDS)) for ask in (False, True)
        ]
        rows.append([f"`{name}`", *map(_written, found)])
    return rows


def _written(time: float | None) -> str:
    return "" if time is None else f"{time * 1e6:.2f} µs"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Rows of texts as Markdown; numbers are on the right."""
    lines = [heads, ["---:" if head.endswith("time") else "---" for head in heads], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def section(wheel: str = "a wheel built for speed") -> str:
    """Everything measured, with its marks."""
    states = table(["Ludens", "time", "OpenSpiel", "its time"], compare_states())
    steps = table(["environment", "`step` time", "`last` and `step` time"], compare_steps())
    return f"""{BEGIN}
## Single calls

A position of Connect-4 after ten moves, as `ludens.State` and as a state of OpenSpiel
{_version()}, in the same process. Installed was {wheel}.
A state of Ludens also keeps what was played and the random stream of chance, and `play` returns
what each player gained.

{states}
A step of the PettingZoo environment of Connect-4: alone, and with `last`, which returns the
observation and the mask of legal actions. `raw_env` is the game as it is, `env` adds PettingZoo's
wrappers, which check order and legality and observe the board for each step.

{steps}{END}
"""


def _version() -> str:
    from importlib.metadata import version

    return version("open_spiel")


def main(page: str | None = None, *wheel: str) -> None:
    """Prints the section, and puts it into the page."""
    written = section(*wheel)
    print(written)
    if page:
        path = Path(page)
        marked = re.escape(BEGIN) + ".*?" + re.escape(END) + "\n"
        text = re.sub(marked, lambda _: written, path.read_text(encoding="utf-8"), flags=re.S)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
