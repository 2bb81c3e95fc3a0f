//! Ratings as servers keep them: Elo and Glicko-2.

use super::PairResult;
use serde::Serialize;
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// A Glicko-2 rating, on the standard scale around 1500.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct GlickoRating {
    /// The rating.
    pub rating: f64,
    /// Its standard error.
    pub deviation: f64,
    /// The volatility of the results.
    pub volatility: f64,
}

fn outcome(points: u8) -> Outcomes {
    match points {
        2 => Outcomes::WIN,
        0 => Outcomes::LOSS,
        _ => Outcomes::DRAW,
    }
}

/// Elo ratings after all results, one by one, beginning at 1000 with K = 32.
///
/// They depend on the order of the results, and forget the early ones.
pub fn elo_ratings(contestants: usize, results: &[PairResult]) -> Vec<f64> {
    let mut ratings = vec![EloRating::new(); contestants];
    let config = EloConfig::new();
    for PairResult { pair: [a, b], points } in results {
        let after = elo(&ratings[*a], &ratings[*b], &outcome(*points), &config);
        (ratings[*a], ratings[*b]) = after;
    }
    ratings.into_iter().map(|r| r.rating).collect()
}

/// Glicko-2 ratings with all results in one rating period.
pub fn glicko_ratings(contestants: usize, results: &[PairResult]) -> Vec<GlickoRating> {
    let new = Glicko2Rating::new();
    let rating = |contestant: usize| {
        let own: Vec<_> = results
            .iter()
            .filter_map(|r| {
                let seat = r.pair.iter().position(|&c| c == contestant)?;
                let points = if seat == 0 { r.points } else { 2 - r.points };
                Some((new, outcome(points)))
            })
            .collect();
        let Glicko2Rating { rating, deviation, volatility } =
            glicko2_rating_period(&new, &own, &Glicko2Config::new());
        GlickoRating { rating, deviation, volatility }
    };
    (0..contestants).map(rating).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_win_between_newcomers_moves_16_points() {
        let ratings = elo_ratings(2, &[PairResult { pair: [1, 0], points: 2 }]);
        assert_eq!(ratings, [984.0, 1016.0]);
    }

    #[test]
    fn winners_rise_and_certainty_grows() {
        let results = vec![PairResult { pair: [0, 1], points: 2 }; 10];
        let ratings = glicko_ratings(2, &results);
        assert!(ratings[0].rating > 1600.0 && ratings[1].rating < 1400.0, "{ratings:?}");
        assert!(ratings[0].deviation < 200.0, "{ratings:?}");
    }
}
