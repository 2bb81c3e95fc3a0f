//! Any text as an agent, for any game.
//!
//! Input: a byte for the game, then the text.

#![no_main]

use ludens_core::Player;
use ludens_registry::{GAMES, accesses_system, open_game};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [game, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    // Some agents start programs or read files by their names.
    if accesses_system(text) {
        return;
    }
    let name = GAMES[usize::from(*game) % GAMES.len()].name;
    let mut live = open_game(name).expect("the table opens").live(1);
    let _ = live.seat(Player(0), text);
});
