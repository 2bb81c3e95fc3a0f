//! The state that all requests share.

use crate::agent_cache::AgentCache;
use crate::contests::ContestJobs;
use crate::job_queue::JobQueue;
use crate::limits::{LIMITS, ServerLimits};
use crate::problem::Problem;
use crate::routes::NoInput;
use crate::runs_root::{below, holds_only_inside};
use crate::trainings::TrainingJobs;
use ludens_lab::RunFolder;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The state that all requests share.
pub(crate) struct AppState {
    /// The folder that holds the runs.
    pub(crate) runs: PathBuf,
    token: bool,
    /// The queue of fast requests.
    pub(crate) quick: JobQueue,
    /// The queue of requests in which agents search.
    pub(crate) deep: JobQueue,
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) agent_cache: AgentCache,
    pub(crate) trainings: TrainingJobs,
    pub(crate) contests: ContestJobs,
}

/// What this server is.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "About")]
pub(crate) struct AboutView {
    version: String,
    /// Where the runs lie.
    runs: String,
    /// Whether a token is asked for.
    token: bool,
    limits: ServerLimits,
}

impl AppState {
    pub(crate) fn new(runs: PathBuf, token: bool) -> AppState {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        AppState {
            runs,
            token,
            quick: JobQueue::new(8),
            deep: JobQueue::new(cores.clamp(2, 16)),
            streams: Arc::new(Semaphore::new(LIMITS.streams)),
            agent_cache: AgentCache::default(),
            trainings: TrainingJobs::default(),
            contests: ContestJobs::default(),
        }
    }

    /// Stops all training runs and contests.
    pub(crate) fn stop(&self) {
        self.trainings.stop_all();
        self.contests.stop_all();
    }

    /// The folder of a run, which must be one below the folder of all runs.
    pub(crate) fn folder(&self, id: &str) -> Result<RunFolder, Problem> {
        let path = below(&self.runs, id).filter(|path| holds_only_inside(&self.runs, path));
        let folder = path.map(|path| RunFolder { path }).filter(|run| run.plan().is_file());
        folder.ok_or_else(|| Problem::unknown(format!("there is no run {id:?}")))
    }
}

/// `GET /api/about`
pub(crate) fn about(app: &Arc<AppState>, _: NoInput) -> Result<AboutView, Problem> {
    let runs = std::path::absolute(&app.runs).unwrap_or_else(|_| app.runs.clone());
    Ok(AboutView {
        version: env!("CARGO_PKG_VERSION").into(),
        runs: runs.display().to_string(),
        token: app.token,
        limits: LIMITS,
    })
}
