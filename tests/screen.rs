//! The board on the whole screen, played over a terminal that only pretends to be one.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Everything that is written to a terminal while these keys are pressed one after the other.
///
/// Nothing where the system has no `script`.
fn played(command: &str, variables: &[(&str, &str)], keys: &[&str]) -> Option<String> {
    let command = format!("stty rows 24 cols 80; '{}' {command}", env!("CARGO_BIN_EXE_ludens"));
    let mut script = Command::new("script");
    script.args(["--quiet", "--flush", "--command", &command, "/dev/null"]);
    script.env("TERM", "xterm-256color").env_remove("NO_COLOR").envs(variables.iter().copied());
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = child.stdin.take().expect("the input is piped");
    for key in keys {
        std::thread::sleep(Duration::from_millis(600));
        input.write_all(key.as_bytes()).expect("the command reads");
    }
    let mut shown = String::new();
    let mut output = child.stdout.take().expect("the output is piped");
    output.read_to_string(&mut shown).expect("terminals show text");
    drop(input);
    child.wait().expect("the command ends");
    Some(shown)
}

#[test]
fn a_game_is_played_on_a_terminal() {
    let keys = ["b2\r", "\u{1b}[A", "\r", "!", "\u{7f}", "quit\r"];
    let command = "play tictactoe --against maxn:depth=9 --seed 1";
    let Some(shown) = played(command, &[], &keys) else { return };
    for expected in ["\u{1b}[?1049h", "48;2;", "Hint", "Taken", "\u{1b}[?1049l"] {
        assert!(shown.contains(expected), "{expected:?} in {shown:?}");
    }
    assert!(shown.contains("You left the game. To go on: ludens play tictactoe"), "{shown:?}");
}

#[test]
fn no_colours_are_sent_where_none_are_wanted() {
    let played = played("play connect4 --seed 1", &[("NO_COLOR", "1")], &["4\r", "\u{3}"]);
    let Some(shown) = played else { return };
    assert!(shown.contains("\u{1b}[?1049h") && !shown.contains("48;2;"), "{shown:?}");
}

#[test]
fn plain_text_is_played_on_request() {
    let Some(shown) = played("play tictactoe --plain --seed 3", &[], &["b2\n", "quit\n"]) else {
        return;
    };
    assert!(!shown.contains("\u{1b}[?1049h") && shown.contains("Player 2 plays"), "{shown:?}");
}

/// The lines that were drawn one over the other while a game was learned, without colours.
fn training_lines(columns: usize) -> Option<Vec<String>> {
    let out = std::env::temp_dir().join(format!("ludens-bar-{columns}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&out);
    let program = env!("CARGO_BIN_EXE_ludens");
    let train = "train tictactoe --episodes 40k --every 10k --eval max-n:20 --out";
    let command = format!("stty rows 24 cols {columns}; '{program}' {train} '{}'", out.display());
    let output = Command::new("script")
        .args(["--quiet", "--flush", "--command", &command, "/dev/null"])
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    std::fs::remove_dir_all(&out).expect("the run has a folder");
    let shown = String::from_utf8(output.stdout).expect("terminals show text");
    let drawn = shown.split("\r\u{1b}[2K").skip(1).map(|line| line.split('\r').next());
    Some(drawn.flatten().map(str::to_owned).filter(|line| line.starts_with('[')).collect())
}

#[test]
fn the_progress_line_is_never_wider_than_the_terminal() {
    for columns in [40, 80, 200] {
        let Some(lines) = training_lines(columns) else { return };
        assert!(!lines.is_empty(), "{columns} columns");
        for line in lines {
            assert!(line.chars().count() < columns, "{columns} columns: {line:?}");
        }
    }
}

#[test]
fn agents_are_watched_with_pauses_and_single_moves() {
    let command = "watch connect4 champion random --seed 1 --pace 0.1";
    let Some(shown) = played(command, &[], &[" ", "s", "+", "q"]) else { return };
    for expected in ["Space pause", "a move every", "paused", "ludens watch connect4"] {
        assert!(shown.contains(expected), "{expected:?} in {shown:?}");
    }
}

#[test]
fn a_game_is_asked_for_if_none_is_named() {
    let Some(shown) = played("play --plain --seed 1", &[], &["nothing\n", "tictactoe\n", "quit\n"])
    else {
        return;
    };
    for expected in ["Which game", "no game is called", "the champion at level 5 of 10"] {
        assert!(shown.contains(expected), "{expected:?} in {shown:?}");
    }
}
