//! The command as people use it: what is typed, what is printed, how it ends.
//!
//! `tests/cli/*.trycmd` hold commands and their output, `tests/cli/*.toml` piped sessions;
//! `cargo xtask bless` rewrites both.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn ludens(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludens")).args(arguments).output().expect("the command runs")
}

fn json(arguments: &[&str]) -> Value {
    let output = ludens(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("tests may write into their folder");
    path
}

#[test]
fn commands_print_what_is_written_down() {
    let cases = trycmd::TestCases::new();
    cases.case("tests/cli/*.trycmd").case("tests/cli/*.toml");
}

#[test]
fn every_game_can_be_listed_shown_and_played_out() {
    let games = json(&["games", "--json"]);
    for game in games["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert_eq!(json(&["games", name, "--json"]), *game);
        let shown = json(&["show", name, "--json"]);
        assert_eq!(shown["game"], name);
        assert_eq!(shown["over"].as_bool().unwrap(), shown["player"].is_null(), "{name}");
        assert_eq!(shown["rewards"].as_array().unwrap().len() as u64, game["players"]);
        let played = json(&["playouts", name, "--games", "20", "--json"]);
        assert_eq!((&played["games"], &played["game"]), (&20.into(), &name.into()));
        assert_eq!(json(&["perft", name, "2", "--json"])["depths"][1]["depth"], 2);
        assert!(ludens(&["check", name, "--games", "5"]).status.success(), "{name}");
    }
}

#[test]
fn a_shown_state_is_read_again() {
    let shown = json(&["show", "tictactoe", "--moves", "b2 a1", "--json"]);
    let again = json(&["show", "tictactoe", "--state", shown["state"].as_str().unwrap(), "--json"]);
    assert_eq!(again["legal"], shown["legal"]);
}

#[test]
fn a_picture_is_drawn_into_the_file_and_nothing_else_is_left() {
    let folder = folder("picture");
    let file = folder.join("a.svg");
    assert!(ludens(&["show", "tictactoe", "--svg", file.to_str().unwrap()]).status.success());
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("<svg"));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}

/// The pictures of the documents: the file, and what is shown.
const PICTURES: &[(&str, [&str; 3])] = &[
    ("2048", ["2048", "--state", "4 . 2 ./2 2 . ./16 16 2 ./128 32 8 . player 1"]),
    ("connect4", ["connect4", "--moves", "4 4 3 3 5 2 6"]),
    ("hex", ["hex:size=5", "--moves", "c3 b4 d2 b3 c2 b2 e1 d1 b5"]),
    ("othello", ["othello", "--moves", "f5 d6 c3 d3 c4 f4 f6 f3"]),
    ("tictactoe", ["tictactoe", "--moves", "b2 a1 c1 a3 a2"]),
];

#[test]
fn pictures_in_the_documents_are_as_the_command_draws_them() {
    let folder = folder("pictures");
    for (name, [game, option, text]) in PICTURES {
        let (drawn, kept) = (folder.join("new.svg"), format!("docs/pictures/{name}.svg"));
        let drawn_by = ["show", game, option, text, "--svg", drawn.to_str().unwrap()];
        assert!(ludens(&drawn_by).status.success(), "{drawn_by:?}");
        if std::env::var_os("LUDENS_BLESS").is_some() {
            std::fs::copy(&drawn, &kept).unwrap();
        }
        let same = std::fs::read(&drawn).unwrap() == std::fs::read(&kept).unwrap_or_default();
        assert!(same, "{kept} differs; see `cargo xtask bless`");
    }
}

#[test]
fn the_champion_of_2048_is_watched_to_the_end() {
    let watched = ludens(&["watch", "2048", "--seed", "1", "--every", "100000"]);
    assert!(watched.status.success(), "{watched:?}");
    let text = String::from_utf8(watched.stdout).unwrap();
    assert!(text.starts_with("Player 1 is the champion. Seed 1.\n"), "{text}");
    assert!(text.lines().count() > 500, "{text}");
    assert!(text.lines().last().unwrap().starts_with("The game is over: "), "{text}");
}

#[test]
fn manual_pages_and_completions_are_written() {
    let folder = folder("man");
    assert!(ludens(&["man", "--dir", folder.to_str().unwrap()]).status.success());
    assert!(folder.join("ludens-play.1").exists());
    let page = String::from_utf8(ludens(&["man"]).stdout).unwrap();
    assert!(page.contains(".TH ludens 1"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = String::from_utf8(ludens(&["completions", shell]).stdout).unwrap();
        assert!(script.contains("playouts"), "{shell}");
    }
}

#[test]
fn output_that_nobody_reads_is_no_failure() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    let mut child = command.args(["completions", "zsh"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_full_disk_is_told_with_exit_code_one() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    let output = command.arg("games").stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: the output cannot be written: "), "{told}");
}

#[test]
fn input_that_is_no_text_does_no_harm() {
    let folder = folder("bytes");
    let file = folder.join("input");
    std::fs::write(&file, b"\xff\xfe\x00\nb2\n\xc3(").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    command.args(["play", "tictactoe", "--seed", "1"]);
    let output = command.stdin(std::fs::File::open(file).unwrap()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("Player 2 plays"));
}
