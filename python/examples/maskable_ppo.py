"""MaskablePPO of sb3-contrib learns Connect-4 against an agent of Ludens.

    pip install 'ludens[gymnasium]' sb3-contrib
    python maskable_ppo.py
"""

from __future__ import annotations

import sys

import gymnasium
from sb3_contrib import MaskablePPO

import ludens.gymnasium  # noqa: F401, registers the ids


def main(steps: int = 20_000, games: int = 50) -> float:
    """Learns for so many steps, and returns the mean reward of games against random play."""
    env = gymnasium.make("ludens/connect4-v0", opponent="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=256, seed=1, verbose=0)
    model.learn(steps)
    total = 0.0
    for seed in range(games):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            action, _ = model.predict(observation, action_masks=info["action_mask"])
            observation, reward, over, _, info = env.step(int(action))
            total += float(reward)
    print(f"mean reward {total / games:.2f} in {games} games")
    return total / games


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
