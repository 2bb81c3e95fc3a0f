"""Which rules a name stands for, and what survives pickling."""

import multiprocessing
import pickle

import pytest

import ludens
from ludens.pickling import UnknownGame, restore_rules
from test_rules import SMALL, Corners


class Heap(ludens.Rules):
    """Two players take one or two stones; who takes the last wins."""

    name, moves, cell_values = "heap", 2, 2

    def __init__(self, stones):
        self.stones = stones
        self.shape = (1, stones + 1)

    def start(self):
        return (self.stones, 0)

    def turn(self, state):
        return state[1] if state[0] else None

    def legal_moves(self, state):
        return [0] if state[0] == 1 else [0, 1]

    def play(self, state, move):
        left, player = state[0] - move - 1, state[1]
        rewards = [1 - 2 * player, 2 * player - 1] if left == 0 else None
        return (left, 1 - player), rewards

    def cells(self, state, player):
        return [int(i == state[0]) for i in range(self.stones + 1)]


class NamedHeap(Heap):
    """The same with a name for each size."""

    def __init__(self, stones):
        super().__init__(stones)
        self.name = f"heap-{stones}"


def test_other_rules_of_the_same_name_are_refused():
    first = ludens.game(Heap(5))
    assert ludens.game(Heap(5)) == first and ludens.game(Heap(5)).rules is first.rules
    with pytest.raises(ludens.Invalid, match="two different games are called 'heap'.*own name"):
        ludens.game(Heap(7))
    assert ludens.game("python:heap").shape == (1, 6)


def test_each_name_stands_for_its_own_rules(tmp_path):
    small, large = ludens.game(NamedHeap(3)), ludens.game(NamedHeap(8))
    assert small != large and small.perft(1) == 2
    settings = {"value.ntuple.length": 2, "value.ntuple.count": 3}
    run = ludens.train(small, episodes=20, settings=settings, out=tmp_path / "a", eval="none")
    assert run.game.shape == (1, 4)


def test_a_class_defined_again_replaces_the_old_one_and_stale_games_are_refused(tmp_path):
    def define(stones):
        class Again(Heap):
            name = "again"

        return Again(stones)

    old, new = ludens.game(define(3)), ludens.game(define(4))
    assert old != new and old.shape == (1, 4) and new.shape == (1, 5)
    with pytest.raises(ludens.Invalid, match="defined again"):
        ludens.train(old, episodes=5, settings=SMALL, out=tmp_path / "a")


def _perft(game, depth):
    return game.perft(depth), game.start().legal_moves()


def _text(state):
    return state.text, state.game.spec


def test_spawned_processes_know_games_written_in_python():
    game = ludens.game(NamedHeap(6))
    state = game.start()
    state.play(1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(_perft, (game, 3)).get(60) == (game.perft(3), ["0", "1"])
        assert pool.apply_async(_text, (state,)).get(60) == (state.text, "python:rules=heap-6")


def test_a_process_that_cannot_unpickle_the_rules_says_so():
    lost = restore_rules("python:lost", b"cnowhere\nLost\n.")
    assert isinstance(lost, UnknownGame)
    with pytest.raises(ludens.Invalid, match="python:lost.*cannot be unpickled.*nowhere"):
        lost.start()
    with pytest.raises(ludens.Invalid, match="cannot be unpickled"):
        ludens.game(pickle.loads(pickle.dumps(lost)))


def test_a_pickled_state_keeps_its_random_stream():
    state = ludens.game("2048").start(seed=5)
    for _ in range(3):
        state.play(state.legal_ids()[0])
    again = pickle.loads(pickle.dumps(state))
    for _ in range(30):
        move = state.legal_ids()[0]
        state.play(move)
        again.play(move)
    assert again == state and again.history == state.history


def test_rules_that_say_so_have_no_chance():
    class Sure(Corners):
        name = "sure"
        chance = False

        def events(self, state):
            return []

    assert not ludens.game(Sure()).chance and ludens.game(Corners()).chance is False
