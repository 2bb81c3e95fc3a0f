//! A progress line for training.

use crate::words;
use ludens_lab::{Metrics, TrainingProgress};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Letters of the bar itself.
const LENGTH: u64 = 20;

/// A progress line for training on standard error; on terminals only.
pub(super) struct TrainingBar {
    shown: bool,
    drawn: bool,
    /// The start of training, and the number of episodes by then.
    start: Option<(Instant, u64)>,
    /// The start of the current measurement, and the total time of measurements.
    measuring: Option<Instant>,
    measured: Duration,
    latest: String,
}

impl TrainingBar {
    pub(super) fn new() -> TrainingBar {
        TrainingBar {
            shown: std::io::stderr().is_terminal(),
            drawn: false,
            start: None,
            measuring: None,
            measured: Duration::ZERO,
            latest: String::new(),
        }
    }

    /// Remembers the latest evaluation.
    pub(super) fn measured(&mut self, line: &Metrics) {
        if let Some(found) = &line.evaluation {
            self.latest = format!(", {} {:.3}", found.protocol, found.figure);
        }
    }

    /// Draws the line anew.
    pub(super) fn draw(&mut self, progress: &TrainingProgress) {
        let (start, first) = *self.start.get_or_insert((Instant::now(), progress.episode));
        match (progress.measuring, self.measuring) {
            (true, None) => self.measuring = Some(Instant::now()),
            (false, Some(since)) => {
                self.measured += since.elapsed();
                self.measuring = None;
            }
            _ => {}
        }
        if !self.shown {
            return;
        }
        let learning = start.elapsed().saturating_sub(self.measured);
        let text = text(progress, progress.episode - first, learning, start.elapsed());
        let mut err = std::io::stderr();
        // Nothing is lost if it cannot be drawn.
        let _ = write!(err, "\r\x1b[2K{text}{}", self.latest);
        let _ = err.flush();
        self.drawn = true;
    }

    /// Makes room for other lines.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

impl Drop for TrainingBar {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The text of the line, `done` episodes after this session began.
fn text(progress: &TrainingProgress, done: u64, learning: Duration, elapsed: Duration) -> String {
    let &TrainingProgress { episode, episodes, moves, measuring } = progress;
    let filled = LENGTH * episode / episodes.max(1);
    let bar: String = (0..LENGTH).map(|i| if i < filled { '#' } else { '.' }).collect();
    let percent = 100 * episode / episodes.max(1);
    let games = words::per_second(done, learning);
    let moves = words::per_second(moves, learning);
    let left = match done {
        0 => String::new(),
        _ => {
            let seconds = elapsed.as_secs_f64() / done as f64 * (episodes - episode) as f64;
            format!(", {} left", words::rough_time(seconds))
        }
    };
    let what = if measuring { ", measuring" } else { "" };
    format!("[{bar}] {percent} % {games} games/s {moves} moves/s{left}{what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_speed_and_time_left() {
        let progress =
            TrainingProgress { episode: 500, episodes: 1_000, moves: 40_000, measuring: false };
        let text = text(&progress, 250, Duration::from_secs(1), Duration::from_secs(2));
        let expected = "[##########..........] 50 % 250 games/s 40.0 k moves/s, 4 s left";
        assert_eq!(text, expected);
    }
}
