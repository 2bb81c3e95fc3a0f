"""What every test of the page needs: a server, a browser, and words for what people do."""

import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

from webdriver import Browser, free_port, wait

WORKSPACE = pathlib.Path(__file__).parents[2]
LUDENS = os.environ.get("LUDENS", str(WORKSPACE / "target/debug/ludens"))
DESKTOP = (1400, 1000)
PHONE = (390, 844)

# Runs that are there from the beginning: what they learn and how.
RUNS = [
    ("tictactoe", "default", 1, 3000),
    ("tictactoe", "default", 2, 3000),
    ("tictactoe", "farl", 1, 3000),
]


class Stage:
    """A server with some runs, and a browser that looks at it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="ludens-browser-")
        self.runs = pathlib.Path(self.folder.name)
        for game, preset, seed, episodes in RUNS:
            self._train(game, preset, seed, episodes)
        self.address = f"http://127.0.0.1:{free_port()}"
        port = self.address.rsplit(":", 1)[1]
        command = [LUDENS, "serve", "--port", port, "--runs", str(self.runs), "--no-open"]
        self.server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait("the server", self._answers)
        self.browser = Browser()

    def _train(self, game, preset, seed, episodes):
        out = self.runs / f"{game}-{preset}-{seed}"
        command = f"{LUDENS} train {game} --preset {preset} --seed {seed} --episodes {episodes}"
        words = [*command.split(), "--eval", "random:100", "--out", str(out)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    def _answers(self):
        try:
            with urllib.request.urlopen(f"{self.address}/api/about", timeout=5) as reply:
                return reply.status == 200
        except (urllib.error.URLError, ConnectionError):
            return False

    def close(self):
        """Ends the browser and the server."""
        self.browser.close()
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()


_stage = None


def stage():
    """The one stage of all tests."""
    global _stage
    if _stage is None:
        _stage = Stage()
    return _stage


def close_stage():
    """Ends what `stage` began."""
    global _stage
    if _stage is not None:
        _stage.close()
        _stage = None


class PageTest(unittest.TestCase):
    """A test that visits the page; the page must have nothing to complain about."""

    # Parts of messages on the console that a test provokes.
    expected_complaints = ()

    def setUp(self):
        self.stage = stage()
        self.browser = self.stage.browser
        self.browser.resize(*DESKTOP)
        self.browser.complaints()

    def tearDown(self):
        found = self.browser.complaints()
        known = self.expected_complaints
        serious = [text for text in found if not any(part in text for part in known)]
        self.assertEqual(serious, [])

    def visit(self, route, theme="light"):
        """Loads a route of the page with fresh memory."""
        memory = "localStorage.clear(); localStorage.setItem('ludens-pace', 0);"
        self.browser.before_each_page(f"{memory} localStorage.setItem('ludens-theme', '{theme}');")
        self.browser.open(f"{self.stage.address}/#/{route}")

    def moves(self):
        """The moves that the list shows as played."""
        script = """return [...document.querySelectorAll('.moves .move:not(.later)')]
            .map((move) => move.firstChild.textContent)"""
        return self.browser.run(script)

    def wait_for_moves(self, count):
        """Waits until that many moves were played."""
        wait(f"{count} moves", lambda: len(self.moves()) == count)

    def status(self):
        """The line that says whose turn it is."""
        return self.browser.text(".status")

    def play_by_clicking(self, limit=2000):
        """Clicks moves until the game is over, and returns how many there were."""
        for count in range(limit):
            if not self.browser.count(".board .target, .move-button"):
                return count
            self.browser.click(".board .target, .move-button")
            self.wait_for_moves(count + 1)
        raise AssertionError(f"the game goes on after {limit} moves")
