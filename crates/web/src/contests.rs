//! Matches and tournaments of this process.

mod live;
mod routes;

pub(crate) use live::events;
pub(crate) use routes::{all, one, picture, remove, start, stop};

use crate::limits::LIMITS;
use crate::problem::Problem;
use ludens_core::Cancellation;
use ludens_registry::arena::{ContestReport, ProgressObserver, TournamentReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// Contests of this process, the newest last.
#[derive(Default)]
pub(crate) struct ContestJobs {
    all: Mutex<VecDeque<Arc<ContestJob>>>,
    numbers: AtomicU64,
}

/// A match or tournament.
pub(crate) struct ContestJob {
    number: u64,
    plan: ContestRequest,
    begun: Instant,
    expected: AtomicUsize,
    done: AtomicUsize,
    /// Reaches whatever the agents of the contest do.
    token: Cancellation,
    /// Forgotten by the page; its thread may have to end yet.
    removed: AtomicBool,
    end: Mutex<Option<ContestEnd>>,
}

/// Who plays what, how often.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename = "Plan", deny_unknown_fields)]
pub(crate) struct ContestRequest {
    kind: ContestKind,
    /// The game: name or name:key=value,...
    game: String,
    agents: Vec<String>,
    /// Games in all, or of each group in a tournament.
    #[serde(default = "default_games")]
    games: usize,
    /// Where games begin.
    #[serde(default = "default_openings")]
    openings: String,
    #[serde(default = "crate::position::default_seed")]
    seed: u64,
}

fn default_games() -> usize {
    100
}

fn default_openings() -> String {
    "start".into()
}

/// Two sides, or everybody against everybody.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename = "Kind", rename_all = "lowercase")]
enum ContestKind {
    Match,
    Tournament,
}

/// The result of a contest.
enum ContestEnd {
    Match(Box<ContestReport>),
    Tournament(Box<TournamentReport>),
    Stopped,
    Failed(String),
}

/// The maximum number of contests to keep.
const KEPT: usize = 50;

impl ContestJobs {
    /// A place for one more, if there is one.
    fn admit(&self, plan: ContestRequest, expected: usize) -> Result<Arc<ContestJob>, Problem> {
        let mut all = self.lock();
        all.retain(|contest| contest.is_playing() || !contest.is_removed());
        let playing = all.iter().filter(|contest| contest.is_playing()).count();
        if playing >= LIMITS.contests {
            let reason = format!("{playing} contests go on already, as many as are allowed");
            return Err(Problem::too_many(reason));
        }
        let contest = Arc::new(ContestJob {
            number: 1 + self.numbers.fetch_add(1, Ordering::Relaxed),
            plan,
            begun: Instant::now(),
            expected: AtomicUsize::new(expected),
            done: AtomicUsize::new(0),
            token: Cancellation::new(),
            removed: AtomicBool::new(false),
            end: Mutex::new(None),
        });
        all.push_back(Arc::clone(&contest));
        if all.len() > KEPT
            && let Some(oldest) = all.iter().position(|contest| !contest.is_playing())
        {
            all.remove(oldest);
        }
        Ok(contest)
    }

    fn find(&self, number: u64) -> Result<Arc<ContestJob>, Problem> {
        let found = self.all().into_iter().find(|contest| contest.number == number);
        found.ok_or_else(|| Problem::unknown(format!("there is no contest {number}")))
    }

    /// The contests that the page shows.
    fn all(&self) -> Vec<Arc<ContestJob>> {
        self.lock().iter().filter(|contest| !contest.is_removed()).cloned().collect()
    }

    pub(crate) fn stop_all(&self) {
        self.lock().iter().for_each(|contest| contest.stop());
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<ContestJob>>> {
        self.all.lock().expect("nobody panics while looking")
    }
}

impl ContestJob {
    fn is_playing(&self) -> bool {
        self.lock().is_none()
    }

    fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Relaxed)
    }

    /// Cancels whatever its agents do, so that its threads end soon.
    fn stop(&self) {
        self.token.cancel();
    }

    /// Stops and forgets it; until its threads have ended it counts as going on.
    fn remove(&self) {
        self.stop();
        self.removed.store(true, Ordering::Relaxed);
    }

    fn fail(&self, reason: String) {
        *self.lock() = Some(ContestEnd::Failed(reason));
    }

    fn lock(&self) -> MutexGuard<'_, Option<ContestEnd>> {
        self.end.lock().expect("nobody panics while looking")
    }

    /// Games played, games expected, and seconds left.
    fn progress(&self) -> (usize, usize, Option<f64>) {
        let done = self.done.load(Ordering::Relaxed);
        let expected = self.expected.load(Ordering::Relaxed).max(done);
        let each = self.begun.elapsed().as_secs_f64() / done.max(1) as f64;
        let left = (done > 0 && self.is_playing()).then(|| each * (expected - done) as f64);
        (done, expected, left)
    }
}

impl ProgressObserver for ContestJob {
    fn expect(&self, games: usize) {
        self.expected.fetch_max(self.done.load(Ordering::Relaxed) + games, Ordering::Relaxed);
    }

    fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.token.is_cancelled()
    }
}
