//! A progress line for all runs of an experiment.

use crate::progress::ProgressLine;
use ludens_experiment::{ExperimentObserver, RunKey};
use ludens_lab::TrainingProgress;
use std::sync::Mutex;

/// A progress line for all runs of an experiment.
pub(super) struct Display<'a> {
    pairs: &'a [RunKey],
    state: Mutex<DisplayState>,
}

struct DisplayState {
    /// The share of each run that is done.
    shares: Vec<f64>,
    /// The number of runs to execute.
    wanted: usize,
    failed: usize,
    line: ProgressLine,
}

impl DisplayState {
    fn draw(&self) {
        self.line.done(self.shares.iter().sum::<f64>() / self.wanted as f64);
    }
}

impl Display<'_> {
    pub(super) fn new<'a>(pairs: &'a [RunKey], indices: &[usize]) -> Display<'a> {
        let line = ProgressLine::new(format!("{} runs", indices.len()));
        let (shares, wanted) = (vec![0.0; pairs.len()], indices.len().max(1));
        Display { pairs, state: Mutex::new(DisplayState { shares, wanted, failed: 0, line }) }
    }

    /// The number of failed runs.
    pub(super) fn failed(&self) -> usize {
        self.lock().failed
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, DisplayState> {
        self.state.lock().expect("nobody panics while holding it")
    }

    fn print_line(&self, index: usize, what: &str) {
        let RunKey { variant, seed } = &self.pairs[index];
        eprintln!("{}, seed {seed}: {what}", variant.name);
    }
}

impl ExperimentObserver for Display<'_> {
    fn progress(&self, index: usize, progress: &TrainingProgress) {
        let mut state = self.lock();
        state.shares[index] = progress.episode as f64 / progress.episodes.max(1) as f64;
        state.draw();
    }

    fn warn(&self, index: usize, what: &str) {
        self.print_line(index, what);
    }

    fn ended(&self, index: usize, result: Result<(), &str>) {
        let mut state = self.lock();
        state.shares[index] = 1.0;
        state.draw();
        if let Err(reason) = result {
            state.failed += 1;
            self.print_line(index, reason);
        }
    }
}
