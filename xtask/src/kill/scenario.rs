//! The commands that are killed.

use super::compare::{same_files, same_progress};
use std::path::Path;

/// A command that goes on after a signal.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// The command that begins in this folder, or goes on there.
    pub(super) arguments: fn(&Path) -> Vec<String>,
    pub(super) is_finished: fn(&Path) -> bool,
    /// Whether it takes hours, and is ended as soon as it is finished as far as the test goes.
    pub(super) endless: bool,
    /// Compares the results in two folders.
    pub(super) compare: fn(&Path, &Path) -> Result<(), String>,
}

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "train",
        arguments: train,
        is_finished: |folder| folder.join("summary.json").exists(),
        endless: false,
        compare: same_files,
    },
    Scenario {
        name: "experiment",
        arguments: experiment,
        is_finished: |_| false,
        endless: false,
        compare: same_files,
    },
    Scenario {
        name: "sweep",
        arguments: sweep,
        is_finished: |_| false,
        endless: false,
        compare: same_files,
    },
    Scenario {
        name: "tournament",
        arguments: tournament,
        is_finished: |_| false,
        endless: false,
        compare: same_files,
    },
    Scenario {
        name: "book",
        arguments: book,
        is_finished: |folder| solved(folder) >= BOOK_POSITIONS,
        endless: true,
        compare: same_progress,
    },
];

/// So many positions of a book are solved: all would take hours.
pub(super) const BOOK_POSITIONS: u64 = 12;

/// Bytes of a solved position in the file of the progress.
pub(super) const BOOK_RECORD: u64 = 8;

/// The command runs beside the folder, so that reports that quote it are the same everywhere.
fn words(line: &str, folder: &Path) -> Vec<String> {
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    line.split_whitespace().map(|word| word.replace("{}", &folder)).collect()
}

fn train(folder: &Path) -> Vec<String> {
    if folder.join("run.toml").exists() {
        return words("train --resume {} --save-every 0.02", folder);
    }
    let settings = "--set step=tcl --set trace.lambda=0.5 --eval random:10 --every 2000";
    let start = "train tictactoe --episodes 20000 --save-every 0.02 --out {}";
    words(&format!("{start} {settings}"), folder)
}

fn experiment(folder: &Path) -> Vec<String> {
    words("experiment run farl-tictactoe --scale smoke --jobs 2 --out {}", folder)
}

fn sweep(folder: &Path) -> Vec<String> {
    let scans = "--scan trace.lambda 0,0.5 --seeds 2 --episodes 2000 --eval random:10";
    words(&format!("sweep tictactoe {scans} --out {{}}"), folder)
}

fn tournament(folder: &Path) -> Vec<String> {
    // The folder of results has to be there.
    let _ = std::fs::create_dir_all(folder);
    let files = "--record {}/games.jsonl --out {}/table.csv --out {}/table.json";
    let agents = "random endgame-random maxn:depth=2";
    words(&format!("tournament tictactoe {agents} --games 3000 {files}"), folder)
}

fn book(folder: &Path) -> Vec<String> {
    let _ = std::fs::create_dir_all(folder);
    words("solve connect4 --build-book --plies 10 --table 64 --out {}/a.book", folder)
}

fn solved(folder: &Path) -> u64 {
    std::fs::metadata(folder.join("a.progress")).map_or(0, |about| about.len() / BOOK_RECORD)
}
