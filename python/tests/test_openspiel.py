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
