//! Time that this thread was busy.

use std::time::Instant;

/// Counts the time that this thread was busy: other work on the machine does not count.
///
/// Where the system does not tell it, the time that passed must do.
#[derive(Debug)]
pub struct Clock {
    begun: Instant,
    busy: Option<f64>,
}

impl Clock {
    /// Starts counting.
    pub fn start() -> Clock {
        Clock { begun: Instant::now(), busy: busy() }
    }

    /// Starts counting all time that passes, for work of several threads.
    pub fn by_the_wall() -> Clock {
        Clock { begun: Instant::now(), busy: None }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        match (self.busy, busy()) {
            // The system counts in ticks; what is shorter is told by the clock on the wall.
            (Some(from), Some(to)) if to > from => to - from,
            _ => self.begun.elapsed().as_secs_f64(),
        }
    }
}

/// Seconds that this thread has been busy, where the system tells it (Linux).
fn busy() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
