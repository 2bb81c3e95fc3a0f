//! Time that this thread was busy.

use std::time::Instant;

/// Counts the time that this thread was busy: other work on the machine does not count.
///
/// Where the system does not tell it, the time that passed must do.
#[derive(Debug)]
pub struct Clock {
    begun: Instant,
    busy: Option<f64>,
    together: bool,
}

impl Clock {
    /// Starts counting.
    pub fn start() -> Clock {
        Clock { begun: Instant::now(), busy: busy(), together: false }
    }

    /// Starts counting the time that all threads together were busy, in ticks of 10 ms.
    pub fn of_all_threads() -> Clock {
        Clock { begun: Instant::now(), busy: busy_together(), together: true }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        let now = if self.together { busy_together() } else { busy() };
        match (self.busy, now) {
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

/// Seconds that all threads, ended ones too, have been busy, where the system tells it (Linux).
fn busy_together() -> Option<f64> {
    /// The second field is a name that may hold spaces; after it, the user's and the system's time
    /// are the 12th and the 13th.
    const TIMES: std::ops::Range<usize> = 11..13;
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(") ").next()?.split(' ').collect();
    let ticks = fields.get(TIMES)?.iter().map(|field| field.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / TICKS)
}
