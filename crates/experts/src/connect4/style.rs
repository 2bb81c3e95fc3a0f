//! Ways to choose among moves whose scores are known.

use super::bits::CELLS;
use super::solver::{MoveScores, Outcome};

/// How a perfect player chooses among its moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// Any move of the best outcome, all alike.
    Ab,
    /// The fastest win, any draw, or the most distant loss.
    AbDl,
    /// Like [`Style::AbDl`], but varied in a lost opening (Thill 2014).
    ///
    /// With fewer than 12 stones, any loss that is at least 12 moves away after the move.
    Thill,
}

/// Number of stones that end the opening.
const OPENING: usize = 12;
/// The minimum distance of a loss that may be chosen in the opening, in moves.
const DELAY: usize = 12;

impl Style {
    /// Chooses a column, from 0, of a position with so many stones; none if there is no move.
    ///
    /// `pick(n)` must return a number below `n`, which is at least 1; columns it may choose from
    /// are in ascending order.
    pub fn choose(
        self,
        scores: &MoveScores,
        stones: usize,
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> Option<usize> {
        let best = scores.iter().flatten().copied().max()?;
        let is_choice = |score: i8| match self {
            Self::Ab => Outcome::of(score) == Outcome::of(best),
            Self::AbDl => score == best,
            Self::Thill => score == best || best < 0 && varied_loss(score, stones),
        };
        let choices = || {
            let columns = scores.iter().enumerate();
            columns.filter(|(_, score)| score.is_some_and(is_choice)).map(|(column, _)| column)
        };
        choices().nth(pick(choices().count()))
    }
}

/// Number of stones on the board at the end, for a score of a position with so many stones.
///
/// # Panics
///
/// In debug builds, if there is no such score.
pub fn final_stones(score: i8, stones: usize) -> usize {
    debug_assert!(score.unsigned_abs() <= 21 && stones <= CELLS);
    let winners = 22 - score.unsigned_abs() as usize;
    let first_to_move = stones.is_multiple_of(2);
    match Outcome::of(score) {
        Outcome::Draw => CELLS,
        Outcome::Win if first_to_move => 2 * winners - 1,
        Outcome::Loss if !first_to_move => 2 * winners - 1,
        Outcome::Win | Outcome::Loss => 2 * winners,
    }
}

fn varied_loss(score: i8, stones: usize) -> bool {
    stones < OPENING && final_stones(score, stones) > stones + DELAY
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns a style can choose.
    fn choices(style: Style, scores: [i8; 7], stones: usize) -> Vec<usize> {
        let scores = scores.map(|score| (score != 99).then_some(score));
        let mut count = 0;
        style.choose(&scores, stones, &mut |n| {
            count = n;
            0
        });
        (0..count).filter_map(|i| style.choose(&scores, stones, &mut |_| i)).collect()
    }

    #[test]
    fn ab_takes_all_wins_alike() {
        assert_eq!(choices(Style::Ab, [3, 99, 0, 18, -2, 1, 99], 10), [0, 3, 5]);
    }

    #[test]
    fn ab_takes_all_draws_alike_if_it_cannot_win() {
        assert_eq!(choices(Style::Ab, [-3, 0, 0, -18, -2, 0, 99], 10), [1, 2, 5]);
    }

    #[test]
    fn ab_takes_all_losses_alike_if_it_is_lost() {
        assert_eq!(choices(Style::Ab, [-3, -1, -18, 99, 99, 99, -5], 10), [0, 1, 2, 6]);
    }

    #[test]
    fn ab_dl_wins_fast_and_loses_late() {
        assert_eq!(choices(Style::AbDl, [3, 5, 0, 5, -2, 1, 99], 10), [1, 3]);
        assert_eq!(choices(Style::AbDl, [-3, -2, -18, -2, 99, 99, 99], 10), [1, 3]);
    }

    #[test]
    fn a_lost_opening_is_varied_by_losses_that_are_far_away() {
        // With 10 stones the loss must come with stone 23 or later, the winner's twelfth.
        assert_eq!(choices(Style::Thill, [-10, -11, -1, 99, -3, -10, -16], 10), [0, 2, 4, 5]);
    }

    #[test]
    fn a_loss_after_the_opening_is_as_late_as_can_be() {
        assert_eq!(choices(Style::Thill, [-1, -2, -1, -3, -3, -9, -9], 12), [0, 2]);
    }

    #[test]
    fn a_loss_that_cannot_be_delayed_is_as_late_as_can_be() {
        assert_eq!(choices(Style::Thill, [-17, -15, -16, -17, -17, -17, -17], 8), [1]);
    }

    #[test]
    fn a_varied_opening_still_wins_and_draws_like_the_others() {
        assert_eq!(choices(Style::Thill, [2, -1, -2, 4, 0, 4, 0], 6), [3, 5]);
        assert_eq!(choices(Style::Thill, [0, -1, -2, -4, 0, -4, 0], 6), [0, 4, 6]);
    }

    #[test]
    fn a_full_board_has_no_choice() {
        assert_eq!(Style::Ab.choose(&[None; 7], 42, &mut |_| 0), None);
    }

    #[test]
    fn the_score_tells_the_last_stone() {
        assert_eq!(final_stones(18, 6), 7, "first player's fourth stone");
        assert_eq!(final_stones(18, 7), 8, "second player's fourth stone");
        assert_eq!(final_stones(-1, 0), 42, "second player's last stone");
        assert_eq!(final_stones(-1, 1), 41, "first player's last stone");
        assert_eq!(final_stones(0, 5), 42);
    }
}
