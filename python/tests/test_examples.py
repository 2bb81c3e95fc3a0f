"""The examples with PyTorch and sb3-contrib, where those are installed.

    pip install torch sb3-contrib
    python -m pytest python/tests/test_examples.py
"""

import importlib.util
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_network_learns_from_self_play():
    pytest.importorskip("torch")
    assert example("torch_mcts").main(rounds=2, games=150) > 0.8


def test_maskable_ppo_plays_only_legal_moves():
    pytest.importorskip("sb3_contrib")
    assert -1 <= example("maskable_ppo").main(steps=512, games=4) <= 1
