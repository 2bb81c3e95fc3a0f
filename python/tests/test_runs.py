"""Learning, saving, resuming, and what was learned."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ludens

KILLED = """
import ludens, sys
ludens.train("tictactoe", episodes=400_000, seed=7, out=sys.argv[1], eval="none", save_every=0.05)
"""


def test_a_run_has_a_curve_a_value_and_a_picture(tictactoe):
    metrics = tictactoe.metrics
    assert list(metrics["episode"]) == list(range(0, 2_001, 100))
    assert metrics["figure"].dtype == float and metrics["rewards_0"].shape == (21,)
    assert tictactoe.finished and tictactoe.summary["episodes"] == 2_000
    assert tictactoe._repr_html_().startswith("<svg")
    assert isinstance(ludens.load(tictactoe.folder), ludens.Run)
    assert isinstance(ludens.load(tictactoe.folder, ludens.Value), ludens.Value)
    assert isinstance(ludens.load(tictactoe.value.path), ludens.Value)
    with pytest.raises(ludens.Invalid, match="expected the folder of a run, found a file"):
        ludens.load(tictactoe.value.path, ludens.Run)


def test_a_value_tells_what_states_and_moves_are_worth(tictactoe):
    value, state = tictactoe.value, ludens.game("tictactoe").start()
    first, second = value.evaluate(state)
    assert first == -second
    told = value.move_values(state)
    assert set(told) == set(state.legal_moves())
    batch = state.game.batch(seed=1)
    batch.add_random(50)
    values, moves = value.evaluate(batch), value.move_values(batch)
    assert values.shape == (50, 2) and moves.shape == (50, 9)
    assert (np.isnan(moves) == ~batch.legal()).all()
    one = value.evaluate([batch.texts()[7]])
    assert (one[0] == values[7]).all()
    with pytest.raises(ludens.Invalid, match="these states are not of the"):
        value.evaluate(ludens.game("connect4").start())


def test_weights_are_arrays_that_are_not_copied(tictactoe):
    weights = tictactoe.value.weights()
    assert isinstance(weights["weights"], np.memmap)
    assert weights["weights"].dtype == np.float32 and np.any(weights["weights"])
    with pytest.raises(ValueError):
        weights["weights"][...] = 0


def test_a_value_plays_and_is_measured(tictactoe):
    report = ludens.match("tictactoe", tictactoe.value, "random", games=50, record=True)
    assert report["contestants"][0]["overall"]["losses"] < 10
    assert len(report.records) == report["games"]
    assert tictactoe.evaluate("random", games=20)["protocol"] == "random"
    assert "<pre>" in report._repr_html_()


def test_settings_are_those_of_the_command_line(tmp_path):
    settings = {"learner.alpha": 0.25, "explore.epsilon.rate": {"from": 0.5, "to": 0.1}}
    run = ludens.train(
        "tictactoe", episodes=10, settings=settings, out=tmp_path / "a", eval="none"
    )
    assert run.metrics["alpha"][0] == 0.25
    assert np.isclose(run.metrics["explore"][0], 0.5)
    with pytest.raises(ludens.Invalid, match='did you mean "learner.alpha"|no setting'):
        ludens.train("tictactoe", settings={"learner.alfa": 1}, out=tmp_path / "b")
    with pytest.raises(ludens.Invalid, match="no preset is called"):
        ludens.train("tictactoe", "defualt", out=tmp_path / "b")
    with pytest.raises(ludens.Invalid, match="holds a run already"):
        ludens.train("tictactoe", episodes=10, out=tmp_path / "a")
    assert not (tmp_path / "b").exists()


def test_the_same_seed_gives_the_same_bytes_as_the_command_line(tmp_path):
    ludens.train("tictactoe", episodes=300, seed=5, out=tmp_path / "py", eval="random:20")
    built = Path(__file__).parents[2] / "target/debug/ludens"
    commands = {"wheel": [sys.executable, "-m", "ludens"]}
    # Where cargo has built the command, too: other features of a library have other last digits.
    commands |= {"cargo": [str(built)]} if built.exists() else {}
    for out, command in commands.items():
        typed = f"train tictactoe --episodes 300 --seed 5 --eval random:20 --out {out}".split()
        done = subprocess.run([*command, *typed], capture_output=True)
        assert done.returncode == 0, done.stderr
        for name in ["value.safetensors", "metrics.jsonl", "games.jsonl", "summary.json"]:
            assert (tmp_path / "py" / name).read_bytes() == (tmp_path / out / name).read_bytes()


def test_a_run_that_was_killed_goes_on_to_the_same_bytes(tmp_path):
    killed = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(killed)])
    while not (killed / "checkpoint.safetensors").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    reached = ludens.load(killed).value.episode
    assert 0 < reached < 400_000
    ludens.resume(killed)
    whole = ludens.train("tictactoe", episodes=400_000, seed=7, out=tmp_path / "w", eval="none")
    for name in ["value.safetensors", "metrics.jsonl", "games.jsonl"]:
        assert (killed / name).read_bytes() == (whole.folder / name).read_bytes(), name


def test_ctrl_c_saves_the_run_and_interrupts(tmp_path):
    pressed = []

    def press(episode, *_):
        if episode > 0 and not pressed:
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        ludens.train("tictactoe", episodes=10**9, out=tmp_path / "a", eval="none", progress=press)
    assert time.monotonic() - pressed[0] < 10
    before = ludens.Run(tmp_path / "a").value.episode
    assert before > 0
    assert ludens.resume(tmp_path / "a", before + 10).value.episode == before + 10


def test_ctrl_c_interrupts_a_match():
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ludens.match("tictactoe", "random", "mcts:iterations=100", games=10**7, threads=2)


def test_other_threads_of_python_go_on_while_rust_learns(tmp_path):
    turns, done = [0], threading.Event()

    def count():
        while not done.is_set():
            turns[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    ludens.train("tictactoe", episodes=20_000, out=tmp_path / "a", eval="none")
    done.set()
    thread.join()
    assert turns[0] > 20


def test_progress_is_told_and_may_object(tmp_path):
    told = []
    ludens.train("tictactoe", episodes=500, out=tmp_path / "a", eval="random:10",
                 progress=lambda *stage: told.append(stage))
    lines = [json.loads(stage[4]) for stage in told if stage[4]]
    assert [line["episode"] for line in lines] == list(range(0, 501, 25))

    def object_to(*stage):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        ludens.train("tictactoe", episodes=500, out=tmp_path / "b", progress=object_to)


def test_damaged_files_are_explained(tmp_path):
    path = tmp_path / "value.safetensors"
    path.write_bytes(b"nothing of worth")
    with pytest.raises(ludens.Invalid, match="value.safetensors: it is no file of learned values"):
        ludens.load(path)
    with pytest.raises(ludens.Invalid, match="holds no run: it has no run.toml"):
        ludens.load(tmp_path)


def test_a_damaged_folder_is_refused(tictactoe, tmp_path):
    for name in ("run.toml", "value.safetensors"):
        folder = tmp_path / name
        shutil.copytree(tictactoe.folder, folder)
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: len(data) // 2])
        with pytest.raises((ludens.Invalid, ludens.Failed)):
            ludens.load(folder)


def test_an_endless_file_of_settings_is_refused():
    with pytest.raises(ludens.Invalid, match="longer than"):
        ludens.train(config="/dev/zero", episodes=1)


def test_a_value_of_an_older_version_is_read_with_a_warning(tmp_path):
    header = {"__metadata__": {"format": "ludens-value", "version": "2", "game": "tictactoe"}}
    text = json.dumps(header).encode()
    old = tmp_path / "old.safetensors"
    old.write_bytes(len(text).to_bytes(8, "little") + text)
    with pytest.warns(UserWarning, match="old.safetensors: an older version of Ludens wrote it"):
        assert ludens._ludens.about_value(str(old))["version"] == "2"


def test_weights_are_written_back(tictactoe, tmp_path):
    value, start = tictactoe.value, ludens.game("tictactoe").start()
    same = value.save(tmp_path / "same.safetensors")
    assert (same.evaluate(start) == value.evaluate(start)).all()
    weights = {"weights": np.zeros_like(value.weights()["weights"])}
    other = ludens.Value.from_arrays(value, weights, tmp_path / "other.safetensors")
    assert (other.evaluate(start) == 0).all() and (value.evaluate(start) != 0).all()
    assert ludens.match("tictactoe", value, other, games=2)["games"] == 2
    for wrong in ({"weights": [1.0]}, {"nothing": [1.0]}, {"weights": weights["weights"] * np.nan}):
        with pytest.raises(ludens.Invalid):
            value.save(tmp_path / "wrong.safetensors", wrong)
    assert not (tmp_path / "wrong.safetensors").exists()
