"""OpenSpiel, both ways."""

import numpy as np
import pyspiel
import pytest

import ludens
from ludens import openspiel

SMALL = {"value.ntuple.length": 3, "value.ntuple.count": 8, "value.ntuple.players": "each"}


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig(horizon=20)", "mancala", "2048"])
def test_games_of_openspiel_keep_our_promises(name):
    ludens.check_game(openspiel.SpielRules(name), games=2)


def test_a_board_is_recognised_in_the_tensor():
    game = openspiel.game("breakthrough(rows=5,columns=4)")
    assert game.shape == (5, 4) and set(game.cell_values) == {3}
    assert openspiel.game("mancala").shape == (1, 16)
    boards = {"go(board_size=5)": (5, 5), "y(board_size=5)": (5, 5)}
    boards |= {"havannah(board_size=3)": (5, 5), "twixt(board_size=5)": (5, 3)}
    boards |= {"othello": (8, 8), "checkers": (8, 8)}
    for name, shape in boards.items():
        assert openspiel.SpielRules(name).shape == shape, name
    # What planes say about the whole board, such as castling rights, has a row of its own.
    assert openspiel.SpielRules("chess").shape == (9, 8)
    assert openspiel.SpielRules("tic_tac_toe", shape=(9, 1)).shape == (9, 1)


def test_chance_is_that_of_the_game():
    assert not openspiel.game("breakthrough(rows=5,columns=4)").chance
    assert openspiel.game("pig(horizon=20)").chance
    assert openspiel.game("hex(board_size=3)").start().choose("alphabeta:depth=2")
    assert openspiel.game("connect_four").start().choose("maxn:depth=1")


@pytest.mark.parametrize("name", ["oware", "mancala", "2048", "go(board_size=4)", "checkers"])
def test_different_tensors_have_different_cells(name):
    rules, luck = openspiel.SpielRules(name), np.random.default_rng(7)
    seen = {}
    for _ in range(3):
        state = rules.start()
        while rules.turn(state) is not None:
            spiel = state.spiel
            if not spiel.is_chance_node():
                tensor = tuple(spiel.observation_tensor(0))
                cells = tuple(rules.cells(state, 0))
                assert seen.setdefault(cells, tensor) == tensor
            state = state.after(int(luck.choice(spiel.legal_actions())))
    assert len(seen) > 10


def test_numbers_that_random_games_do_not_show_are_warned_of():
    rules = openspiel.SpielRules("mancala", cells=[0, 1, 2, 3, 4])
    state = rules.start()
    with pytest.warns(UserWarning, match="different states may become equal"):
        while rules.turn(state) is not None:
            rules.cells(state, 0)
            state = state.after(state.spiel.legal_actions()[0])
    assert max(openspiel.SpielRules("2048").cell_values) == 18


GAMES = [
    "tic_tac_toe",
    "connect_four(rows=4,columns=4)",
    "breakthrough(rows=5,columns=3)",
    "hex(board_size=3)",
    "go(board_size=3,max_game_length=30)",
    "y(board_size=3)",
    "havannah(board_size=2)",
    "clobber(rows=3,columns=3)",
    "nim(pile_sizes=1;2;3)",
    "oware(houses_per_player=3,num_seeds_per_house=2)",
    "mancala",
    "2048(max_tile=32)",
    "pig(horizon=20,winscore=20)",
    "lines_of_action",
]


@pytest.mark.parametrize("name", GAMES)
def test_a_learned_value_plays_random_and_the_tree_search_of_openspiel(name, tmp_path):
    spiel = _loaded(name)
    game = openspiel.game(spiel)
    settings = {"value.ntuple.length": 2, "value.ntuple.count": 12, "value.ntuple.players": "each"}
    episodes = 15 if game.shape[0] * game.shape[1] > 30 else 150
    run = ludens.train(game, episodes=episodes, settings=settings, out=tmp_path / "a", eval="none")
    if game.players == 1:
        assert ludens.evaluate(game, run.value, games=2)
        return
    report = ludens.match(game, run.value, "random", games=6 if episodes < 100 else 20)
    assert sum(report["contestants"][0]["overall"][how] for how in ("wins", "draws")) >= 3
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(spiel, evaluator, 2.0, 10, 10, True, 1, False,
                          pyspiel.ChildSelectionPolicy.UCT)
    report = ludens.match(game, run.value, openspiel.bot_agent(bot, spiel), games=2)
    assert report["games"] == 2


def _loaded(name):
    """The game, with its own defaults where this version has no such parameters."""
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError:
        return pyspiel.load_game(name.split("(")[0])


def test_a_game_of_openspiel_is_learned_and_measured(tmp_path):
    game = openspiel.game("tic_tac_toe")
    run = ludens.train(game, episodes=400, out=tmp_path / "a", settings=SMALL, eval="none")
    report = ludens.match(game, run.value, "random", games=30)
    assert report["contestants"][0]["overall"]["wins"] > 8
    with pytest.raises(ludens.Invalid, match="perfect information"):
        openspiel.game("kuhn_poker")


def test_a_linear_value_reads_the_tensor(tmp_path):
    settings = {"value.linear.features": "rules"}
    game = openspiel.game("pig(horizon=20)")
    run = ludens.train(game, episodes=30, out=tmp_path / "a", settings=settings, eval="none")
    assert run.value.weights()["weights"].size >= np.prod([3, 101])


def test_bots_play_here_and_agents_play_there():
    spiel = pyspiel.load_game("tic_tac_toe")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(spiel, evaluator, 2.0, 50, 10, True, 1, False,
                          pyspiel.ChildSelectionPolicy.UCT)
    agent = openspiel.bot_agent(bot, spiel)
    report = ludens.match(openspiel.game(spiel), agent, "random", games=10)
    assert report["contestants"][0]["overall"]["wins"] >= 5
    bots = [openspiel.LudensBot(spiel, "perfect"), openspiel.LudensBot(spiel, "random", seed=3)]
    returns = pyspiel.evaluate_bots(spiel.new_initial_state(), bots, 1)
    assert returns[0] >= 0


@pytest.mark.parametrize("name", openspiel.NATIVE)
def test_native_games_have_the_same_moves(name):
    luck = np.random.default_rng(1)
    for _ in range(20):
        theirs = pyspiel.load_game(name).new_initial_state()
        ours = ludens.game(openspiel.NATIVE[name]).start()
        while not theirs.is_terminal():
            assert theirs.legal_actions() == ours.legal_ids()
            action = int(luck.choice(theirs.legal_actions()))
            theirs.apply_action(action)
            ours.play(action)
        assert ours.over and theirs.returns() == ours.rewards
