//! Watching agents play: the pace, pauses and single moves.

use super::app::App;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::time::{Duration, Instant};

/// The shortest and the longest time between moves that keys choose.
const RANGE: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(10));

/// The pace of a game without humans.
pub(super) struct Pace {
    pub(super) between_moves: Duration,
    pub(super) paused: bool,
    /// When the next move may be played.
    due: Instant,
    /// Whether one move is to be played in spite of a pause.
    step: bool,
}

impl Pace {
    pub(super) fn new(between_moves: Duration) -> Pace {
        Pace { between_moves, paused: false, due: Instant::now() + between_moves, step: false }
    }

    /// Whether the next move may be played now; if so, the time to the one after it begins.
    pub(super) fn allows_move(&mut self) -> bool {
        let due = !self.paused && Instant::now() >= self.due;
        if !due && !self.step {
            return false;
        }
        self.step = false;
        self.due = Instant::now() + self.between_moves;
        true
    }

    /// How long to wait for keys, at most.
    pub(super) fn wait(&self, at_most: Duration) -> Duration {
        let left = self.due.saturating_duration_since(Instant::now());
        if self.paused { at_most } else { left.min(at_most) }
    }

    fn change(&mut self, factor: f64) {
        let (least, most) = RANGE;
        self.between_moves = self.between_moves.max(least).mul_f64(factor).clamp(least, most);
        self.due = Instant::now() + self.between_moves;
    }
}

impl App {
    /// A key was pressed while watching.
    pub(super) fn press_watching(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let Some(pace) = &mut self.pace else { return };
        match key.code {
            KeyCode::Char('c') if control => self.leave(),
            KeyCode::Char('q') | KeyCode::Esc => self.leave(),
            KeyCode::Char(' ') => pace.paused = !pace.paused,
            KeyCode::Char('s') | KeyCode::Right => (pace.paused, pace.step) = (true, true),
            KeyCode::Char('+') => pace.change(0.5),
            KeyCode::Char('-') => pace.change(2.0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_allows_single_moves_only() {
        let mut pace = Pace::new(Duration::ZERO);
        assert!(pace.allows_move());
        pace.paused = true;
        assert!(!pace.allows_move());
        pace.step = true;
        assert!(pace.allows_move() && !pace.allows_move());
    }

    #[test]
    fn the_pace_stays_within_bounds() {
        let mut pace = Pace::new(Duration::ZERO);
        (0..20).for_each(|_| pace.change(2.0));
        assert_eq!(pace.between_moves, RANGE.1);
        assert!(!pace.allows_move());
        (0..20).for_each(|_| pace.change(0.5));
        assert_eq!(pace.between_moves, RANGE.0);
    }
}
