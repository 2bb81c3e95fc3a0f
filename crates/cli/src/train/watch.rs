//! A run that is monitored in the browser.

use crate::console::Console;
use crate::failure::Failure;
use crate::serve::ListenArgs;
use ludens_lab::{Run, TrainingProgress};
use ludens_web::MonitoredTraining;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// A run that is monitored in the browser.
pub(super) struct WatchedRun {
    watched: Option<MonitoredTraining>,
    server: JoinHandle<io::Result<()>>,
}

impl WatchedRun {
    /// Opens the page that shows the run.
    pub(super) fn begin(
        place: &ListenArgs,
        run: &Run,
        stop: Arc<AtomicBool>,
        out: &mut Console,
    ) -> Result<WatchedRun, Failure> {
        let server = place.bind(runs_around(&run.folder().path))?;
        let watched = server.monitor().watch(run.folder());
        let route = watched.as_ref().map(|watched| format!("#/runs?run={}", watched.id));
        place.announce(&server, &route.unwrap_or_default(), out)?;
        let run = move || server.run(&|| stop.load(Ordering::Relaxed));
        Ok(WatchedRun { watched, server: std::thread::spawn(run) })
    }

    pub(super) fn progress(&self, progress: &TrainingProgress) {
        if let Some(watched) = &self.watched {
            watched.progress(progress);
        }
    }

    /// Whether a user pressed stop on the page.
    pub(super) fn is_stopping(&self) -> bool {
        self.watched.as_ref().is_some_and(MonitoredTraining::is_stopping)
    }

    /// Shows the page until Ctrl-C.
    pub(super) fn stay(self) -> Result<(), Failure> {
        drop(self.watched);
        let ended = self.server.join();
        ended.unwrap_or_else(|_| Err(io::Error::other("the server died"))).map_err(Failure::failed)
    }
}

/// The folder of all runs: `runs` if the run lies there, else its parent.
fn runs_around(run: &Path) -> PathBuf {
    let usual = Path::new("runs");
    let parent = run.parent().filter(|parent| !parent.as_os_str().is_empty());
    if run.starts_with(usual) { usual.into() } else { parent.unwrap_or(Path::new(".")).into() }
}
