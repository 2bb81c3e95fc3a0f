//! The progress line of a training run.

use crate::status_line::StatusLine;
use crate::words;
use ludens_lab::{Metrics, TrainingProgress};
use std::time::{Duration, Instant};

/// Letters of the bar itself.
const LENGTH: u64 = 20;
/// Learning time before the time left is worth telling.
const TRIAL: Duration = Duration::from_secs(2);

/// The progress line of a training run.
pub(super) struct TrainingBar {
    line: StatusLine,
    /// Episodes from one measurement to the next; `None` without measurements.
    every: Option<u64>,
    /// The start of training, and the number of episodes by then.
    start: Option<(Instant, u64)>,
    /// The start of the current measurement.
    measuring: Option<Instant>,
    /// The total time of the finished measurements, and their number.
    measured: (Duration, u32),
    latest: String,
}

impl TrainingBar {
    /// A line for a run that measures its strength `every` so many episodes.
    pub(super) fn new(every: Option<u64>) -> TrainingBar {
        TrainingBar {
            line: StatusLine::new(),
            every,
            start: None,
            measuring: None,
            measured: (Duration::ZERO, 0),
            latest: String::new(),
        }
    }

    /// Remembers the latest evaluation.
    pub(super) fn measured(&mut self, line: &Metrics) {
        if let Some(found) = &line.evaluation {
            self.latest = format!("{} {:.3}", found.protocol, found.figure);
        }
    }

    /// Draws the line anew.
    pub(super) fn draw(&mut self, progress: &TrainingProgress) {
        let (start, first) = *self.start.get_or_insert((Instant::now(), progress.episode));
        match (progress.measuring, self.measuring) {
            (true, None) => self.measuring = Some(Instant::now()),
            (false, Some(since)) => {
                let (time, count) = self.measured;
                self.measured = (time + since.elapsed(), count + 1);
                self.measuring = None;
            }
            _ => {}
        }
        if !self.line.is_shown() {
            return;
        }
        let now = self.measuring.map_or(Duration::ZERO, |since| since.elapsed());
        let pace = Pace {
            done: progress.episode - first,
            learning: start.elapsed().saturating_sub(self.measured.0 + now),
            measured: self.measured,
            every: self.every,
        };
        self.line.draw(&parts(progress, &pace, &self.latest));
    }

    /// Makes room for other lines.
    pub(super) fn clear(&mut self) {
        self.line.clear();
    }
}

/// How fast a run goes since it was begun or resumed.
struct Pace {
    /// Episodes learned in this time.
    done: u64,
    learning: Duration,
    /// The total time of the measurements, and their number.
    measured: (Duration, u32),
    every: Option<u64>,
}

impl Pace {
    /// Seconds until all episodes are learned and measured; `None` while that is a guess.
    fn seconds_left(&self, progress: &TrainingProgress) -> Option<f64> {
        if self.done == 0 || self.learning < TRIAL {
            return None;
        }
        let left = progress.episodes - progress.episode;
        let learning = self.learning.as_secs_f64() / self.done as f64 * left as f64;
        let (time, count) = self.measured;
        let measurements = self.every.map_or(0, |every| left.div_ceil(every.max(1)));
        let measuring = match count {
            0 => 0.0,
            _ => time.as_secs_f64() / f64::from(count) * measurements as f64,
        };
        Some(learning + measuring)
    }
}

/// The parts of the line, the most important ones first.
fn parts(progress: &TrainingProgress, pace: &Pace, latest: &str) -> [String; 6] {
    let &TrainingProgress { episode, episodes, moves, measuring } = progress;
    let filled = LENGTH * episode / episodes.max(1);
    let bar: String = (0..LENGTH).map(|i| if i < filled { '#' } else { '.' }).collect();
    let left = pace.seconds_left(progress);
    [
        format!("[{bar}] {} %", 100 * episode / episodes.max(1)),
        left.map_or(String::new(), |seconds| format!("{} left", words::rough_time(seconds))),
        if measuring { "measuring".into() } else { String::new() },
        latest.into(),
        format!("{} games/s", words::per_second(pace.done, pace.learning)),
        format!("{} moves/s", words::per_second(moves, pace.learning)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(episode: u64) -> TrainingProgress {
        TrainingProgress { episode, episodes: 1_000, moves: 40_000, measuring: false }
    }

    fn pace(learning: u64) -> Pace {
        let learning = Duration::from_secs(learning);
        Pace { done: 250, learning, measured: (Duration::ZERO, 0), every: None }
    }

    #[test]
    fn the_line_tells_speed_and_time_left() {
        let parts = parts(&progress(500), &pace(2), "max-n 0.500");
        let expected = [
            "[##########..........] 50 %",
            "4 s left",
            "",
            "max-n 0.500",
            "125 games/s",
            "20.0 k moves/s",
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn measurements_to_come_count_as_time_left() {
        // 500 episodes in 4 s, and five measurements of 3 s.
        let measured = (Duration::from_secs(6), 2);
        let pace = Pace { measured, every: Some(100), ..pace(2) };
        assert_eq!(pace.seconds_left(&progress(500)), Some(4.0 + 15.0));
    }

    #[test]
    fn the_time_left_is_not_guessed_in_the_first_seconds() {
        assert_eq!(pace(1).seconds_left(&progress(500)), None);
        assert_eq!(Pace { done: 0, ..pace(9) }.seconds_left(&progress(500)), None);
    }
}
