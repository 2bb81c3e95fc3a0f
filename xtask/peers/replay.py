"""Replays our games in OpenSpiel and stops at the first difference.

usage: replay.py <path of ludens-bench> <how many> [<our game>...]
"""

import json
import subprocess
import sys

from both import chosen


class Difference(Exception):
    """The two systems disagree."""


def same(what, ours, theirs):
    if ours != theirs:
        raise Difference(f"{what}: ours {ours}, theirs {theirs}")


def draw(peer, state, events):
    """Lets chance draw there what it drew here, and checks that it could."""
    for event in events:
        same("turn", "chance", "chance" if state.is_chance_node() else state.current_player())
        action = peer.event(event.strip("()"))
        possible = [outcome for outcome, _ in state.chance_outcomes()]
        same("possible event", True, action in possible)
        state.apply_action(action)


def replay(peer, game, state):
    """Plays one game of ours there, comparing before and after every move."""
    draw(peer, state, game["turns"][0]["events"])
    for turn in game["turns"][1:]:
        same("over", False, state.is_terminal())
        same("turn", turn["player"], state.current_player())
        same("legal", sorted(map(peer.action, turn["legal"])), peer.legal(state))
        state.apply_action(peer.action(turn["move"]))
        draw(peer, state, turn["events"])
        same("gained so far", turn["rewards"], state.returns())
    same("over", True, state.is_terminal())


def describe(number, game, state, difference):
    moves = " ".join(turn["move"] for turn in game["turns"][1:])
    return (
        f"game {number} differs. {difference}\n"
        f"  our moves: {moves}\n  our last state: {game['state']}\n"
        f"  their state:\n{state}"
    )


def replay_all(peer, program, count):
    command = [program, "games", peer.ours, count, "1"]
    theirs, games, moves = peer.load(), 0, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ours:
        for line in ours.stdout:
            game, state = json.loads(line), theirs.new_initial_state()
            try:
                replay(peer, game, state)
            except Difference as difference:
                ours.kill()
                sys.exit(f"{peer.ours}: {describe(games, game, state, difference)}")
            games, moves = games + 1, moves + len(game["turns"]) - 1
    if games != int(count):
        sys.exit(f"{peer.ours}: {games} games came instead of {count}")
    print(f"{peer.ours} = {peer.theirs}: {games} games, {moves} moves, no difference", flush=True)


def main():
    program, count, *names = sys.argv[1:]
    for peer in chosen(names):
        replay_all(peer, program, count)


if __name__ == "__main__":
    main()
