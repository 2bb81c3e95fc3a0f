//! Games by name.

use ludens_registry::{GAMES, open_game};

#[test]
fn names_are_unique_sorted_and_plain() {
    let names: Vec<_> = GAMES.iter().map(|e| e.name).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    assert!(names.iter().all(|n| n.bytes().all(plain)));
}

#[test]
fn wrong_names_and_settings_are_explained() {
    let message = |text| open_game(text).err().unwrap().to_string();
    assert!(message("chess").starts_with("no game is called \"chess\"; known: "));
    assert!(message("tictacto").contains("did you mean \"tictactoe\"?"));
    assert!(message("tictactoe:size=4").contains("has no settings"));
}
