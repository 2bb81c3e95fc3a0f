"""The ids of Gymnasium environments: `gymnasium.make("ludens/connect4-v0")`."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from ludens import _ludens


def register_envs() -> None:
    """Registers every game that somebody plays; importing `ludens.gymnasium` does it."""
    for name, _ in _ludens.game_names():
        env = f"ludens/{name}-v0"
        if name == "random-walk" or env in registry:
            continue
        register(
            id=env,
            entry_point="ludens.gymnasium:GameEnv",
            vector_entry_point="ludens.gymnasium:GameVectorEnv",
            kwargs={"game": name},
        )
