//! Inputs without measure: refused with a reason, and never a bug.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn ludens(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludens")).args(arguments).output().expect("the command runs")
}

/// The message of a command that is invalid usage.
fn refused(arguments: &[&str]) -> String {
    let output = ludens(arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let shown: Vec<String> = arguments.iter().map(|a| a.chars().take(40).collect()).collect();
    assert_eq!(output.status.code(), Some(2), "{shown:?}: {told}");
    told
}

/// A folder of this test alone, which does not exist yet.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// What `train` says to these settings, if it refuses them and writes nothing.
fn refused_training(game: &str, settings: &[&str]) -> String {
    let out = folder("limits-run");
    let mut words = vec!["train", game, "--out", out.to_str().expect("a plain path")];
    words.extend(settings);
    let told = refused(&words);
    assert!(!out.exists(), "{settings:?} leaves {}", out.display());
    told
}

#[test]
fn agents_nested_without_end_are_refused() {
    for (open, close) in [("decay:agent=(", ")"), ("decay:agent=", ""), ("(", ")")] {
        let agent = format!("{}random{}", open.repeat(4000), close.repeat(4000));
        refused(&["match", "tictactoe", &agent, "random", "--games", "2"]);
        refused(&["show", &agent]);
        refused(&["play", "tictactoe", "--against", &agent]);
    }
    let long = format!("random{}", " ".repeat(70_000));
    refused(&["match", "tictactoe", &long, "random", "--games", "2"]);
}

#[test]
fn memory_is_counted_before_it_is_taken() {
    let tuple = |from: usize| format!("{:?}", (from..from + 7).collect::<Vec<_>>());
    let tuples: Vec<String> = (0..10).map(tuple).collect();
    let tuples = format!("value.ntuple.tuples=[{}]", tuples.join(","));
    // A limit of the address space, so that the figures do not depend on the machine.
    let limited = |command: &str| {
        let script = format!("ulimit -v 4000000; exec \"$0\" {command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_ludens")]);
        shell.current_dir(env!("CARGO_TARGET_TMPDIR")).output().expect("a shell")
    };
    for command in [
        format!("train 2048 --preset default --set '{tuples}' --out limits-memory"),
        format!("sweep 2048 --set '{tuples}' --scan learner.alpha 0.1,0.2 --out limits-memory"),
    ] {
        let output = limited(&command);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {told}");
        assert!(told.contains(" MB of memory, but only "), "{told}");
        assert!(told.contains("--force"), "{told}");
    }
}

#[test]
fn protocols_that_a_game_does_not_have_are_refused_before_anything_begins() {
    let out = folder("limits-protocol");
    let into = out.to_str().expect("a plain path");
    let scan = ["--scan", "learner.alpha", "0.1,0.2", "--out", into];
    let told = refused(&[&["sweep", "nim", "--eval", "solvd"][..], &scan].concat());
    assert!(told.contains("solvd") && told.contains("known:"), "{told}");
    let text = ludens(&["experiment", "show", "farl-tictactoe"]).stdout;
    let text = String::from_utf8(text).expect("text").replace("max-n", "bench-4ply");
    let file = folder("limits-protocol.toml");
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("a plain path");
    let told = refused(&["experiment", "run", file, "--scale", "smoke", "--out", into]);
    assert!(told.contains("bench-4ply"), "{told}");
    assert!(!out.exists(), "a folder was left at {into}");
}

#[test]
fn tuples_without_measure_are_refused_at_once() {
    let many = "value.ntuple.count=1000000000";
    let walk = "value.ntuple.tuples=\"king-walk\"";
    let told = refused_training("othello", &["--set", walk, "--set", many]);
    assert!(told.contains("expected 1 to 10000 tuples"), "{told}");
    let none = ["--set", "value.ntuple.tuples=\"walk\"", "--set", "value.ntuple.count=0"];
    assert!(refused_training("tictactoe", &none).contains("found 0"));
    assert!(
        refused_training("tictactoe", &["--set", "value.ntuple.tuples=[]"]).contains("found 0")
    );
    for game in ["2048", "hex:size=8", "othello", "connect4"] {
        let board = ["--set", "value.ntuple.tuples=\"board\""];
        assert!(refused_training(game, &board).contains("weights"), "{game}");
    }
}

#[test]
fn numbers_that_no_file_can_hold_are_refused() {
    for number in ["9223372036854775808", "18446744073709551615"] {
        for option in ["--episodes", "--every", "--seed"] {
            let told = refused_training("tictactoe", &[option, number]);
            assert!(told.contains(number), "{told}");
        }
    }
}

#[test]
fn a_question_without_end_is_an_error_and_not_the_end_of_questions() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    command.args(["analyze", "--game", "tictactoe", "--agent", "random"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        questions.write_all(b"{\"id\":1}\n")?;
        questions.write_all(&vec![b' '; 20 << 20])
    });
    let output = child.wait_with_output().unwrap();
    // The rest was not read.
    let _ = writer.join().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("cannot read: a line is longer than"), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("{\"id\":1,"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn paths_that_are_no_text_work() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let name = OsStr::from_bytes(b"limits-\xff\xfe");
    let run = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&run);
    let command = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
        command.args(words);
        command
    };
    let success = |output: Output| assert!(output.status.success(), "{output:?}");
    let options = ["--episodes", "20", "--eval", "none"];
    success(
        command(&["train", "tictactoe"]).args(options).arg("--out").arg(&run).output().unwrap(),
    );
    let more = command(&["train", "--episodes", "40", "--resume"]).arg(&run).output().unwrap();
    success(more);
    success(command(&["inspect"]).arg(&run).output().unwrap());
    success(command(&["eval"]).arg(&run).args(["--games", "4"]).output().unwrap());
    for game in [&["measure", "tictactoe"][..], &["match", "tictactoe", "random"]] {
        let agent = [b"greedy:", run.as_os_str().as_bytes()].concat();
        let arguments = [OsStr::from_bytes(&agent), OsStr::new("--games"), OsStr::new("4")];
        success(command(game).args(arguments).output().unwrap());
    }
    let mut show = command(&["show"]);
    let output = show.arg(OsStr::from_bytes(b"tic\xff")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
