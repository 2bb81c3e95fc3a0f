//! Saving a run: checkpoints, the final value and the summary.

use super::{Observer, REPORT_EVERY, Run};
use crate::metrics::{Metrics, read_metrics};
use crate::{RunError, Summary};
use ludens_registry::{discard_file, replace_file, write_value};
use std::path::Path;
use std::time::{Duration, Instant};

/// The pause between attempts to write to a full disk, and the number of attempts.
const WAIT: Duration = Duration::from_secs(10);
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
        if let Err(e) = self.save_about(&self.folder.best(), about) {
            observer.warn(&format!("the best value could not be saved: {e}; the run goes on"));
        }
    }

    fn save_about(&mut self, path: &Path, about: Option<(String, String)>) -> Result<(), RunError> {
        // A saved run must not promise lines that are not there.
        self.metrics.sync()?;
        self.games.sync()?;
        let lengths = [("metrics-bytes", &self.metrics), ("games-bytes", &self.games)];
        let lengths = lengths.map(|(key, log)| (key.to_owned(), log.length().to_string()));
        let mut content = self.training.content();
        content.about.extend(lengths.into_iter().chain(about));
        replace_file(path, |out| write_value(out, &content)).map_err(RunError::file(path))
    }

    /// Saves a checkpoint, and retries while the disk is full until `stop` returns true.
    pub(super) fn save_with_retries(
        &mut self,
        path: &Path,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let stopping = stop();
        for _ in 0..WAITS {
            match self.save(path) {
                Ok(()) => return Ok(()),
                Err(e) if stopping || stop() => return Err(e),
                Err(e) => {
                    let wait = WAIT.as_secs();
                    observer.warn(&format!("{e}; trying again in {wait} seconds"));
                    wait_unless(stop);
                }
            }
        }
        self.save(path)
    }

    /// Saves the final value and writes the summary.
    pub(super) fn finish(
        &mut self,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<Summary, RunError> {
        self.save_with_retries(&self.folder.value(), stop, observer)?;
        // The final value is enough to resume from.
        discard_file(&self.folder.checkpoint());
        let curve = read_metrics(&self.folder.metrics())?;
        let mut summary = Summary::new(&self.plan, &curve);
        let best = self.folder.best();
        summary.best_file = best.exists().then(|| "best.safetensors".into());
        let json = serde_json::to_string_pretty(&summary).expect("a summary can be written");
        let files = [
            (self.folder.summary(), json + "\n"),
            (self.folder.summary_text(), summary.to_text(&curve)),
        ];
        for (path, text) in files {
            replace_file(&path, |out| out.write_all(text.as_bytes()))
                .map_err(RunError::file(&path))?;
        }
        Ok(summary)
    }
}

/// Waits for free disk space, or until `stop` returns true.
fn wait_unless(stop: &dyn Fn() -> bool) {
    let begun = Instant::now();
    while begun.elapsed() < WAIT && !stop() {
        std::thread::sleep(REPORT_EVERY);
    }
}
