//! Strengths from results: the most likely ones, and those of Elo and Glicko-2.

mod bradley_terry;
mod elo;
mod glicko;
mod linear;

pub use bradley_terry::{BradleyTerry, MeetingTable, Rating, rate};
pub use elo::EloTable;
pub use glicko::{GlickoRating, glicko_rating};

use serde::Serialize;

/// The result of one game between two contestants.
///
/// A game of more than two players counts as one result for each pair of players, won by the higher
/// reward. Such results are not independent, so the estimated errors of ratings are too small.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PairResult {
    /// Both contestants.
    pub pair: [usize; 2],
    /// Half points of the first: 2 for a win, 1 for a draw, 0 for a loss.
    pub points: u8,
}

/// Takes a game apart into results of two. `seating` names the contestant of each player.
pub fn pair_results(seating: &[usize], rewards: &[f32]) -> Vec<PairResult> {
    let mut results = Vec::new();
    for first in 0..seating.len() {
        for second in first + 1..seating.len() {
            if seating[first] == seating[second] {
                continue;
            }
            let points = match rewards[first].total_cmp(&rewards[second]) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
            results.push(PairResult { pair: [seating[first], seating[second]], points });
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_of_three_is_three_results_of_two() {
        let results = pair_results(&[2, 0, 1], &[0.2, 1.0, 0.2]);
        let as_tuples: Vec<_> = results.iter().map(|r| (r.pair, r.points)).collect();
        assert_eq!(as_tuples, [([2, 0], 0), ([2, 1], 1), ([0, 1], 2)]);
        assert_eq!(pair_results(&[0, 1, 1], &[1.0, 0.0, 0.0]).len(), 2);
    }
}
