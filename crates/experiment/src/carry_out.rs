//! Carrying out the runs of an experiment.

use crate::runner::failure_file;
use crate::{ExperimentRunner, RunKey, RunStatus};
use ludens_core::{Cancellation, Invalid};
use ludens_files::{discard_file, replace_file};
use ludens_lab::{
    Ended, Metrics, Observer, Run, RunError, RunFolder, RunOptions, TrainingProgress,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Observes the runs of an experiment, from several threads.
pub trait ExperimentObserver: Sync {
    /// Reports the progress of the run with this index.
    fn progress(&self, index: usize, progress: &TrainingProgress);

    /// Something went wrong that the run with this index survives.
    fn warn(&self, index: usize, what: &str);

    /// The run with this index ended; `Err` says why it failed.
    fn ended(&self, index: usize, result: Result<(), &str>);
}

impl ExperimentRunner {
    /// Executes the unfinished runs with these indices, several at a time.
    ///
    /// A failed run is reported to the observer and recorded, and the others continue.
    ///
    /// # Errors
    ///
    /// If the experiment itself is impossible; nothing has been run then.
    pub fn run(
        &self,
        indices: &[usize],
        jobs: usize,
        stop: &(dyn Fn() -> bool + Sync),
        observer: &dyn ExperimentObserver,
    ) -> Result<(), Invalid> {
        let pairs = self.pairs()?;
        self.check_plans()?;
        self.write_records()?;
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&index) = indices.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop() {
                    break;
                }
                self.run_pair(&pairs[index], index, stop, observer);
            }
        };
        let token = Cancellation::current();
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, indices.len().max(1)) {
                scope.spawn(|| token.scope(work));
            }
        });
        Ok(())
    }

    fn run_pair(
        &self,
        pair: &RunKey,
        index: usize,
        stop: &(dyn Fn() -> bool + Sync),
        observer: &dyn ExperimentObserver,
    ) {
        match self.other_settings(pair) {
            Ok(None) if self.progress(pair) == RunStatus::Finished => {
                return observer.ended(index, Ok(()));
            }
            Ok(None) => {}
            // The folder holds another run: do not write into it.
            Ok(Some(reason)) => return observer.ended(index, Err(&reason)),
            Err(error) => return observer.ended(index, Err(&error.to_string())),
        }
        let folder = self.run_folder(pair);
        let failure = failure_file(&folder);
        discard_file(&failure);
        let mut run_observer = RunObserver { index, observer };
        match self.go(pair, folder, stop, &mut run_observer) {
            Ok(true) => observer.ended(index, Ok(())),
            // Both go on from what is saved.
            Ok(false) | Err(RunError::Cancelled) => {}
            Err(error) => {
                let reason = error.to_string();
                // A run that another process is at work on has not failed.
                if !self.run_folder(pair).is_busy() {
                    // The observer gets the reason in any case; the file is for later commands.
                    let _ = replace_file(&failure, |out| writeln!(out, "{reason}"));
                }
                observer.ended(index, Err(&reason));
            }
        }
    }

    /// Goes on with a run, and says whether it is complete.
    fn go(
        &self,
        pair: &RunKey,
        folder: RunFolder,
        stop: &(dyn Fn() -> bool + Sync),
        observer: &mut dyn Observer,
    ) -> Result<bool, RunError> {
        let made = std::fs::create_dir_all(&folder.path);
        made.map_err(|error| RunError::File { path: folder.path.clone(), error })?;
        if !folder.summary().exists() {
            let mut run = if folder.plan().exists() {
                Run::resume(folder, None)?
            } else {
                Run::begin(self.plan(pair)?, folder)?
            };
            // Reports need the curve and the last value only.
            let options = RunOptions { keep_best: false, ..RunOptions::default() };
            if let Ended::Stopped(_) = run.go(options, &stop, observer)? {
                return Ok(false);
            }
        }
        self.try_players(pair, stop)
    }
}

/// Forwards the reports of a run to the observer of the experiment.
struct RunObserver<'a> {
    index: usize,
    observer: &'a dyn ExperimentObserver,
}

impl Observer for RunObserver<'_> {
    fn progress(&mut self, progress: &TrainingProgress) {
        self.observer.progress(self.index, progress);
    }

    fn line(&mut self, _: &Metrics) {}

    fn warn(&mut self, what: &str) {
        self.observer.warn(self.index, what);
    }
}
