//! Any text as parameters, and as a game.

#![no_main]

#[allow(dead_code, reason = "each target uses its part")]
#[path = "../../crates/registry/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| {
    properties::check_params(text);
    properties::check_game(text);
});
