//! Readers of the files of runs.

use crate::problem::Problem;
use crate::runs_root::{holds_only_inside, is_inside};
use ludens_lab::{Metrics, RunFolder};
use ludens_registry::ValueFile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A line of `times.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Time")]
pub(crate) struct TimesRecord {
    /// Seconds since 1970.
    pub(crate) unix: u64,
    pub(crate) episode: u64,
    /// Seconds of learning since the line before.
    pub(crate) learning: f64,
    /// Seconds of measuring strength.
    pub(crate) measuring: f64,
    pub(crate) episodes_per_second: Option<f64>,
    pub(crate) moves_per_second: Option<f64>,
}

/// The maximum depth of a run below the folder of all runs.
const DEPTH: usize = 5;

/// The maximum number of folders to visit.
const FOLDERS: usize = 20_000;

/// Every folder of a run, with its id.
pub(crate) fn folders(runs: &Path) -> Vec<(String, RunFolder)> {
    let (mut found, mut left) = (Vec::new(), FOLDERS);
    collect(runs, runs, DEPTH, &mut left, &mut found);
    found
}

fn collect(
    runs: &Path,
    at: &Path,
    depth: usize,
    left: &mut usize,
    found: &mut Vec<(String, RunFolder)>,
) {
    let Ok(entries) = std::fs::read_dir(at) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if *left == 0 || depth == 0 || !path.is_dir() {
            continue;
        }
        *left -= 1;
        let folder = RunFolder { path: path.clone() };
        if !is_inside(runs, &path) {
            continue;
        }
        if folder.plan().is_file() {
            if !holds_only_inside(runs, &path) {
                continue;
            }
            found.extend(run_id(runs, &path).map(|id| (id, folder)));
        } else {
            collect(runs, &path, depth - 1, left, found);
        }
    }
}

/// The path of a folder below the folder of all runs.
pub(crate) fn run_id(runs: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(runs).ok()?;
    below.to_str().map(|text| text.replace('\\', "/"))
}

/// The learning curve so far; a line that is still being written is left out.
pub(crate) fn metrics(folder: &RunFolder) -> Vec<Metrics> {
    lines(&folder.metrics())
}

/// The times of a run.
pub(crate) fn times(folder: &RunFolder) -> Vec<TimesRecord> {
    lines(&folder.times())
}

fn lines<T: for<'a> Deserialize<'a>>(path: &PathBuf) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The document as JSON. Converting it by text avoids the meaningless digits of widened 32-bit
/// numbers.
pub(crate) fn short_json(document: &impl Serialize) -> Value {
    let text = serde_json::to_string(document).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// The number of episodes at the last checkpoint.
pub(crate) fn saved_episode(folder: &RunFolder) -> Option<u64> {
    ValueFile::open(folder.latest()?).ok()?.number("episode").ok()
}

/// The time of the last change in a folder, in seconds since 1970.
pub(crate) fn changed(folder: &RunFolder) -> u64 {
    let files = [folder.plan(), folder.metrics(), folder.checkpoint(), folder.value()];
    let time = |path: &PathBuf| std::fs::metadata(path).ok()?.modified().ok();
    let latest = files.iter().filter_map(time).max();
    let since = latest.and_then(|at| at.duration_since(std::time::SystemTime::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_secs())
}

/// The text of the plan of a run.
pub(crate) fn plan_text(folder: &RunFolder) -> Result<String, Problem> {
    std::fs::read_to_string(folder.plan()).map_err(|e| Problem::unknown(e.to_string()))
}
