//! The times of a run.

use crate::log::{Log, LogEnd};
use crate::metrics::Metrics;
use crate::{RunError, RunFolder};
use std::time::{Duration, Instant, SystemTime};

/// The timers of a run.
pub(super) struct RunClock {
    times: Log,
    pub(super) last_report: Instant,
    pub(super) saved: Instant,
    /// Why the last checkpoint could not be saved.
    pub(super) not_saved: Option<String>,
    pub(super) since_line: Instant,
    /// Moves up to the last line.
    pub(super) moves: u64,
    /// The CPU time of this thread at the last line, if the system tells it.
    cpu_at_line: Option<Duration>,
}

/// A line of `times.jsonl`.
#[derive(serde::Serialize)]
struct TimeLine {
    /// Seconds since 1970.
    unix: u64,
    episode: u64,
    /// Seconds of learning since the line before, or since the run was begun or resumed.
    learning: f64,
    /// The same in CPU time of this thread; the time to compare with other machines' loads.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<f64>,
    /// Seconds of measuring strength.
    measuring: f64,
    episodes_per_second: f64,
    moves_per_second: f64,
}

/// The time of learning since a line.
pub(super) struct Learned {
    wall: Duration,
    /// Of this thread.
    cpu: Option<Duration>,
}

impl RunClock {
    pub(super) fn start(folder: &RunFolder) -> Result<RunClock, RunError> {
        let path = folder.times();
        // A killed run may have left half a line.
        let written = std::fs::read(&path).unwrap_or_default();
        let length = written.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at as u64 + 1);
        let now = Instant::now();
        let times = Log::open(&path, LogEnd { length, checksum: None })?;
        Ok(RunClock {
            times,
            last_report: now,
            saved: now,
            not_saved: None,
            since_line: now,
            moves: 0,
            cpu_at_line: thread_cpu_time(),
        })
    }

    /// The wall-clock time of learning since the last line, and the CPU time if this thread learns
    /// `alone`.
    pub(super) fn learned(&self, alone: bool) -> Learned {
        let cpu = thread_cpu_time().zip(self.cpu_at_line).filter(|_| alone);
        Learned {
            wall: self.since_line.elapsed(),
            cpu: cpu.map(|(now, then)| now.saturating_sub(then)),
        }
    }

    pub(super) fn write_line(&mut self, line: &Metrics, learned: Learned) -> Result<(), RunError> {
        let measuring = self.since_line.elapsed().saturating_sub(learned.wall).as_secs_f64();
        let learning = learned.wall.as_secs_f64();
        let unix = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let times = TimeLine {
            unix: unix.as_secs(),
            episode: line.episode,
            learning,
            cpu: learned.cpu.map(|cpu| cpu.as_secs_f64()),
            measuring,
            episodes_per_second: line.episodes as f64 / learning,
            moves_per_second: line.moves as f64 / learning,
        };
        (self.since_line, self.cpu_at_line) = (Instant::now(), thread_cpu_time());
        let mut text = serde_json::to_vec(&times).expect("numbers can be written");
        text.push(b'\n');
        self.times.add(&text)
    }
}

/// The CPU time of this thread so far, where Linux tells it.
fn thread_cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
