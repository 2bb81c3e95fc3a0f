//! Learning from the command line: what is left behind, and what survives.

mod damage;
mod sources;
mod survival;
mod threads;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    command.args(arguments);
    command
}

fn ludens(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = ludens(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// What is told of a mistake.
fn refused(arguments: &[&str]) -> String {
    let output = ludens(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("train").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("tests may write into their folder");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("our folders have plain names")
}

/// Long enough to be killed in the middle, with everything that a run may keep in mind.
const LONG: [&str; 10] = [
    "--episodes",
    "30000",
    "--set",
    "step=tcl",
    "--set",
    "trace.lambda=0.5",
    "--eval",
    "random:10",
    "--every",
    "2000",
];

fn begin(run: &Path) -> Child {
    let arguments = ["train", "tictactoe", "--save-every", "0.02", "--out", text(run)];
    let mut command = command(&arguments);
    command.args(LONG).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn resume(run: &Path) -> Child {
    let mut command = command(&["train", "--save-every", "0.02", "--resume", text(run)]);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn assert_same(a: &Path, b: &Path) {
    for name in ["metrics.jsonl", "games.jsonl", "value.safetensors", "summary.json"] {
        let read = |folder: &Path| std::fs::read(folder.join(name)).expect("the run is finished");
        assert!(read(a) == read(b), "{name} differs");
    }
}

#[test]
fn a_game_is_learned_looked_at_measured_and_played() {
    let run = folder("whole").join("run");
    let told = printed(&["train", "tictactoe", "--out", text(&run)]);
    assert!(told.contains("tictactoe, preset default") && told.contains("What next:"), "{told}");
    assert!(told.contains("max-n: 0.000 (0.000 to 0.000)"), "{told}");
    for name in ["run.toml", "metrics.jsonl", "games.jsonl", "times.jsonl", "summary.txt"] {
        assert!(run.join(name).exists(), "{name}");
    }
    let value = run.join("value.safetensors");
    let seen: Value =
        serde_json::from_str(&printed(&["inspect", text(&value), "--moves", "b2", "--json"]))
            .unwrap();
    assert_eq!(seen["moves"].as_array().unwrap().len(), 8);
    assert_eq!((&seen["episode"], &seen["player"]), (&30_000.into(), &2.into()));
    assert!(printed(&["inspect", text(&run), "--state", "xx./oo./..."]).contains("move"));
    let measured: Value = serde_json::from_str(&printed(&["eval", text(&run), "--json"])).unwrap();
    assert_eq!(measured["figure"]["mean"], 0.0);
    let agent = format!("greedy:{}", text(&value));
    let told = printed(&["measure", "tictactoe", &agent, "--protocol", "random", "--games", "50"]);
    assert!(told.contains("against random play (50 games"), "{told}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let all = folder("seeds");
    for (name, seed) in [("a", "7"), ("b", "7"), ("c", "8")] {
        let run = all.join(name);
        let arguments = ["train", "nim", "--episodes", "2000", "--seed", seed];
        printed(&[&arguments[..], &["--out", text(&run)]].concat());
    }
    assert_same(&all.join("a"), &all.join("b"));
    let value = |name: &str| std::fs::read(all.join(name).join("value.safetensors")).unwrap();
    assert!(value("a") != value("c"));
}

#[test]
fn settings_come_in_layers() {
    let all = folder("layers");
    let file = all.join("mine.toml");
    std::fs::write(&file, "[learner]\ngamma = 0.9\nalpha = 0.3\n").unwrap();
    let run = all.join("run");
    let layers = ["--preset", "farl", "--config", text(&file), "--set", "learner.alpha=0.25"];
    let rest = ["--episodes", "50", "--eval", "none", "--json", "--out", text(&run)];
    let told = printed(&[&["train", "nim"][..], &layers, &rest].concat());
    let document: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&document["episodes"], &document["preset"]), (&50.into(), &"farl".into()));
    let plan = std::fs::read_to_string(run.join("run.toml")).unwrap();
    for line in ["alpha = 0.25", "gamma = 0.9", "lambda = 0.5", "preset = \"farl\""] {
        assert!(plan.contains(line), "{line} in {plan}");
    }
}

#[test]
fn a_preset_is_a_file_that_means_the_same() {
    let all = folder("preset");
    let file = all.join("mine.toml");
    std::fs::write(&file, printed(&["preset", "show", "nim/farl"])).unwrap();
    let (a, b) = (all.join("a"), all.join("b"));
    let short = ["--episodes", "300", "--eval", "none"];
    printed(&[&["train", "nim", "--preset", "farl", "--out", text(&a)][..], &short].concat());
    printed(&[&["train", "--config", text(&file), "--out", text(&b)][..], &short].concat());
    let value = |run: &Path| std::fs::read(run.join("value.safetensors")).unwrap();
    assert!(value(&a) == value(&b));
}

#[test]
fn mistakes_are_explained_and_leave_nothing_behind() {
    let all = folder("mistakes");
    let file = all.join("mine.toml");
    std::fs::write(&file, "episodes = 10\n[learner]\nalfa = 1\n").unwrap();
    let out = all.join("run");
    let train =
        |arguments: &[&str]| refused(&[&["train"], arguments, &["--out", text(&out)]].concat());
    assert!(train(&["tictacto"]).contains("did you mean \"tictactoe\"?"));
    assert!(train(&["nim", "--preset", "frl"]).contains("did you mean \"farl\"?"));
    let told = train(&["nim", "--config", text(&file)]);
    assert!(told.contains("mine.toml, line 3: no setting is called \"alfa\""), "{told}");
    let told = train(&["nim", "--set", "explore.softmx.temperature=1"]);
    assert!(
        told.contains("explore: no choice is called \"softmx\"; did you mean \"softmax\"?"),
        "{told}"
    );
    assert!(train(&["nim", "--eval", "max-m"]).contains("did you mean \"max-n\"?"));
    assert!(train(&["hex", "--set", "value.ntuple.length=99"]).contains("99"));
    assert!(train(&["hex", "--config", "/nowhere"]).contains("/nowhere cannot be read"));
    assert!(!out.exists());
    assert!(refused(&["train", "--resume", text(&all)]).contains("holds no run"));
    let nothing = refused(&["inspect", "/nowhere/value.safetensors"]);
    assert!(nothing.contains("cannot be read"), "{nothing}");
    assert!(refused(&["eval", text(&file)]).contains("no file of learned values"));
}

#[test]
fn a_run_is_never_overwritten() {
    let run = folder("twice").join("run");
    let arguments = ["train", "nim", "--episodes", "20", "--eval", "none", "--out", text(&run)];
    printed(&arguments);
    let told = refused(&arguments);
    assert!(told.contains("holds a run already; `ludens train --resume"), "{told}");
    assert!(refused(&["train", "--resume", text(&run)]).contains("it has trained for 20 episodes"));
    printed(&["train", "--resume", text(&run), "--episodes", "30"]);
    let here = folder("numbered");
    for expected in ["runs/nim-default-1", "runs/nim-default-1-2"] {
        let mut command = command(&["train", "nim", "--episodes", "20", "--eval", "none"]);
        assert!(command.current_dir(&here).output().unwrap().status.success());
        assert!(here.join(expected).join("value.safetensors").exists(), "{expected}");
    }
}
