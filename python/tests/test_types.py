"""The package and the examples of its guide, by three type checkers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = ROOT / "pyproject.toml"


def run(*command, folder):
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def examples(tmp_path):
    """The blocks of the guide as one program."""
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)
    path = tmp_path / "examples.py"
    path.write_text("\n\n".join(blocks), encoding="utf-8")
    return path


def test_mypy_finds_no_mistake():
    run("mypy", "--config-file", SETTINGS, "--strict", "-p", "ludens", folder=ROOT / "python")


def test_pyright_finds_no_mistake():
    run("pyright", "-p", SETTINGS, "--pythonpath", sys.executable, folder=ROOT)


def test_the_stub_tells_what_the_module_holds(tmp_path):
    run("mypy.stubtest", "ludens._ludens", "--mypy-config-file", SETTINGS, folder=tmp_path)


def test_checkers_accept_the_examples(examples):
    # Examples leave out annotations, and say with `object` what people would not.
    loose = ["--allow-untyped-defs", "--allow-untyped-calls"]
    run("mypy", "--config-file", SETTINGS, "--strict", *loose, examples, folder=examples.parent)
    run("pyright", "--pythonpath", sys.executable, examples, folder=examples.parent)
