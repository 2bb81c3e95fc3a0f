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
    /// [`Style::AbDl`] as the program of Konen and Bagheri (2020) plays it, GBG.
    ///
    /// With at most 7 stones its book knows outcomes but no distances. From 12 stones on a loss is
    /// exact up to 14 plies after the move, and beyond that in classes of 20 stones.
    AbDlGbg,
    /// Like [`Style::AbDl`], but varied in a lost opening (Thill 2014).
    ///
    /// With fewer than 12 stones, any loss that is at least 12 moves away after the move.
    Thill,
    /// [`Style::Thill`] as the program of Thill et al. (2014) plays it, C4GPF.
    ///
    /// Up to 10 stones any loss will do that does not come before the 8th stone (while its book
    /// answers, up to 7 stones) or the 12th. After that the distance of a loss is divided, in
    /// integers, by 42 / stones * 2: near and far losses fall into the same class.
    ThillC4gpf,
}

/// Number of stones that end the opening.
const OPENING: usize = 12;
/// The minimum distance of a loss that may be chosen in the opening, in moves.
const DELAY: usize = 12;
/// Most stones with which the 8-ply books of both programs answer for all replies.
const BOOK: usize = 7;

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
            Self::AbDlGbg => gbg_rank(score, stones) == gbg_rank(best, stones),
            Self::Thill => score == best || best < 0 && varied_loss(score, stones),
            Self::ThillC4gpf => c4gpf_rank(score, stones) == c4gpf_rank(best, stones),
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

/// The rank of a score in GBG: a better one is never lower, and equal ones are not told apart.
fn gbg_rank(score: i8, stones: usize) -> (Outcome, usize) {
    /// Plies after the move within which a loss is exact.
    const EXACT: usize = 14;
    /// Stones of a class of more distant losses.
    const CLASS: usize = 20;
    let (outcome, end) = (Outcome::of(score), final_stones(score, stones));
    let wins_at_once = outcome == Outcome::Win && end == stones + 1;
    let rank = match outcome {
        Outcome::Draw => 0,
        _ if stones <= BOOK => usize::from(wins_at_once),
        Outcome::Win => CELLS - end,
        Outcome::Loss if stones < OPENING || end <= stones + 1 + EXACT => end,
        // Later than every exact loss.
        Outcome::Loss => CELLS + end / CLASS,
    };
    (outcome, rank)
}

/// The rank of a score in C4GPF.
fn c4gpf_rank(score: i8, stones: usize) -> (Outcome, usize) {
    /// Most stones with which a loss is still chosen at random.
    const RANDOM: usize = 10;
    let (outcome, end) = (Outcome::of(score), final_stones(score, stones));
    let rank = match outcome {
        Outcome::Draw => 0,
        Outcome::Win => CELLS - end,
        Outcome::Loss if stones <= RANDOM => {
            let earliest = if stones <= BOOK { 8 } else { 12 };
            if end >= earliest { CELLS } else { end }
        }
        Outcome::Loss => (end - stones) / (CELLS / stones * 2),
    };
    (outcome, rank)
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
    fn the_book_of_gbg_knows_no_distances() {
        let scores = [-3, -1, -18, 99, 99, 99, -5];
        assert_eq!(choices(Style::AbDl, scores, 7), [1]);
        assert_eq!(choices(Style::AbDlGbg, scores, 7), [0, 1, 2, 6]);
        // From 8 to 11 stones it is exact.
        assert_eq!(choices(Style::AbDlGbg, scores, 8), [1]);
        assert_eq!(choices(Style::AbDlGbg, scores, 11), [1]);
        assert_eq!(choices(Style::AbDlGbg, [3, 5, 0, 5, -2, 1, 99], 6), [0, 1, 3, 5]);
        assert_eq!(choices(Style::AbDlGbg, [3, 18, 0, 5, -2, 1, 99], 7), [1], "a win at once");
    }

    #[test]
    fn far_losses_fall_into_classes_in_gbg() {
        // With 13 stones the first player wins with stone 27, 31, 37 or 41: the first is exact.
        let scores = [-8, -6, -3, -1, 99, 99, 99];
        let ends = [-8, -6, -3, -1].map(|score| final_stones(score, 13));
        assert_eq!(ends, [27, 31, 37, 41]);
        assert_eq!(choices(Style::AbDlGbg, scores, 13), [3]);
        assert_eq!(choices(Style::AbDlGbg, [-8, -6, -3, 99, 99, 99, 99], 13), [1, 2]);
        assert_eq!(choices(Style::AbDl, [-8, -6, -3, 99, 99, 99, 99], 13), [2]);
        // Later in the game the same losses are near, and exact.
        assert_eq!(choices(Style::AbDlGbg, [99, -6, -3, 99, 99, 99, 99], 23), [2]);
    }

    #[test]
    fn all_losses_of_the_opening_are_alike_in_c4gpf() {
        let scores = [-10, -17, -1, 99, -3, -16, -18];
        // With 5 stones the loss may come with stone 8 or later.
        assert_eq!(choices(Style::Thill, scores, 5), [0, 2, 4]);
        assert_eq!(choices(Style::ThillC4gpf, scores, 5), [0, 1, 2, 4, 5]);
        // With 9 stones it may come with stone 12 or later.
        assert_eq!(choices(Style::Thill, [-10, -15, -1, 99, -3, -17, 99], 9), [0, 2, 4]);
        assert_eq!(choices(Style::ThillC4gpf, [-10, -15, -1, 99, -3, -17, 99], 9), [0, 1, 2, 4]);
    }

    #[test]
    fn distances_are_divided_in_c4gpf() {
        // With 13 stones by 42 / 13 * 2 = 6: losses 28, 26, 24 and 18 plies away.
        let scores = [-1, -2, -3, -6, 99, 99, 99];
        assert_eq!(
            scores[..4].iter().map(|&s| final_stones(s, 13) - 13).collect::<Vec<_>>(),
            [28, 26, 24, 18]
        );
        assert_eq!(choices(Style::ThillC4gpf, scores, 13), [0, 1, 2]);
        assert_eq!(choices(Style::Thill, scores, 13), [0]);
        // With 23 stones by 2: losses 18 and 16 plies away differ.
        assert_eq!(choices(Style::ThillC4gpf, [-1, -2, 99, 99, 99, 99, 99], 23), [0]);
        // With 11 stones nothing is random any more, with 12 in the paper.
        assert_eq!(choices(Style::ThillC4gpf, [-1, -15, 99, 99, 99, 99, 99], 11), [0]);
    }

    #[test]
    fn the_programs_win_and_draw_like_the_others() {
        for style in [Style::AbDlGbg, Style::ThillC4gpf] {
            assert_eq!(choices(style, [2, -1, -2, 4, 0, 4, 0], 14), [3, 5]);
            assert_eq!(choices(style, [0, -1, -2, -4, 0, -4, 0], 6), [0, 4, 6]);
        }
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
