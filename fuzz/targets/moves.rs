//! Anything entered as moves, one after the other.
//!
//! Input: a byte each for the game and its seed, then lines; a line of one byte is the number of a
//! legal move.

#![no_main]

#[allow(dead_code, reason = "each target uses its part")]
#[path = "../../crates/registry/tests/properties/mod.rs"]
mod properties;

use ludens_registry::{GAMES, open_game};
use properties::{Entered, check_moves};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [game, seed, lines @ ..] = data else { return };
    let name = GAMES[usize::from(*game) % GAMES.len()].name;
    let entered = |line: &[u8]| match line {
        [number] => Entered::Legal((*number).into()),
        _ => Entered::Text(String::from_utf8_lossy(line).into_owned()),
    };
    let entries: Vec<_> = lines.split(|byte| *byte == b'\n').map(entered).collect();
    check_moves(&*open_game(name).expect("the table opens"), &entries, (*seed).into());
});
