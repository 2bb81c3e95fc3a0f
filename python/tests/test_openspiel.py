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


GAMES = {
    "tic_tac_toe": (150, 2, 12),
    "connect_four(rows=4,columns=4)": (150, 3, 12),
    "breakthrough(rows=5,columns=3)": (150, 2, 12),
    "hex(board_size=3)": (150, 2, 12),
    "go(board_size=3,max_game_length=30)": (150, 2, 12),
    "y(board_size=3)": (150, 2, 12),
    "havannah(board_size=2)": (150, 2, 12),
    "clobber(rows=3,columns=3)": (300, 4, 20),
    "nim(pile_sizes=1;2;3)": (300, 4, 12),
    "oware(num_houses_per_player=3,num_seeds_per_house=2)": (150, 2, 6),
    "mancala": (60, 3, 12),
    "pig(horizon=20,winscore=20)": (300, 2, 12),
}
"""Episodes, and the length and number of tuples."""


@pytest.mark.parametrize("name", GAMES)
def test_a_learned_value_beats_random_and_meets_the_tree_search_of_openspiel(name, tmp_path):
    spiel = pyspiel.load_game(name)
    game = openspiel.game(spiel)
    run = learned(game, *GAMES[name], tmp_path / "a")
    assert share(ludens.match(game, run.value, "random", games=40)) > 0.5
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(spiel, evaluator, 2.0, 10, 10, True, 1, False,
                          pyspiel.ChildSelectionPolicy.UCT)
    # Ten simulations a move are no weak opponent on boards as small as these.
    assert share(ludens.match(game, run.value, openspiel.bot_agent(bot, spiel), games=10)) >= 0.2


def learned(game, episodes, length, count, folder):
    tuples = {"value.ntuple.length": length, "value.ntuple.count": count}
    settings = {**tuples, "value.ntuple.players": "each"}
    return ludens.train(game, episodes=episodes, settings=settings, out=folder, eval="none")


def share(report):
    """The share of points of the first contestant."""
    found = report["contestants"][0]["overall"]
    return (found["wins"] + found["draws"] / 2) / report["games"]


def test_a_game_of_one_player_and_chance_is_learned(tmp_path):
    game = openspiel.game("2048(max_tile=32)")
    run = learned(game, 15, 2, 12, tmp_path / "a")
    data = ludens.selfplay(game, run.value, games=2)
    assert data.rewards.shape == (2, 1) and (data.rewards > 0).all()


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
