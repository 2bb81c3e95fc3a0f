"""What several tests need."""

import pytest

import ludens


@pytest.fixture(scope="session")
def tictactoe(tmp_path_factory):
    """A short run of Tic-tac-toe."""
    folder = tmp_path_factory.mktemp("runs") / "tictactoe"
    return ludens.train("tictactoe", episodes=2_000, seed=1, out=folder, eval="random:100")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDENS_CACHE", "off")
