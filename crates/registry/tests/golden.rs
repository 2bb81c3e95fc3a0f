//! One random game of every kind, written out and compared with the file kept for it.
//!
//! `cargo xtask bless` rewrites the files; the difference is for people to read.

use ludens_registry::{GAMES, open_game};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

#[test]
fn every_game_plays_as_it_is_written_down() {
    for name in GAMES.iter().map(|entry| entry.name) {
        let path = folder().join(format!("{name}.txt"));
        let played = open_game(name).unwrap().playthrough(1);
        if std::env::var_os("LUDENS_BLESS").is_some() {
            std::fs::write(&path, &played).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == played, "{} differs; see `cargo xtask bless`", path.display());
    }
}

#[test]
fn every_file_belongs_to_a_game() {
    for file in std::fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy();
        assert!(GAMES.iter().any(|entry| entry.name == stem), "{} has no game", path.display());
    }
}
