//! One random game of every kind, written out and compared with the file kept for it.
//!
//! `cargo xtask bless` rewrites the files; the difference is for people to read.

use ludens_registry::{GAMES, open_game};
use std::path::PathBuf;

#[test]
fn every_game_plays_as_it_is_written_down() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for name in GAMES.iter().map(|entry| entry.name) {
        let path = folder.join(format!("{name}.txt"));
        let played = open_game(name).unwrap().playthrough(1);
        if std::env::var_os("LUDENS_BLESS").is_some() {
            std::fs::write(&path, &played).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == played, "{} differs; see `cargo xtask bless`", path.display());
    }
}
