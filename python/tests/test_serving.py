"""The page, with games written in Python."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

import ludens

from test_rules import Corners

PROGRAM = """
import sys
import ludens
from test_rules import Corners
ludens.serve(Corners(), port=0, browse=False)
"""


@pytest.fixture()
def page(tmp_path):
    with ludens.serve(Corners(), port=0, runs=tmp_path / "runs", browse=False, wait=False) as page:
        yield page


def ask(page, path, body=None):
    """The JSON that the server answers."""
    url = page.url.split("#")[0] + "api/" + path
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


def test_a_game_written_in_python_is_played_like_any_other(page):
    games = {game["name"]: game for game in ask(page, "games")["games"]}
    assert "connect4" in games
    own = games["python:rules=two-rows"]
    assert own["title"] == "Two rows" and own["about"].startswith("Tic-tac-toe on two rows")
    assert own["page"] is None and own["svg"].startswith("<svg") and "data-move" in own["svg"]
    assert ask(page, "games/python%3Atwo-rows") == own
    assert "two-rows" in page.url
    begun = ask(page, "position", {"game": "python:two-rows"})
    assert begun["title"] == "Two rows" and len(begun["legal"]) == 6
    after = ask(page, "play", {"game": "python:two-rows", "played": [], "move": "1"})
    assert after["played"] == ["1"] and after["turn"] == 2
    asked = {"game": "python:two-rows", "played": ["1", "4"], "agent": "mcts:iterations=50"}
    answered = ask(page, "choose", asked)
    assert len(answered["position"]["played"]) == 3
    refused = ask(page, "play", {"game": "python:two-rows", "played": ["1"], "move": "1"})
    assert "is not legal here" in refused["error"]["reason"]


def test_contests_of_such_a_game_are_played(page):
    wish = {"game": "python:two-rows", "agents": ["random", "mcts:iterations=20"], "games": 4}
    number = ask(page, "contests", {"kind": "match", **wish})
    contest = number.get("contest", number)
    number = contest["contest"] if isinstance(contest, dict) else contest
    for _ in range(600):
        told = ask(page, f"contests/{number}")
        if told["state"] != "playing":
            break
        time.sleep(0.05)
    assert told["state"] == "finished", told


def test_an_exception_of_the_rules_is_told(page):
    class Tired(Corners):
        name = "tired-page"

        def play(self, state, move):
            raise ZeroDivisionError("enough")

    ludens.game(Tired())
    told = ask(page, "play", {"game": "python:tired-page", "played": [], "move": "1"})
    assert told["error"]["reason"] == "ZeroDivisionError: enough"
    assert ask(page, "position", {"game": "python:two-rows"})["turn"] == 1
    with pytest.raises(ZeroDivisionError, match="enough"):
        ludens.serve(Tired(), port=0, browse=False)


def test_mistakes_are_told_before_it_begins(page):
    port = int(page.url.split(":")[2].split("/")[0])
    with pytest.raises(ludens.Failed, match="cannot be used.*port=0 takes any"):
        ludens.serve(port=port, browse=False)
    with pytest.raises(ludens.Invalid, match="listen: expected an address"):
        ludens.serve(listen="nowhere", browse=False)
    with pytest.raises(ludens.Invalid, match='did you mean "connect4"'):
        ludens.serve("conect4", browse=False)


def test_a_page_that_was_stopped_lets_go_of_its_port():
    page = ludens.serve(port=0, browse=False, wait=False)
    port = int(page.url.split(":")[2].split("/")[0])
    page.stop()
    page.stop()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))


def test_ctrl_c_ends_it():
    here = os.path.dirname(__file__)
    told = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": here})
    assert "two-rows" in told.stdout.readline()
    told.send_signal(signal.SIGINT)
    _, complaint = told.communicate(timeout=30)
    assert told.returncode != 0 and "KeyboardInterrupt" in complaint
