//! Saving a run: checkpoints, the final value and the summary.

use super::check::kept_texts;
use super::clock::RunClock;
use super::{Observer, REPORT_EVERY, Run, RunOptions};
use crate::metrics::{Metrics, read_metrics};
use crate::{RunError, Summary};
use ludens_files::{PendingFile, discard_file, replace_file, replace_file_later};
use ludens_registry::{Content, write_value};
use std::path::Path;
use std::time::{Duration, Instant};

/// The number of attempts to write to a full disk.
const WAITS: usize = 60;

impl Run {
    /// Saves a checkpoint.
    pub(super) fn save(&mut self, path: &Path) -> Result<(), RunError> {
        self.save_about(path, None)
    }

    /// Saves the value if its evaluation is the highest so far. A failure is only a warning.
    pub(super) fn keep_if_best(&mut self, line: &Metrics, observer: &mut dyn Observer) {
        let Some(found) = &line.evaluation else { return };
        if self.best.is_some_and(|best| found.figure <= best) {
            return;
        }
        self.best = Some(found.figure);
        let evaluation = format!("{} {}", found.protocol, found.figure);
        let about = Some(("evaluation".to_owned(), evaluation));
        let path = self.folder.best();
        // A second attempt survives a passing fault.
        let saved =
            self.save_about(&path, about.clone()).or_else(|_| self.save_about(&path, about));
        if let Err(e) = saved {
            observer.warn(&format!("the best value could not be saved: {e}; training continues"));
        }
    }

    fn save_about(&mut self, path: &Path, about: Option<(String, String)>) -> Result<(), RunError> {
        // If an earlier checkpoint failed, there is an older one, and now something newer.
        drop(self.pending.take());
        let content = self.synced_content(about)?;
        replace_file(path, |out| write_value(out, &content)).map_err(RunError::file(path))
    }

    /// What is to be saved, after the lines that it promises.
    fn synced_content(&mut self, about: Option<(String, String)>) -> Result<Content<'_>, RunError> {
        self.metrics.sync()?;
        self.games.sync()?;
        let kept = kept_texts(self.metrics.end(), self.games.end(), &self.plan);
        let mut content = self.training.content();
        content.about.extend(kept.into_iter().chain(about));
        Ok(content)
    }

    /// Saves a checkpoint now and then, and learns on while the disk is at work.
    ///
    /// The old one stays until the new one is complete, so that a failure is only a warning, and a
    /// lasting one is told once.
    pub(super) fn save_or_warn(
        &mut self,
        clock: &mut RunClock,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let path = self.folder.checkpoint();
        let begun = self.synced_content(None).and_then(|content| {
            replace_file_later(&path, |out| write_value(out, &content))
                .map_err(RunError::file(&path))
        });
        clock.saved = Instant::now();
        match begun {
            Ok(pending) => {
                self.pending = Some(pending);
                Ok(())
            }
            Err(error) => self.tell_saved(Err(error), clock, observer),
        }
    }

    /// Waits for the checkpoint that is on its way to the disk.
    pub(super) fn end_saving(
        &mut self,
        clock: &mut RunClock,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let saved = PendingFile::wait(pending).map_err(RunError::file(&self.folder.checkpoint()));
        self.tell_saved(saved, clock, observer)
    }

    fn tell_saved(
        &self,
        saved: Result<(), RunError>,
        clock: &mut RunClock,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let mut failed = saved.err();
        if let Some(error) = failed.take_if(|_| self.folder.is_gone()) {
            return Err(error);
        }
        let failed = failed.map(|e| e.to_string());
        if let Some(reason) = failed.as_ref().filter(|_| failed != clock.not_saved) {
            observer.warn(&format!("the run could not be saved: {reason}; training continues"));
        }
        clock.not_saved = failed;
        Ok(())
    }

    /// The reason behind an error: without its folder, a run can be saved nowhere.
    pub(super) fn explained(&self, error: RunError) -> RunError {
        if !self.folder.is_gone() {
            return error;
        }
        RunError::Stuck(format!(
            "{} is gone: it was deleted or renamed while the run was at work, which cannot be saved",
            self.folder.path.display()
        ))
    }

    /// Saves a checkpoint, and retries while the disk is full until `stop` returns true.
    pub(super) fn save_with_retries(
        &mut self,
        path: &Path,
        options: RunOptions,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let stopping = stop();
        for attempt in 0..WAITS {
            match self.save(path).err() {
                None => return Ok(()),
                // No waiting brings a deleted folder back.
                Some(e) if stopping || stop() || self.folder.is_gone() => return Err(e),
                Some(e) if attempt == 0 => {
                    let wait = options.retry_every.as_secs();
                    let last = wait * WAITS as u64 / 60;
                    observer.warn(&format!(
                        "{e}; trying again in {wait} seconds, for {last} minutes at most"
                    ));
                }
                Some(_) => {}
            }
            wait_unless(stop, options.retry_every);
        }
        self.save(path)
    }

    /// Saves the final value and writes the summary.
    pub(super) fn finish(
        &mut self,
        options: RunOptions,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<Summary, RunError> {
        self.save_with_retries(&self.folder.value(), options, stop, observer)?;
        // The final value is enough to resume from.
        discard_file(&self.folder.checkpoint());
        let curve = read_metrics(&self.folder.metrics())?;
        let mut summary = Summary::new(&self.plan, &curve);
        let best = self.folder.best();
        summary.best_file = best.exists().then(|| "best.safetensors".into());
        let json = serde_json::to_string_pretty(&summary).expect("a summary can be written");
        // The summary for programs comes last: with it, the run is finished.
        let files = [
            (self.folder.summary_text(), summary.to_text(&curve)),
            (self.folder.summary(), json + "\n"),
        ];
        for (path, text) in files {
            replace_file(&path, |out| out.write_all(text.as_bytes()))
                .map_err(RunError::file(&path))?;
        }
        Ok(summary)
    }
}

/// Waits for free disk space, or until `stop` returns true.
fn wait_unless(stop: &dyn Fn() -> bool, wait: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < wait && !stop() {
        std::thread::sleep(REPORT_EVERY.min(wait));
    }
}
