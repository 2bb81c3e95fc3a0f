//! The remaining time, as the Go Text Protocol counts it.

use ludens_core::{PerPlayer, Player};
use std::time::Duration;

/// The time of both players: a main time, then periods for so many moves each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GtpClock {
    rules: Option<TimeSettings>,
    left: PerPlayer<TimeLeft>,
}

#[derive(Clone, Copy, Debug)]
struct TimeSettings {
    main: Duration,
    period: Duration,
    moves: u32,
}

/// The remaining time of one player: main time, or time for the moves of a period.
#[derive(Clone, Copy, Debug, Default)]
struct TimeLeft {
    time: Duration,
    /// None in main time.
    moves: Option<u32>,
}

/// Most moves that the rest of a game is taken to last for one player.
const EXPECTED_MOVES: u32 = 25;

/// Kept back for what is not thinking, in thousandths.
const RESERVE: u32 = 100;

impl GtpClock {
    /// Sets the time of both; a period without moves means no limit, as the protocol says.
    pub(super) fn set(&mut self, main: Duration, period: Duration, moves: u32) {
        let unlimited = !period.is_zero() && moves == 0;
        self.rules = (!unlimited).then_some(TimeSettings { main, period, moves });
        self.restart();
    }

    /// A new game begins.
    pub(super) fn restart(&mut self) {
        if let Some(rules) = self.rules {
            self.left = PerPlayer(std::array::from_fn(|_| rules.start()));
        }
    }

    /// Sets the remaining time as the controller reports it: main time, or time for this many
    /// moves.
    pub(super) fn correct(&mut self, player: Player, time: Duration, moves: u32) {
        let unknown = TimeSettings { main: time, period: Duration::ZERO, moves: 0 };
        self.rules.get_or_insert(unknown);
        self.left[player] = TimeLeft { time, moves: (moves > 0).then_some(moves) };
    }

    /// The time limit of the player's next move.
    pub(super) fn budget(&self, player: Player) -> Option<Duration> {
        let rules = self.rules?;
        let TimeLeft { time, moves } = self.left[player];
        let share = match moves {
            Some(moves) => time / moves.max(1),
            None if rules.moves > 0 => time / EXPECTED_MOVES + rules.period / rules.moves,
            None => time / EXPECTED_MOVES,
        };
        Some(share * (1000 - RESERVE) / 1000)
    }

    /// `player` has made a move in this time.
    pub(super) fn spend(&mut self, player: Player, spent: Duration) {
        let Some(rules) = self.rules else { return };
        let left = &mut self.left[player];
        match left.moves {
            None => {
                left.time = left.time.saturating_sub(spent);
                if left.time.is_zero() && rules.moves > 0 {
                    *left = rules.new_period();
                }
            }
            Some(1) => *left = rules.new_period(),
            Some(moves) => {
                *left = TimeLeft { time: left.time.saturating_sub(spent), moves: Some(moves - 1) };
            }
        }
    }
}

impl TimeSettings {
    fn start(self) -> TimeLeft {
        if self.main.is_zero() && self.moves > 0 {
            self.new_period()
        } else {
            TimeLeft { time: self.main, moves: None }
        }
    }

    fn new_period(self) -> TimeLeft {
        TimeLeft { time: self.period, moves: Some(self.moves.max(1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Player = Player(0);
    const WHITE: Player = Player(1);

    fn seconds(clock: &GtpClock, player: Player) -> f64 {
        clock.budget(player).unwrap().as_secs_f64()
    }

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn main_time_is_spread_over_the_game_and_shrinks() {
        let mut clock = GtpClock::default();
        assert_eq!(clock.budget(BLACK), None);
        clock.set(secs(100), secs(0), 0);
        assert!((seconds(&clock, BLACK) - 3.6).abs() < 1e-6);
        clock.spend(BLACK, secs(50));
        assert!((seconds(&clock, BLACK) - 1.8).abs() < 1e-6);
        assert!((seconds(&clock, WHITE) - 3.6).abs() < 1e-6);
    }

    #[test]
    fn a_period_is_shared_by_its_moves_and_begins_again() {
        let mut clock = GtpClock::default();
        clock.set(secs(0), secs(10), 2);
        assert!((seconds(&clock, WHITE) - 4.5).abs() < 1e-6);
        clock.spend(WHITE, secs(2));
        assert!((seconds(&clock, WHITE) - 7.2).abs() < 1e-6);
        clock.spend(WHITE, secs(7));
        assert!((seconds(&clock, WHITE) - 4.5).abs() < 1e-6);
    }

    #[test]
    fn the_controller_knows_best() {
        let mut clock = GtpClock::default();
        clock.correct(BLACK, secs(9), 3);
        assert!((seconds(&clock, BLACK) - 2.7).abs() < 1e-6);
        clock.set(secs(0), secs(1), 0);
        assert_eq!(clock.budget(BLACK), None, "no limit");
    }
}
