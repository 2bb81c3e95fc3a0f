//! The command as an engine, played by ourselves over the Go Text Protocol.

use ludens_core::{Player, Rewards, Turn};
use ludens_registry::open_game;

/// A game of the command, asked by the protocol, against somebody random.
fn against_random(game: &str, agent: &str, engines_seat: Player, seed: u64) -> Rewards {
    let command = format!("'{}' gtp {game} --agent {agent}", env!("CARGO_BIN_EXE_ludens"));
    let mut live = open_game(game).expect("the game is known").live(seed);
    live.seat(engines_seat, &format!("gtp:command=({command})")).expect("the engine starts");
    live.seat(engines_seat.other(), "random").expect("random is known");
    while live.turn() != Turn::Over {
        let advice = live.choose().expect("an agent answers");
        live.play(&advice.text).expect("agents choose legal moves");
    }
    live.rewards()
}

#[test]
fn both_sides_of_the_protocol_understand_each_other_in_every_game() {
    for game in ["connect4", "hex:size=4", "nim", "othello", "othello:size=6", "tictactoe"] {
        for (seat, seed) in [(Player(0), 1), (Player(1), 2)] {
            let rewards = against_random(game, "mcts:iterations=300", seat, seed);
            assert!(rewards[seat] >= 0.0, "{game}: {rewards:?}");
        }
    }
}

#[test]
fn an_engine_keeps_up_when_moves_are_taken_back() {
    let command = format!("'{}' gtp tictactoe --agent maxn:depth=9", env!("CARGO_BIN_EXE_ludens"));
    let mut live = open_game("tictactoe").unwrap().live(1);
    live.seat(Player(1), &format!("gtp:command=({command})")).unwrap();
    for first in ["a1", "b2", "c2"] {
        live.play(first).unwrap();
        let advice = live.choose().unwrap();
        live.play(&advice.text).unwrap();
        assert!(live.undo() && live.undo());
    }
}
