"""The pictures of the page in the README."""

from stage import DESKTOP, PHONE, WORKSPACE, PageTest, stage
from webdriver import wait

FOLDER = WORKSPACE / "docs/pictures"
CONNECT4 = "game=connect4&seat=human&seat=human&moves=4,4,4,4,4,2,3,3,5,6,2,1"
OTHELLO = "game=othello&moves=c4,e3,f5,e6,f6,c5,d6,c6,b4,g5,c3,f7,c7,a4,d3,b3"
HEX = "game=hex:size%3D5&seat=human&seat=human&moves=c3,b4,d2"
RUNS = "runs?run=tictactoe-default-1&run=tictactoe-default-2&run=tictactoe-farl-1"

# File, route, size, theme, what must be seen first.
PICTURES = [
    ("page-games", "play/games", DESKTOP, "light", ".game-card"),
    ("page-play", f"play?{OTHELLO}", DESKTOP, "light", ".board .target"),
    ("page-inside", f"inside?{CONNECT4}", DESKTOP, "light", ".mistakes p"),
    ("page-watch", RUNS, DESKTOP, "dark", ".histogram"),
    ("page-compare", "compare", DESKTOP, "light", ".cross-cell"),
    ("page-read", "read/games/hex", DESKTOP, "light", ".prose h1"),
    ("page-phone", f"inside?{HEX}", PHONE, "dark", ".spot"),
]
CONTEST = """const done = arguments[0];
    fetch('/api/contests', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: 'tournament', game: 'tictactoe', games: 60, agents: [
            'perfect', 'greedy:tictactoe-default-1', 'mcts:iterations=100', 'endgame-random',
            'random'] }) }).then(() => done())"""


class Camera(PageTest):
    """Somebody who takes pictures instead of testing."""

    def runTest(self):
        self.visit("read")
        self.browser.run_later(CONTEST)
        for name, route, size, theme, sign in PICTURES:
            self.browser.resize(*size)
            self.visit(route, theme)
            self.browser.see(sign, patience=120)
            wait("stillness", lambda: self.browser.run(STILL))
            self.browser.picture(FOLDER / f"{name}.png")


STILL = "return document.getAnimations().every((each) => each.playState !== 'running')"


def draw_all():
    """Draws every picture anew."""
    camera = Camera()
    camera.stage = stage()
    camera.setUp()
    camera.runTest()
