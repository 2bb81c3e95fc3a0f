//! Elo ratings as servers keep them.

use super::PairResult;
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo};

/// Elo ratings, one result after the other, beginning at 1000 with K = 32.
///
/// They depend on the order of the results, and forget the early ones.
#[derive(Clone, Debug)]
pub struct EloTable {
    ratings: Vec<EloRating>,
}

impl EloTable {
    /// Everybody is new.
    pub fn new(contestants: usize) -> EloTable {
        EloTable { ratings: vec![EloRating::new(); contestants] }
    }

    /// Adds the next result.
    pub fn add(&mut self, PairResult { pair: [a, b], points }: PairResult) {
        let outcome = match points {
            2 => Outcomes::WIN,
            0 => Outcomes::LOSS,
            _ => Outcomes::DRAW,
        };
        let after = elo(&self.ratings[a], &self.ratings[b], &outcome, &EloConfig::new());
        (self.ratings[a], self.ratings[b]) = after;
    }

    /// The ratings by now.
    pub fn ratings(&self) -> Vec<f64> {
        self.ratings.iter().map(|rating| rating.rating).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_win_between_newcomers_moves_16_points() {
        let mut table = EloTable::new(2);
        table.add(PairResult { pair: [1, 0], points: 2 });
        assert_eq!(table.ratings(), [984.0, 1016.0]);
    }
}
