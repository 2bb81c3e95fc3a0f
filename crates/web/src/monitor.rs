//! Monitoring of training runs in this process.

use crate::app_state::AppState;
use crate::runs::run_id;
use crate::trainings::TrainingJob;
use ludens_lab::{RunFolder, TrainingProgress};
use std::sync::Arc;

/// Registers training runs of this process with the server.
#[derive(Clone)]
pub struct TrainingMonitor(pub(crate) Arc<AppState>);

/// A registered training run; dropping it marks the run as ended.
pub struct MonitoredTraining {
    learning: Arc<TrainingJob>,
    /// The run, as the page calls it.
    pub id: String,
}

impl TrainingMonitor {
    /// Registers a run, if it lies below the folder of all runs.
    pub fn watch(&self, folder: &RunFolder) -> Option<MonitoredTraining> {
        let id = run_id(&self.0.runs, &folder.path)?;
        let learning = self.0.trainings.admit(&id).ok()?;
        Some(MonitoredTraining { learning, id })
    }
}

impl MonitoredTraining {
    /// Tells how far the run has come.
    pub fn progress(&self, progress: &TrainingProgress) {
        self.learning.progress(progress);
    }

    /// Whether a client requested a stop.
    pub fn is_stopping(&self) -> bool {
        self.learning.is_stopping()
    }
}

impl Drop for MonitoredTraining {
    fn drop(&mut self) {
        self.learning.end(None);
    }
}
