"""Games and agents written in Python."""

import pytest

import ludens


class Corners(ludens.Rules):
    """Tic-tac-toe on two rows: three in a row wins."""

    name = "two-rows"
    moves = 6
    shape = (2, 3)
    symmetries = [[2, 1, 0, 5, 4, 3], [3, 4, 5, 0, 1, 2], [5, 4, 3, 2, 1, 0]]

    def start(self):
        return (0,) * 6

    def turn(self, state):
        if self.won(state) or 0 not in state:
            return None
        return sum(cell != 0 for cell in state) % 2

    def legal_moves(self, state):
        return [i for i, cell in enumerate(state) if cell == 0]

    def play(self, state, move):
        player = self.turn(state)
        after = (*state[:move], player + 1, *state[move + 1 :])
        if self.won(after):
            return after, [1, -1] if player == 0 else [-1, 1]
        return after, None

    def cells(self, state, player):
        return [cell and 1 + (cell - 1 != player) for cell in state]

    def won(self, state):
        return any(row[0] and row[0] == row[1] == row[2] for row in (state[:3], state[3:]))


class Dice(ludens.Rules):
    """Roll or stop: the sum counts unless a one is rolled."""

    name = "dice"
    players = 1
    moves = 2
    shape = (1, 2)
    cell_values = (30, 3)

    def start(self):
        return (0, 0)

    def turn(self, state):
        return [0, ludens.CHANCE, None][state[1]]

    def legal_moves(self, state):
        return [0] if state[0] >= 20 else [0, 1]

    def play(self, state, move):
        return ((state[0], 1), None) if move else ((state[0], 2), [state[0]])

    def events(self, state):
        return [(side, 1 / 6) for side in range(1, 7)]

    def resolve(self, state, event):
        return ((0, 2), None) if event == 1 else ((state[0] + event, 0), None)

    def cells(self, state, player):
        return state

    def features(self, state, player):
        return [state[0] / 20, 1.0]


def test_rules_are_checked_and_counted():
    ludens.check_game(Corners())
    ludens.check_game(Dice())
    game = ludens.game(Corners())
    assert game.spec == "python:rules=two-rows" and game.symmetries == 4
    assert game.perft(2) == 30
    assert ludens.game("python:two-rows") == game


def test_broken_promises_are_explained_with_the_state():
    class Wrong(Corners):
        name = "wrong"

        def cells(self, state, player):
            return [cell * 2 for cell in state]

    with pytest.raises(ludens.Invalid, match="in state "):
        ludens.check_game(Wrong())

    class Silent(Corners):
        name = "silent"

        def turn(self, state):
            return 7

    with pytest.raises(ValueError, match="turn: expected a player from 0 to 1, ludens.CHANCE or"):
        ludens.check_game(Silent())


def test_exceptions_of_rules_are_raised_as_they_are(tmp_path):
    class Tired(Corners):
        name = "tired"

        def play(self, state, move):
            if sum(cell != 0 for cell in state) == 4:
                raise ZeroDivisionError("enough")
            return super().play(state, move)

    for threads in [1, 2]:
        with pytest.raises(ZeroDivisionError, match="enough"):
            ludens.match(Tired(), "random", "random", games=20, threads=threads)
    with pytest.raises(ZeroDivisionError, match="enough"):
        ludens.train(Tired(), episodes=10, out=tmp_path / "a", settings=SMALL)


SMALL = {"value.ntuple.length": 3, "value.ntuple.count": 3}


def test_rules_are_learned_played_and_loaded(tmp_path):
    run = ludens.train(Corners(), episodes=300, seed=2, out=tmp_path / "a", settings=SMALL)
    value = run.value
    state = ludens.game("python:two-rows").start()
    assert set(value.move_values(state)) == {"0", "1", "2", "3", "4", "5"}
    report = ludens.match(Corners(), value, "random", games=40)
    assert report["contestants"][0]["overall"]["wins"] > 5
    assert ludens.evaluate(Corners(), "maxn:depth=6", "random", games=10)
    ludens.resume(run.folder, 400)
    assert ludens.load(run.folder).value.episode == 400
    assert "x" in str(_played(state)) and state._repr_svg_().startswith("<svg")


def _played(state):
    state.play("1")
    return state


def test_chance_and_features_are_learned(tmp_path):
    settings = {"value.linear.features": "rules"}
    run = ludens.train(Dice(), episodes=200, out=tmp_path / "a", settings=settings, eval="none")
    assert run.value.evaluate(ludens.game("python:dice").start()).shape == (1,)


def test_agents_written_in_python_play():
    seen = []

    def first(view):
        seen.append(view)
        return min(view.legal.values())

    report = ludens.match("tictactoe", ludens.agent(first, "first"), "perfect", games=4)
    assert report["contestants"][0]["overall"]["wins"] == 0
    assert seen[0].history == [] and seen[1].history

    def wrong(view):
        return 99

    told = ludens.match("tictactoe", ludens.agent(wrong), "random", games=2)
    assert told["contestants"][0]["overall"]["losses"] == 2

    def broken(view):
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        ludens.match("tictactoe", ludens.agent(broken), "random", games=2)
