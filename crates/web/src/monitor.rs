//! Where trainings of this process report to those who watch.

use crate::app_state::AppState;
use crate::runs::run_id;
use crate::trainings::TrainingJob;
use ludens_lab::{RunFolder, TrainingProgress};
use std::sync::Arc;

/// Where trainings of this process report to those who watch.
#[derive(Clone)]
pub struct TrainingMonitor(pub(crate) Arc<AppState>);

/// A training that is watched; it has ended when this is dropped.
pub struct MonitoredTraining {
    learning: Arc<TrainingJob>,
    /// The run, as the page calls it.
    pub id: String,
}

impl TrainingMonitor {
    /// Lets a run be watched, if it lies below the folder of all runs.
    pub fn watch(&self, folder: &RunFolder) -> Option<MonitoredTraining> {
        let id = run_id(&self.0.runs, &folder.path)?;
        let learning = self.0.trainings.admit(&id).ok()?;
        Some(MonitoredTraining { learning, id })
    }
}

impl MonitoredTraining {
    /// Tells how far the run has come.
    pub fn progress(&self, stage: &TrainingProgress) {
        self.learning.progress(stage);
    }

    /// Whether somebody asked it to stop.
    pub fn is_stopping(&self) -> bool {
        self.learning.is_stopping()
    }
}

impl Drop for MonitoredTraining {
    fn drop(&mut self) {
        self.learning.end(None);
    }
}
