//! Random games, written so that another system can replay them turn by turn.

use crate::number;
use ludens_core::{Rng, Turn};
use ludens_registry::{LiveGame, open_game};
use serde_json::{Value, json};
use std::io::Write;

/// Prints `count` random games, one a line.
pub(crate) fn write(spec: &str, count: &str, seed: &str) -> Result<(), String> {
    let (count, seed) = (number(count)?, number(seed)?);
    let game = open_game(spec).map_err(|e| e.to_string())?;
    let players = game.info().players;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for index in 0..count {
        let mut rng = Rng::derived(seed, "replayed games", index);
        let played = play(game.live(rng.bits()), players, &mut rng);
        writeln!(out, "{played}").map_err(|e| e.to_string())?;
    }
    out.flush().map_err(|e| e.to_string())
}

/// The turns of one game: what was seen before each move, and what the move and chance did.
fn play(mut live: Box<dyn LiveGame>, players: usize, rng: &mut Rng) -> Value {
    let mut turns = vec![json!({ "events": live.history() })];
    while let Turn::Player(player) = live.turn() {
        let legal: Vec<String> = live.legal().into_iter().map(|(_, text)| text).collect();
        let mv = legal[rng.below(legal.len())].clone();
        let (state, seen) = (live.state_text(), live.history().len());
        live.play(&mv).expect("legal moves are read as they are written");
        turns.push(json!({
            "player": player.0,
            "state": state,
            "legal": legal,
            "move": mv,
            "events": live.history()[seen + 1..],
            "rewards": live.rewards().first(players),
        }));
    }
    json!({ "turns": turns, "state": live.state_text() })
}
