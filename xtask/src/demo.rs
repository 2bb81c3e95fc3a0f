//! The moving picture of the README: a training and then a game, as the command prints them.

mod screen;

use crate::command::{Program, workspace};
use screen::Recording;
use std::fs;

pub(crate) const ABOUT: &str = "draws docs/pictures/demo.svg: a training, then a game against it";

/// Where the training run goes.
const FOLDER: &str = "target/demo";
const PICTURE: &str = "docs/pictures/demo.svg";

const TRAIN: &str = "ludens train connect4 --episodes 20k";
const PLAY: &str = "ludens play connect4 --against greedy:runs/connect4-default-1 --seed 1";
/// What the person plays; the seeds of both commands make the game the same every time.
const MOVES: [&str; 15] =
    ["4", "3", "5", "4", "2", "4", "1", "5", "2", "1", "2", "5", "3", "3", "3"];
/// What stands in front of each of these moves.
const PROMPT: &str = "player 1> ";

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let folder = workspace().join(FOLDER);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("{FOLDER}: {e}"))?;
    Program::new("cargo build --release").run()?;
    let mut recording = Recording::default();
    record_training(&mut recording, &output(TRAIN)?);
    record_game(&mut recording, &output(&format!("printf '{}' | {PLAY}", MOVES.join("\\n")))?)?;
    let picture = recording.to_svg();
    fs::write(workspace().join(PICTURE), &picture).map_err(|e| format!("{PICTURE}: {e}"))?;
    println!("{PICTURE}: {} bytes, {:.0} seconds", picture.len(), recording.seconds());
    Ok(())
}

/// What a line of the shell prints in the folder of the demonstration.
fn output(line: &str) -> Result<String, String> {
    let path = workspace().join("target/release").display().to_string();
    let line = format!("cd {FOLDER} && PATH='{path}':$PATH && {line}");
    Program::new("sh -c").arg(&line).env("LUDENS_CACHE", "off").output()
}

/// The settings at once, the measurements one by one, and the result for some seconds.
fn record_training(recording: &mut Recording, printed: &str) {
    recording.type_command(TRAIN);
    let is_measurement = |line: &str| line.contains(" episodes  ");
    let mut measured = false;
    for line in printed.lines() {
        if is_measurement(line) {
            recording.show_for(if measured { 0.2 } else { 1.5 });
            measured = true;
        }
        if line.starts_with("share of optimal moves") || line.starts_with("What next") {
            recording.show_for(2.0);
        }
        recording.print(line);
    }
    recording.show_for(4.0);
}

/// One picture after each move of the person, and after each answer.
fn record_game(recording: &mut Recording, printed: &str) -> Result<(), String> {
    recording.type_command(PLAY);
    let mut parts = printed.split(PROMPT);
    parts.next().unwrap_or_default().lines().for_each(|line| recording.print(line));
    for part in parts {
        let (typed, answer) = part.split_once('\n').unwrap_or((part, ""));
        recording.print(PROMPT);
        recording.show_for(0.7);
        recording.append(typed);
        recording.show_for(0.3);
        answer.lines().for_each(|line| recording.print(line));
    }
    recording.show_for(5.0);
    let won = printed.contains("You win");
    if won { Ok(()) } else { Err(format!("the game goes otherwise now:\n{printed}")) }
}
