"""Agents, evaluators and self-play."""

import pickle
import threading

import numpy as np
import pytest

import ludens


def first(seen):
    return min(seen.legal.values())


def start(game="tictactoe"):
    return ludens.game(game).start()


def test_agents_are_objects():
    agent = ludens.Agent("mcts:iterations=50", seed=3)
    state = start("connect4")
    chosen = [agent.choose(state) for _ in range(8)]
    assert set(chosen) <= set(state.legal_moves())
    agent.reset()
    assert [agent.choose(state) for _ in range(8)] == chosen
    policy = agent.policy(state)
    assert list(policy) == state.legal_moves()
    assert sum(policy.values()) == pytest.approx(1) and max(policy.values()) < 1


def test_a_policy_without_visits_is_the_choice():
    state = start()
    state.play("b2")
    policy = ludens.Agent(first).policy(state)
    assert policy.pop(state.legal_moves()[0]) == 1 and set(policy.values()) == {0}


def test_reset_reaches_the_source():
    class Counting:
        resets = 0

        def __call__(self, seen):
            return first(seen)

        def reset(self):
            self.resets += 1

    source = Counting()
    ludens.Agent(source).reset()
    assert source.resets == 1


def test_every_kind_of_agent_is_accepted_everywhere(tictactoe):
    kinds = ["random", tictactoe, tictactoe.value, first, ludens.Agent(first), ludens.agent(first)]
    for agent in kinds:
        state = start()
        assert state.choose(agent) in state.legal_moves()
        assert ludens.match("tictactoe", agent, "random", games=2)["games"] == 2
    report = ludens.tournament("tictactoe", tictactoe.value, first, "random", games=2)
    assert len(report["standings"]) == 3


def test_a_function_sees_cells_and_legal_moves():
    seen = []

    def look(view):
        seen.append(view)
        return int(np.flatnonzero(view.mask)[-1])

    state = start()
    state.play("a1")
    state.choose(look)
    (view,) = seen
    assert view.player == 1 and (view.cells == state.cells(1)).all()
    assert (view.mask == state.legal_mask()).all() and view.state == state.text


def own_stones(cells, players):
    """Values the centre: what the player to move lacks, the opponent has."""
    own, other = cells[:, 1, 1] == 1, cells[:, 1, 1] == 2
    return own.astype(np.float32) - other


def test_an_evaluator_is_asked_in_batches():
    sizes = []

    def evaluate(cells, players):
        assert cells.shape == (len(players), 3, 3)
        sizes.append(len(players))
        return own_stones(cells, players)

    evaluator = ludens.Evaluator(evaluate)
    state = start()
    assert state.choose(evaluator) == "b2"
    assert sizes == [9]
    values = state.move_values(evaluator)
    assert values["b2"] == 1 and values["a1"] == 0


def test_searches_use_an_evaluator():
    evaluator = ludens.Evaluator(own_stones)
    assert start().choose(evaluator.alphabeta(depth=1)) == "b2"
    policy = start().policy(evaluator.mcts(iterations=200))
    assert max(policy, key=policy.get) == "b2"


def test_priors_direct_the_tree_search():
    def evaluate(cells, players):
        priors = np.full((len(players), 9), 0.01)
        priors[:, 8] = 1
        return np.zeros(len(players)), priors

    evaluator = ludens.Evaluator(evaluate)
    state = start()
    policy = state.policy(evaluator.mcts(iterations=60))
    assert max(policy, key=policy.get) == state.legal_moves()[8]


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda cells, players: np.zeros(len(players) + 1), "evaluator: expected"),
        (lambda cells, players: np.full(len(players), np.nan), "evaluator: expected"),
        (lambda cells, players: (np.zeros(len(players)), np.zeros((1, 1))), "expected priors"),
        (lambda cells, players: 1 / 0, "division by zero"),
    ],
)
def test_mistakes_of_evaluators_are_raised(wrong, words):
    with pytest.raises((ludens.Invalid, ZeroDivisionError), match=words):
        start().choose(ludens.Evaluator(wrong).mcts(iterations=10))


def test_self_play_gives_arrays():
    data = ludens.selfplay("tictactoe", "random", games=20, seed=5)
    count = len(data)
    assert data.cells.shape == (count, 3, 3) and data.masks.shape == (count, 9)
    assert data.masks[np.arange(count), data.moves].all()
    assert set(data.games) == set(range(20)) and data.rewards.shape == (20, 2)
    assert (data.outcomes == data.rewards[data.games, data.players]).all()
    assert (data.planes().argmax(axis=1) == data.cells).all()
    assert (data.planes(5).shape[1]) == 5
    game = ludens.game("tictactoe").start()
    for row in np.flatnonzero(data.games == 3):
        assert (game.cells() == data.cells[row]).all() and game.player == data.players[row]
        game.play(int(data.moves[row]))
    assert game.over and game.rewards == list(data.rewards[3])


def test_self_play_is_the_same_with_more_threads():
    one, two = (
        ludens.selfplay("connect4", "mcts:iterations=20", games=4, threads=threads)
        for threads in (1, 2)
    )
    assert (one.moves == two.moves).all() and np.array_equal(one.values, two.values, equal_nan=True)


def test_outcomes_of_2048_count_what_is_still_to_come():
    data = ludens.selfplay("2048", "random", games=1)
    assert (np.diff(data.outcomes) <= 0).all() and data.outcomes[0] == data.rewards[0, 0]


def test_nobody_moves_in_a_random_walk():
    with pytest.raises(ludens.Invalid, match="nobody moves"):
        ludens.selfplay("random-walk", "random", games=2)


def batch_of(count=6, game="2048"):
    batch = ludens.game(game).batch(seed=4)
    batch.add_random(count)
    return batch


def test_batches_are_selected_as_arrays_are():
    batch = batch_of()
    texts = batch.texts()
    assert batch[1:4].texts() == texts[1:4] and batch[::-1].texts() == texts[::-1]
    assert batch[np.array([5, 0])].texts() == [texts[5], texts[0]]
    mask = np.array([True, False] * 3)
    assert batch[mask].texts() == texts[::2] and batch[-1].text == texts[-1]
    with pytest.raises(IndexError):
        batch[6]
    with pytest.raises(IndexError):
        batch[np.array([9])]


def test_batches_show_one_hot_planes():
    batch = batch_of()
    planes, cells = batch.planes(), batch.cells()
    assert (planes.sum(axis=1) == 1).all() and (planes.argmax(axis=1) == cells).all()


def test_batches_restart_where_a_game_has_ended():
    batch = ludens.game("tictactoe").batch()
    batch.add_starts(50)
    luck, ended = np.random.default_rng(1), 0
    for _ in range(30):
        draws = np.where(batch.legal(), luck.random((50, 9)), -1)
        ended += (batch.play(draws.argmax(axis=1), reset=True) != 0).any(axis=1).sum()
        assert (batch.players() >= 0).all()
    assert ended > 50
    batch.play(np.full(50, -1))
    before = batch.texts()
    batch.reset([0, 2])
    start_text = ludens.game("tictactoe").start().text
    assert batch.texts() == [start_text, before[1], start_text, *before[3:]]


def test_pickled_batches_keep_their_luck():
    batch = batch_of()
    again = pickle.loads(pickle.dumps(batch))
    moves = batch.legal().argmax(axis=1)
    assert (again.play(moves) == batch.play(moves)).all() and again.texts() == batch.texts()


def test_threads_read_one_batch_at_once():
    batch, found = batch_of(2_000), []
    threads = [threading.Thread(target=lambda: found.append(batch.cells())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all((one == found[0]).all() for one in found)
