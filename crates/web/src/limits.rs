//! How much one server does for anybody.

use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// How much one server does for anybody.
#[derive(Copy, Clone, Debug, Serialize, JsonSchema)]
#[serde(rename = "Limits")]
pub(crate) struct ServerLimits {
    /// Bytes of a request.
    pub(crate) body: usize,
    /// Moves and events of a game.
    pub(crate) plies: usize,
    /// Lines that a search tries for one move.
    pub(crate) iterations: u64,
    /// Seconds that an agent thinks.
    pub(crate) seconds: f64,
    /// Trainings at the same time.
    pub(crate) trainings: usize,
    /// Matches and tournaments at the same time.
    pub(crate) contests: usize,
    /// Games of a match, or of a group in a tournament.
    pub(crate) games: usize,
    /// Agents in a match or tournament.
    pub(crate) agents: usize,
    /// Streams of events at the same time.
    pub(crate) streams: usize,
}

pub(crate) const LIMITS: ServerLimits = ServerLimits {
    body: 256 * 1024,
    plies: 20_000,
    iterations: 200_000,
    seconds: 20.0,
    trainings: 2,
    contests: 2,
    games: 100_000,
    agents: 16,
    streams: 64,
};

/// Connections at the same time; more wait to be accepted.
pub(crate) const CONNECTIONS: usize = 512;

/// Requests that wait for their turn in one lane.
pub(crate) const MAX_QUEUED: usize = 1024;

/// How long a client may take to send a request.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a request waits for its answer.
pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

/// How often streams look for something new.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// How often a silent stream shows that it is alive.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
