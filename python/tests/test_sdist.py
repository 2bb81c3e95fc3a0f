"""The source distribution: complete, and installed as people install it.

The build from nothing takes minutes; `cargo xtask sdist` runs it:

    python -m pytest --noconftest -m slow -s python/tests/test_sdist.py
"""

import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ = ROOT / "target" / "debug" / "lib_ludens.d"
"""What cargo has read to build the wheel."""

TRAINS = """
import ludens
run = ludens.train("tictactoe", episodes=2_000, out="run", eval="random:50")
assert ludens.match("tictactoe", run.value, "random", games=50)["games"] == 50
"""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The archive."""
    folder = tmp_path_factory.mktemp("sdist")
    typed = [sys.executable, "-m", "maturin", "sdist", "--out", str(folder)]
    subprocess.run(typed, cwd=ROOT, check=True)
    (path,) = folder.iterdir()
    return path


def test_the_sdist_holds_every_file_that_the_build_reads(sdist):
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    paths = [Path(os.path.normpath(word)) for word in READ.read_text(encoding="utf-8").split()[1:]]
    files = [path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT)]
    sources = {str(file) for file in files if file.parts[0] != "target" and (ROOT / file).is_file()}
    assert len(sources) > 300 and any(path.startswith("docs/") for path in sources)
    assert sources - held == set()
    assert {"Cargo.lock", "pyproject.toml", "README.md", "LICENSE-MIT"} <= held


@pytest.mark.slow
def test_the_sdist_installs_into_an_empty_environment_and_learns(sdist, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    # Outside of the workspace, where cargo finds nothing of it.
    with tempfile.TemporaryDirectory() as here:
        with tarfile.open(sdist) as archive:
            archive.extractall(here, filter="data")
        (source,) = Path(here).iterdir()
        venv.create(Path(here) / "fresh", with_pip=True)
        python = str(Path(here) / "fresh" / "bin" / "python")
        before = spent()
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(source)], check=True)
        print(f"\npip install: {(spent() - before) / 60:.1f} CPU minutes, {sdist.name}")
        subprocess.run([python, "-c", TRAINS], cwd=here, check=True)


def spent():
    """CPU seconds of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
