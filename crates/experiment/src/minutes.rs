//! The CPU time of training, which reports omit.

use crate::{ExperimentRunner, RunKey};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The fields of a line of `times.jsonl` that matter here.
#[derive(Deserialize)]
struct TimesLine {
    episode: u64,
    learning: f64,
    /// Missing where the system does not tell, or several threads learned.
    cpu: Option<f64>,
}

impl ExperimentRunner {
    /// CPU minutes that a run learned up to an episode, without measuring; all if none is given.
    ///
    /// Wall-clock minutes where the CPU time is unknown; nothing if the run wrote none down.
    pub fn minutes(&self, pair: &RunKey, episode: Option<u64>) -> Option<f64> {
        let text = std::fs::read_to_string(self.run_folder(pair).times()).ok()?;
        // A run that was killed has learned some episodes twice; the last time counts.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<TimesLine>(line).ok());
        let seconds: BTreeMap<u64, f64> =
            lines.map(|line| (line.episode, line.cpu.unwrap_or(line.learning))).collect();
        let counted = seconds.iter().filter(|(at, _)| episode.is_none_or(|end| **at <= end));
        Some(counted.map(|(_, seconds)| seconds).sum::<f64>() / 60.0)
    }
}
