"""The games that OpenSpiel and Ludens both know, and where their rules or names differ."""

from dataclasses import dataclass
from typing import Callable, Sequence

import pyspiel


@dataclass(frozen=True)
class Peer:
    """A game in both systems, and how to read our notation as an action of OpenSpiel."""

    ours: str
    theirs: str
    action: Callable[[str], int]
    event: Callable[[str], int] | None = None
    unlisted: Callable[[pyspiel.State], list[int]] = lambda state: []
    differences: Sequence[str] = ()

    def load(self):
        return pyspiel.load_game(self.theirs)

    def legal(self, state):
        """The legal actions there, with those it should list but does not."""
        return sorted(set(state.legal_actions()) | set(self.unlisted(state)))


def cell(width: int) -> Callable[[str], int]:
    """Reads a column letter and a row number counted from the top: `b3`."""
    return lambda text: (int(text[1:]) - 1) * width + ord(text[0]) - ord("a")


def othello_action(text: str) -> int:
    return 64 if text == "pass" else cell(8)(text)


def nim_action(heaps: int) -> Callable[[str], int]:
    """Reads a heap letter and how many to take: `b2`."""
    return lambda text: (int(text[1:]) - 1) * heaps + ord(text[0]) - ord("a")


SLIDES = ["up", "right", "down", "left"]


def new_tile(text: str) -> int:
    """Reads a tile and its cell: `4@b3`."""
    tile, place = text.split("@")
    return 2 * cell(4)(place) + (tile == "4")


def slides(state) -> list[int]:
    """The slides that change the board when they are played."""
    return [slide for slide in range(4) if str(state.child(slide)) != str(state)]


PEERS = [
    Peer(
        "2048",
        "2048(max_tile=131072)",
        SLIDES.index,
        new_tile,
        slides,
        differences=[
            "ends with the first tile 2048, unless max_tile is raised",
            "does not list a slide if all its merges involve tiles made by the move before "
            "(a mistake of version 2.0.2), but plays it when asked",
        ],
    ),
    Peer("tictactoe", "tic_tac_toe", cell(3)),
    Peer("connect4", "connect_four", lambda text: int(text) - 1),
    Peer(
        "othello",
        "othello",
        othello_action,
        differences=["passing is action 64; ours is the move called pass, with the same number"],
    ),
    Peer(
        "hex",
        "hex(board_size=6)",
        cell(6),
        differences=[
            "its board has 11x11 cells unless board_size is given; ours 6x6",
            "the first player is called black; it joins top and bottom in both",
        ],
    ),
    Peer("hex:size=11", "hex(board_size=11)", cell(11)),
    Peer(
        "nim",
        "nim(pile_sizes=5;5;5,is_misere=False)",
        nim_action(3),
        differences=[
            "who takes the last piece loses there, unless is_misere=False",
            "its heaps differ in size (1;3;5;7); ours are 3 heaps of 5",
            "two players only; ours may be three",
        ],
    ),
]


def chosen(names: Sequence[str]) -> list[Peer]:
    """The peers of these games of ours; of all if none is named."""
    known = [peer.ours for peer in PEERS]
    for name in names:
        if name not in known:
            raise SystemExit(f"no peer is known for {name!r}; known: {', '.join(known)}")
    return [peer for peer in PEERS if not names or peer.ours in names]
