//! A random game as text, for golden files.

use crate::{Notation, Played, Player, Rewards, Rng, Turn};
use std::fmt::Write;

/// Writes one random game move by move.
///
/// Kept in a golden file, it shows any change of rules, notation or drawing as a readable diff.
pub fn playthrough<G: Notation>(game: &G, seed: u64) -> String {
    let rng = &mut Rng::seeded(seed);
    let (mut state, mut last, mut total) = (game.start(), None, Rewards::NONE);
    let mut out = format!(
        "game {}, {} cells, {} players\n",
        G::NAME,
        game.layout().num_cells(),
        game.num_players()
    );
    loop {
        let _ =
            write!(out, "\n{}{}\n", game.scene(&state, last).to_text(), game.state_text(&state));
        let gained = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let event = game.draw(&state, rng);
                let _ = writeln!(out, "chance: {}", game.event_text(&state, event));
                last = Some(Played::Event(event));
                game.resolve(&mut state, event)
            }
            Turn::Player(player) => {
                let mut legal = Vec::new();
                game.legal_moves(&state, &mut legal);
                let mv = legal[rng.below(legal.len())];
                let texts: Vec<_> = legal.iter().map(|&m| game.move_text(&state, m)).collect();
                let text = game.move_text(&state, mv);
                let _ = writeln!(out, "player {player} may {}: {text}", texts.join(" "));
                last = Some(Played::Move(mv));
                game.play(&mut state, mv)
            }
        };
        for player in Player::all(game.num_players()).filter(|&p| gained[p] != 0.0) {
            let _ = writeln!(out, "player {player} gains {}", gained[player]);
        }
        total += gained;
    }
    let _ = writeln!(out, "over: {:?}", total.first(game.num_players()));
    out
}
