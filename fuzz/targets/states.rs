//! The text of a state that was played, changed at will.
//!
//! Input: a byte each for the game, the moves played before and their seed, then three for each
//! change.

#![no_main]

#[allow(dead_code, reason = "each target uses its part")]
#[path = "../../crates/registry/tests/properties/mod.rs"]
mod properties;

use ludens_registry::{GAMES, open_game};
use properties::{Edit, check_state, random_state};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [game, turns, seed, edits @ ..] = data else { return };
    let name = GAMES[usize::from(*game) % GAMES.len()].name;
    let game = open_game(name).expect("the table opens");
    let mut text = random_state(&*game, (*turns).into(), (*seed).into()).state_text();
    for &[kind, place, what] in edits.as_chunks().0 {
        text = Edit { kind, place: place.into(), what }.apply(&text);
    }
    check_state(&*game, &text, (*seed).into());
});
