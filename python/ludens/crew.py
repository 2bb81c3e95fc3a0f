"""Actors that play for a run, and the one who gives them work."""

from __future__ import annotations

import json
import re
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray
from ray.exceptions import ObjectLostError, RayActorError

from ludens._ludens import Failed, Player, known_rules
from ludens.rules import Rules, add

PATIENCE = 300.0
"""Seconds to wait for somebody who can play."""
TRIES = 3
"""How often the same games may take their actor along before the run is given up."""

Weights = NDArray[np.float32]
Update = tuple[Any, ...]


class Actor:
    """Plays games of a run with the weights that it is told."""

    def __init__(self, plan: str, threads: int, rules: Rules | None = None):
        if rules is not None:
            add(rules)
        self.player = Player(plan)
        self.threads = threads

    def ready(self) -> bool:
        """Answers when it can play."""
        return True

    def play(self, update: Update | None, first: int, end: int) -> tuple[bytes, float]:
        """Plays games, and tells how long it took."""
        if update is not None:
            all_of_them = len(update) == 1
            (self.player.set_weights if all_of_them else self.player.change_weights)(*update)
        begun = time.perf_counter()
        games = self.player.play(first, end, self.threads)
        return games, time.perf_counter() - begun


@dataclass
class Hand:
    """An actor as the crew knows it."""

    actor: Any
    version: int = -1
    """The weights that it has; none at first."""
    piece: tuple[int, int] | None = None
    """The games that it plays at the moment."""


@dataclass
class Batch:
    """What came of one batch, a line of `crew.jsonl`."""

    first: int
    games: int
    actors: int = 0
    lost: int = 0
    """Actors that were lost."""
    sent: int = 0
    """Bytes of weights in one message."""
    received: int = 0
    """Bytes of games."""
    changed: int = 0
    """Weights that had changed since the batch before."""
    playing: float = 0.0
    """Seconds of all actors together."""
    waiting: float = 0.0
    """Seconds until all games were there."""
    stale: int = 0
    """Games that were learned between the weights that the last game was played with and it."""


@dataclass
class Crew:
    """Lets actors play the games of each batch; who is lost is replaced, and nothing is lost."""

    folder: Path
    size: int
    threads: int = 1
    hands: dict[Any, Hand] = field(default_factory=dict)
    """Who is at work or can be, by the answer that is waited for."""

    def __post_init__(self) -> None:
        self.plan = (Path(self.folder) / "run.toml").read_text(encoding="utf-8")
        self.rules = _rules_of(self.plan)
        self.version = -1
        self.weights: Weights | None = None
        self.idle: list[Hand] = []
        self.tries: dict[tuple[int, int] | None, int] = {}
        self.log = open(Path(self.folder) / "crew.jsonl", "a", encoding="utf-8")

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for hand in [*self.idle, *self.hands.values()]:
            ray.kill(hand.actor)
        self.log.close()

    def play(self, first: int, end: int, weights: Weights) -> bytes:
        """The games from `first` to before `end`, played with these weights."""
        begun = time.perf_counter()
        batch = Batch(first, end - first, stale=end - first - 1)
        full, change = self._update(weights, batch)
        share = -(-(end - first) // self.size)
        pieces = deque((a, min(a + share, end)) for a in range(first, end, share))
        games: dict[int, bytes] = {}
        while len(games) < -(-(end - first) // share):
            self._hire()
            while pieces and self.idle:
                self._give(self.idle.pop(), pieces.popleft(), full, change)
            self._collect(pieces, games, batch)
        batch.actors = len(self.idle) + len(self.hands)
        batch.waiting = time.perf_counter() - begun
        self.log.write(json.dumps(batch.__dict__) + "\n")
        self.log.flush()
        return b"".join(games[number] for number in sorted(games))

    def _update(self, weights: Weights, batch: Batch) -> tuple[Any, Any]:
        """All weights, and those that have changed if it pays to tell only those."""
        change = None
        if self.weights is not None:
            indices = np.flatnonzero(weights != self.weights).astype(np.uint32)
            batch.changed = len(indices)
            if 4 * len(indices) < len(weights):
                change = ray.put((indices, weights[indices]))
                batch.sent = 8 * len(indices)
        if change is None:
            batch.sent = weights.nbytes
        self.weights = weights
        self.version += 1
        return ray.put((weights,)) if change is None or self._somebody_lags() else None, change

    def _somebody_lags(self) -> bool:
        hands = [*self.idle, *self.hands.values()]
        return len(hands) < self.size or any(h.version != self.version - 1 for h in hands)

    def _hire(self) -> None:
        """Asks for as many actors as are missing; they join when the cluster has room."""
        for _ in range(self.size - len(self.idle) - len(self.hands)):
            hired: Any = ray.remote(num_cpus=self.threads, max_restarts=0)(Actor)
            actor = hired.remote(self.plan, self.threads, self.rules)
            self.hands[actor.ready.remote()] = Hand(actor)

    def _give(self, hand: Hand, piece: tuple[int, int], full: Any, change: Any) -> None:
        update = None
        if hand.version != self.version:
            follows = change is not None and hand.version == self.version - 1
            update = change if follows else full or ray.put((self.weights,))
        hand.piece, hand.version = piece, self.version
        self.hands[hand.actor.play.remote(update, *piece)] = hand

    def _collect(self, pieces: deque[Any], games: dict[int, bytes], batch: Batch) -> None:
        """Waits for an answer; the games of an actor that is lost are given to another."""
        done, _ = ray.wait(list(self.hands), timeout=PATIENCE)
        if not done and not any(hand.piece for hand in self.hands.values()):
            raise Failed(f"nobody could play for {PATIENCE:.0f} seconds")
        for answer in done:
            hand = self.hands.pop(answer)
            piece, hand.piece = hand.piece, None
            try:
                told = ray.get(answer)
            except (RayActorError, ObjectLostError) as error:
                batch.lost += 1
                self._count_loss(piece, error)
                if piece is not None:
                    pieces.append(piece)
                ray.kill(hand.actor)
                continue
            self.tries.pop(piece, None)
            if piece is not None:
                games[piece[0]], seconds = told
                batch.received += len(games[piece[0]])
                batch.playing += seconds
            self.idle.append(hand)

    def _count_loss(self, piece: tuple[int, int] | None, error: Exception) -> None:
        """Gives up games that take their actor along each time, and actors that never begin."""
        self.tries[piece] = self.tries.get(piece, 0) + 1
        if self.tries[piece] < TRIES * (self.size if piece is None else 1):
            return
        what = f"by games {piece[0]} to {piece[1] - 1}" if piece else "before they could play"
        raise Failed(f"actors were lost {self.tries[piece]} times {what}: {error}")


def _rules_of(plan: str) -> Rules | None:
    """The rules that actors must be told, if the game is written in Python."""
    named = re.search(r'^game = "python:(?:rules=)?([a-z0-9-]+)"', plan, flags=re.M)
    return known_rules(named[1]) if named else None
