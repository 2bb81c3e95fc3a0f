"""Games, states and batches."""

import copy
import pickle

import numpy as np
import pytest

import ludens

MOVING = [name for name in ludens.games() if name != "random-walk"]


def test_a_game_is_opened_by_name_and_told():
    game = ludens.game("connect4")
    assert (game.players, game.moves, game.shape) == (2, 7, (6, 7))
    assert repr(game) == "ludens.game('connect4')".replace("'", '"')
    assert game == pickle.loads(pickle.dumps(game))
    assert game != ludens.game("tictactoe")


def test_mistakes_have_the_messages_of_the_command_line():
    with pytest.raises(ludens.Invalid, match='did you mean "connect4"\\? known: 2048, connect4'):
        ludens.game("conect4")
    with pytest.raises(ValueError, match="is not legal here; legal: 1 2 3 4 5 6 7"):
        ludens.game("connect4").start().play("9")


def test_a_state_is_played_and_taken_back():
    state = ludens.game("tictactoe").start()
    for move in ["b2", "a1", "b1", "a2"]:
        assert state.play(move) == [0.0, 0.0]
    assert "b3" in state.legal_moves()
    assert state.play("b3") == [1.0, -1.0]
    assert state.over and state.player is None and state.rewards == [1.0, -1.0]
    assert state.history == ["b2", "a1", "b1", "a2", "b3"]
    assert state.undo() and not state.over
    assert state.player == 0


@pytest.mark.parametrize("name", MOVING)
def test_every_game_can_be_played_copied_pickled_and_drawn(name):
    state = ludens.game(name).start(seed=3)
    for _ in range(4):
        state.play(state.legal_ids()[0])
    clone, deep, again = copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))
    assert clone == deep == again == state
    assert again.history == state.history
    ids = state.legal_ids()
    assert list(np.flatnonzero(state.legal_mask())) == ids
    clone.play(ids[0])
    assert clone != state and deep == state
    assert state._repr_svg_().startswith("<svg") and str(state)
    assert state.cells().shape == state.game.shape
    assert ludens.game(name).state(state.text) == state


def test_a_copy_has_the_same_luck():
    state = ludens.game("2048").start(seed=1)
    other = state.copy()
    for _ in range(20):
        move = state.legal_ids()[0]
        state.play(move)
        other.play(move)
    assert state == other


def test_agents_tell_what_they_would_play_and_think():
    state = ludens.game("tictactoe").start()
    for move in ["a1", "c3", "a2", "c2"]:
        state.play(move)
    assert state.choose("perfect") == "a3"
    values = state.move_values("maxn:depth=9")
    assert values["a3"] == max(values.values()) > min(values.values())
    assert state.move_values("random") is None
    with pytest.raises(ludens.Invalid, match="no agent is called"):
        state.choose("nobody")


def test_many_states_are_played_at_once():
    batch = ludens.game("connect4").batch(seed=1)
    batch.add_starts(3)
    batch.add_random(5)
    assert len(batch) == 8 and len(batch.texts()) == 8
    legal = batch.legal()
    assert legal.shape == (8, 7) and batch.cells().shape == (8, 6, 7)
    rewards = batch.play(legal.argmax(axis=1).astype(np.int64))
    assert rewards.shape == (8, 2) and rewards.dtype == np.float32
    assert batch[0].history == [] and batch[0].text == batch.texts()[0]
    assert set(batch.players()) <= {-1, 0, 1}
    with pytest.raises(ludens.Invalid, match="expected 8 moves, one a state, found 1"):
        batch.play(np.array([0]))
    with pytest.raises(IndexError):
        batch[8]


def test_a_game_that_is_over_stays_as_it_is_in_a_batch():
    batch = ludens.game("tictactoe").batch()
    batch.add([_won().text])
    assert batch.players()[0] == -1
    assert (batch.play(np.array([-1])) == 0).all()


def _won():
    state = ludens.game("tictactoe").start()
    for move in ["b2", "a1", "b1", "a2", "b3"]:
        state.play(move)
    return state


def test_rules_are_checked_and_counted():
    game = ludens.game("tictactoe")
    game.check(10)
    assert game.perft(3) == 504
    assert game.playthrough(1)
