//! What all requests share.

use crate::contests::Contests;
use crate::lane::Lane;
use crate::limits::{LIMITS, Limits};
use crate::problem::Problem;
use crate::routes::Plain;
use crate::shelf::Shelf;
use crate::trainings::Trainings;
use ludens_lab::RunFolder;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What all requests share.
pub(crate) struct Shared {
    /// The folder that holds the runs.
    pub(crate) runs: PathBuf,
    token: bool,
    /// Where answers are found quickly.
    pub(crate) quick: Lane,
    /// Where agents think.
    pub(crate) deep: Lane,
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) shelf: Shelf,
    pub(crate) trainings: Trainings,
    pub(crate) contests: Contests,
}

/// What this server is.
#[derive(Serialize, JsonSchema)]
pub(crate) struct About {
    version: String,
    /// Where the runs lie.
    runs: String,
    /// Whether a token is asked for.
    token: bool,
    limits: Limits,
}

impl Shared {
    pub(crate) fn new(runs: PathBuf, token: bool) -> Shared {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Shared {
            runs,
            token,
            quick: Lane::new(8),
            deep: Lane::new(cores.clamp(2, 16)),
            streams: Arc::new(Semaphore::new(LIMITS.streams)),
            shelf: Shelf::default(),
            trainings: Trainings::default(),
            contests: Contests::default(),
        }
    }

    /// Lets everything that goes on come to an end.
    pub(crate) fn stop(&self) {
        self.trainings.stop_all();
        self.contests.stop_all();
    }

    /// The folder of a run, which must be one below the folder of all runs.
    pub(crate) fn folder(&self, id: &str) -> Result<RunFolder, Problem> {
        let plain = |part| matches!(part, Component::Normal(_));
        let below = !id.is_empty() && !id.contains('\\') && Path::new(id).components().all(plain);
        let folder = RunFolder { path: self.runs.join(id) };
        if below && folder.plan().is_file() {
            return Ok(folder);
        }
        Err(Problem::unknown(format!("there is no run {id:?}")))
    }
}

/// `GET /api/about`
pub(crate) fn about(shared: &Arc<Shared>, _: Plain) -> Result<About, Problem> {
    let runs = std::path::absolute(&shared.runs).unwrap_or_else(|_| shared.runs.clone());
    Ok(About {
        version: env!("CARGO_PKG_VERSION").into(),
        runs: runs.display().to_string(),
        token: shared.token,
        limits: LIMITS,
    })
}
