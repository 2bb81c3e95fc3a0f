"""A small PyTorch network learns from self-play and plays through Ludens' tree search.

    pip install 'ludens[torch]'
    python torch_mcts.py
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch
from torch import nn

import ludens


class Network(nn.Module):
    """Turns one-hot planes into a value between -1 and 1, and logits of all moves."""

    def __init__(self, values: int, shape: tuple[int, int], moves: int):
        super().__init__()
        inputs = values * shape[0] * shape[1]
        self.values = values
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(inputs, 64), nn.ReLU())
        self.value = nn.Sequential(nn.Linear(64, 1), nn.Tanh())
        self.policy = nn.Linear(64, moves)

    def forward(self, cells: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        planes = nn.functional.one_hot(cells.long(), self.values).float()
        hidden = self.body(planes)
        return self.value(hidden)[:, 0], self.policy(hidden)


def evaluator(network: Network) -> ludens.Evaluator:
    """The network as a value function with priors for the searches of Ludens."""

    @torch.no_grad()
    def evaluate(cells: Any, players: Any) -> tuple[Any, Any]:
        values, logits = network(torch.from_numpy(cells))
        return values.numpy(), logits.softmax(dim=1).numpy()

    return ludens.Evaluator(evaluate)


def fit(network: Network, data: ludens.SelfPlay, steps: int) -> float:
    """Learns outcomes and moves; returns the last loss."""
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    cells, moves = torch.from_numpy(data.cells), torch.from_numpy(data.moves)
    outcomes = torch.from_numpy(data.outcomes)
    loss = torch.tensor(0.0)
    for _ in range(steps):
        chosen = torch.randint(len(data), (256,))
        values, logits = network(cells[chosen])
        loss = nn.functional.mse_loss(values, outcomes[chosen])
        loss = loss + nn.functional.cross_entropy(logits, moves[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return float(loss.detach())


def main(rounds: int = 3, games: int = 300) -> float:
    """Trains on self-play of tree search, and returns the score against random play."""
    torch.manual_seed(1)
    np.random.seed(1)
    game = ludens.game("tictactoe")
    network = Network(max(game.cell_values), game.shape, game.moves)
    teacher = evaluator(network).mcts(iterations=30)
    for number in range(rounds):
        agent = f"epsilon:epsilon=0.2,agent=({teacher})" if number else "mcts:iterations=50"
        data = ludens.selfplay(game, agent, games=games, seed=number + 1)
        print(f"round {number + 1}: {len(data)} positions, loss {fit(network, data, 300):.3f}")
    report = ludens.match(game, teacher, "random", games=100)
    print(report)
    overall = report["contestants"][0]["overall"]
    return float(overall["wins"] + overall["draws"] / 2) / 100


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
