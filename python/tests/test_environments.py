"""PettingZoo and Gymnasium, by their own checkers."""

import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
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


def test_games_have_gymnasium_ids():
    env = gym.make("ludens/2048-v0")
    observation, info = env.reset(seed=1)
    assert observation.shape == (4, 4)
    assert (env.unwrapped.action_masks() == info["action_mask"]).all()
    other = gym.make("ludens/connect4-v0", opponent="perfect", player=1)
    other.reset(seed=1)
    assert other.unwrapped.state.player == 1
    ids = {env for env in gym.registry if env.startswith("ludens/")}
    assert ids == {f"ludens/{name}-v0" for name in ludens.games() if name != "random-walk"}


def test_an_id_may_name_the_module_to_import():
    program = "import gymnasium; gymnasium.make('ludens.gymnasium:ludens/nimm3-v0').reset(seed=1)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_too_many_illegal_actions_end_the_episode():
    last = ludens.agent(lambda seen: max(seen.legal.values()))
    env = gymnasium.GameEnv("tictactoe", opponent=last, illegal_limit=3)
    env.reset(seed=1)
    env.step(0)
    found = [env.step(0) for _ in range(3)]
    assert [truncated for _, _, _, truncated, _ in found] == [False, False, True]
    assert all(reward == 0 and info["illegal"] for _, reward, _, _, info in found)


def test_wrapped_environments_are_cloned():
    env = gym.make("ludens/2048-v0")
    env.reset(seed=1)
    clone = gymnasium.clone(env)
    move = int(np.flatnonzero(env.unwrapped.action_masks())[0])
    before = clone.unwrapped.state.text
    seen = env.step(move)[0]
    assert clone.unwrapped.state.text == before
    assert (clone.step(move)[0] == seen).all()


@pytest.mark.parametrize("game", GAMES)
def test_many_games_at_once_have_the_spaces_of_gymnasium(game):
    envs = gymnasium.GameVectorEnv(game, num_envs=7)
    observations, info = envs.reset(seed=3)
    luck, ended = np.random.default_rng(1), 0
    for _ in range(150):
        assert observations in envs.observation_space
        mask = info["action_mask"].astype(bool)
        draws = np.where(mask, luck.random(mask.shape), -1)
        observations, rewards, over, truncated, info = envs.step(draws.argmax(axis=1))
        assert rewards.shape == over.shape == truncated.shape == (7,)
        ended += int(over.sum())
    assert ended > 0 or game == "2048"


def test_many_games_at_once_are_those_of_single_environments():
    """The same moves against an opponent that draws nothing give the same games."""
    options = {"player": 1, "opponent": lambda seen: min(seen.legal.values())}
    many = gymnasium.GameVectorEnv("connect4", num_envs=3, **options)
    alone = gymnasium.GameEnv("connect4", **options)
    luck = np.random.default_rng(5)
    observations, info = many.reset(seed=1)
    seen, _ = alone.reset(seed=1)
    for _ in range(200):
        assert all((observation == seen).all() for observation in observations)
        action = int(luck.integers(7))
        observations, rewards, over, truncated, info = many.step(np.full(3, action))
        seen, reward, ended, _, alone_info = alone.step(action)
        assert (rewards == reward).all() and (over == ended).all()
        assert (info["illegal"] == alone_info["illegal"]).all() and not truncated.any()
        if ended:
            observations, _, _, _, info = many.step(np.zeros(3, int))
            seen, _ = alone.reset()


@pytest.mark.parametrize("game", ["2048", "connect4"])
def test_many_games_at_once_answer_as_those_of_gymnasium(game):
    many = gymnasium.GameVectorEnv(game, num_envs=3)
    usual = gym.vector.SyncVectorEnv([lambda: gymnasium.GameEnv(game)] * 3)
    for name in ["single_observation_space", "single_action_space", "observation_space"]:
        assert getattr(many, name) == getattr(usual, name), name
    assert many.action_space == usual.action_space and many.num_envs == usual.num_envs
    assert many.metadata["autoreset_mode"] == usual.metadata["autoreset_mode"]
    for mine, theirs in zip(played(many), played(usual)):
        assert isinstance(mine[-1], dict) and set(mine[-1]) == set(theirs[-1])
        for ours, other in zip([*mine[:-1], *_values(mine)], [*theirs[:-1], *_values(theirs)]):
            assert (ours.shape, ours.dtype) == (other.shape, other.dtype)


def _values(answer):
    return [answer[-1][name] for name in sorted(answer[-1])]


def played(envs, steps=60):
    """What a reset and some steps answer."""
    envs.action_space.seed(5)
    answers = [envs.reset(seed=7)]
    answers += [envs.step(envs.action_space.sample()) for _ in range(steps)]
    envs.close()
    return answers


@pytest.mark.parametrize("game", GAMES)
def test_many_games_at_once_repeat_themselves(game):
    first, second = (played(gymnasium.GameVectorEnv(game, num_envs=4)) for _ in range(2))
    assert all(data_equivalence(one, other, exact=True) for one, other in zip(first, second))


def test_wrappers_of_gymnasium_count_many_games_at_once():
    envs = gym.wrappers.vector.RecordEpisodeStatistics(gymnasium.GameVectorEnv("tictactoe", 8))
    _, info = envs.reset(seed=1)
    luck, ended = np.random.default_rng(1), 0
    for _ in range(40):
        draws = np.where(info["action_mask"], luck.random((8, 9)), -1)
        _, rewards, over, _, info = envs.step(draws.argmax(axis=1))
        if over.any():
            assert (info["_episode"] == over).all()
            assert (info["episode"]["r"][over] == rewards[over]).all()
            assert (info["episode"]["l"][over] <= 5).all()
            ended += over.sum()
    assert ended > 20


def test_gymnasium_makes_many_games_at_once():
    envs = gym.make_vec("ludens/connect4-v0", num_envs=4, vectorization_mode="vector_entry_point")
    assert isinstance(envs.unwrapped, gymnasium.GameVectorEnv)
    first, second = (envs.reset(seed=9)[0] for _ in range(2))
    assert (first == second).all()


def test_opponents_of_many_games_may_be_asked_at_once():
    sizes = []

    def last(seen):
        assert seen.cells.shape == (len(seen.players), 3, 3)
        sizes.append(len(seen.players))
        return 8 - seen.masks[:, ::-1].argmax(axis=1)

    agent = ludens.batch_agent(last)
    envs = gymnasium.GameVectorEnv("tictactoe", num_envs=20, opponent=agent)
    envs.reset(seed=1)
    envs.step(np.zeros(20, int))
    assert sizes == [20]
    assert (envs.batch.cells(0)[:, 2, 2] == 2).all() and (envs.batch.cells(0) > 0).sum() == 40
    assert ludens.game("tictactoe").start().choose(agent) == "c3"
    with pytest.raises(ludens.Invalid, match="one move id a state"):
        ludens.game("tictactoe").start().choose(ludens.batch_agent(lambda seen: [1, 2]))


def test_opponents_of_many_games_may_be_values(tictactoe):
    envs = gymnasium.GameVectorEnv("tictactoe", num_envs=50, player=1, opponent=tictactoe.value)
    _, info = envs.reset(seed=1)
    lost = won = 0
    luck = np.random.default_rng(1)
    for _ in range(40):
        draws = np.where(info["action_mask"], luck.random((50, 9)), -1)
        _, rewards, _, _, info = envs.step(draws.argmax(axis=1))
        lost, won = lost + (rewards < 0).sum(), won + (rewards > 0).sum()
    assert lost > 5 * won
