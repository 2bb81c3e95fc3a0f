//! The limits of the server.

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

/// Connections at the same time; more take the place of silent ones. Tests hold both ends.
pub(crate) const CONNECTIONS: usize = if cfg!(test) { 128 } else { 512 };

/// The maximum number of jobs in one queue.
pub(crate) const MAX_QUEUED: usize = 1024;

/// The timeout for receiving a request.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeout for answering a request.
pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a training that was asked to stop may take for the game under way.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(5);

/// How long a training that was asked to stop may take for the measurement under way.
pub(crate) const STOP_GRACE_MEASURING: Duration = Duration::from_secs(60);

/// The interval between polls of an event source.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The interval between keep-alive messages on an idle stream.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
