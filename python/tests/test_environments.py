"""PettingZoo and Gymnasium, by their own checkers."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import ludens
from ludens import gymnasium, pettingzoo

GAMES = ["2048", "connect4", "hex:size=5", "nim:players=3", "nimm3", "othello", "tictactoe"]


def test_every_game_is_tried():
    named = {spec.split(":")[0] for spec in GAMES}
    assert named | {"random-walk"} == set(ludens.games())
    with pytest.raises(ludens.Invalid, match="chance alone plays"):
        pettingzoo.raw_env("random-walk")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_approves(game):
    api_test(pettingzoo.env(game), num_cycles=200)
    api_test(pettingzoo.raw_env(game), num_cycles=200)
    seed_test(lambda: pettingzoo.env(game), num_cycles=50)
    render_test(lambda render_mode: pettingzoo.env(game, render_mode))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_approves(game):
    check_env(gymnasium.GameEnv(game, render_mode="ansi"), skip_render_check=False)


def test_clones_go_their_own_way():
    env = pettingzoo.raw_env("2048")
    env.reset(seed=1)
    clone = env.clone()
    move = int(np.flatnonzero(env.observe("player_0")["action_mask"])[0])
    env.step(move)
    assert clone.state_now != env.state_now
    clone.step(move)
    assert clone.state_now == env.state_now and clone.rewards == env.rewards


def test_rewards_add_up_to_those_of_the_game():
    env = pettingzoo.raw_env("nim:players=3")
    env.reset(seed=2)
    sums = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        sums[agent] += reward
        env.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert list(sums.values()) == env.state_now.rewards


def test_illegal_actions_change_nothing_in_gymnasium():
    env = gymnasium.GameEnv("connect4", player=1, opponent="perfect")
    _, info = env.reset(seed=1)
    assert len(env.state.history) == 1 and info["action_mask"].all()
    for _ in range(3):
        env.step(3)
    before = env.state.text
    while env.state.text == before or 3 in env.state.legal_ids():
        before = env.state.text
        _, _, over, _, info = env.step(3)
        if over or info["illegal"]:
            break
    assert over or info["illegal"]
