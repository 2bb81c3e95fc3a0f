"""Matches, tournaments, measurements, solutions."""

import pytest

import ludens


def test_a_match_tells_who_is_stronger():
    report = ludens.match("tictactoe", "perfect", "random", games=40, threads=2)
    assert report["contestants"][0]["overall"]["losses"] == 0
    assert "perfect" in str(report) and report.records == []
    assert report == ludens.match("tictactoe", "perfect", "random", games=40)


def test_a_tournament_has_a_table_and_a_picture():
    report = ludens.tournament("nim:players=3", "random", "maxn:depth=2", "perfect", games=20)
    assert "perfect" in str(report)
    assert report._repr_html_().startswith("<svg")


def test_an_agent_is_measured_by_a_protocol():
    told = []
    report = ludens.evaluate("tictactoe", "perfect", "random", games=20,
                             progress=lambda *count: told.append(count))
    assert report["figure"]["mean"] > 0.5
    assert told[-1][0] <= told[-1][1]


def test_mistakes_are_explained():
    with pytest.raises(ludens.Invalid, match="no agent is called"):
        ludens.match("tictactoe", "perfekt", "random")
    with pytest.raises(ludens.Invalid, match="openings: "):
        ludens.match("tictactoe", "random", "random", openings="x")
    with pytest.raises(ludens.Invalid, match="protocol"):
        ludens.evaluate("tictactoe", "random", "nothing")


def test_connect4_is_solved():
    found = ludens.solve()
    assert found.score == 1 and found.best == ["4"]
    assert found.line[0] == "4" and len(found.line) == 41
    state = ludens.game("connect4").start()
    for move in "444444":
        state.play(move)
    assert "4" not in ludens.solve(state).scores
    with pytest.raises(ludens.Invalid):
        ludens.solve("9")
    for spec in ["nim", "connect4:columns=5,rows=4", "connect4:line=3"]:
        with pytest.raises(ludens.Invalid, match="expected connect4 with four in a row on 7 col"):
            ludens.solve(ludens.game(spec).start())
    middle = state.game.state(state.text)
    with pytest.raises(ludens.Invalid, match="began with the empty board"):
        ludens.solve(middle)


def test_everything_has_a_name():
    assert "connect4" in ludens.games() and "mcts" in ludens.agents()
