//! Where trainings of this process report to those who watch.

use crate::runs::run_id;
use crate::shared::Shared;
use crate::trainings::Learning;
use ludens_lab::{RunFolder, Stage};
use std::sync::Arc;

/// Where trainings of this process report to those who watch.
#[derive(Clone)]
pub struct Desk(pub(crate) Arc<Shared>);

/// A training that is watched; it has ended when this is dropped.
pub struct Watched {
    learning: Arc<Learning>,
    /// The run, as the page calls it.
    pub id: String,
}

impl Desk {
    /// Lets a run be watched, if it lies below the folder of all runs.
    pub fn watch(&self, folder: &RunFolder) -> Option<Watched> {
        let id = run_id(&self.0.runs, &folder.path)?;
        let learning = self.0.trainings.admit(&id).ok()?;
        Some(Watched { learning, id })
    }
}

impl Watched {
    /// Tells how far the run has come.
    pub fn progress(&self, stage: &Stage) {
        self.learning.progress(stage);
    }

    /// Whether somebody asked it to stop.
    pub fn is_stopping(&self) -> bool {
        self.learning.is_stopping()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.learning.end(None);
    }
}
