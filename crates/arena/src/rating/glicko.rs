//! Glicko-2 ratings (Glickman 2012, "Example of the Glicko-2 system"), with all results in one
//! rating period.
//!
//! All opponents are new then, so that the sums over results are products with their number, and no
//! result has to be kept.

use serde::Serialize;
use std::f64::consts::PI;

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

/// A newcomer's rating, deviation and volatility.
const NEW: GlickoRating = GlickoRating { rating: 1500.0, deviation: 350.0, volatility: 0.06 };
/// Points of rating per unit of the internal scale.
const SCALE: f64 = 173.717_8;
/// How much volatility may change (tau).
const TAU: f64 = 0.5;
/// Where the iteration for the volatility ends.
const TOLERANCE: f64 = 1e-6;

/// The rating of a newcomer after so many results against newcomers with so many points, 1 for a
/// win and 1/2 for a draw.
pub fn glicko_rating(results: u64, points: f64) -> GlickoRating {
    let phi = NEW.deviation / SCALE;
    if results == 0 {
        return GlickoRating { deviation: SCALE * phi.hypot(NEW.volatility), ..NEW };
    }
    let g = 1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt();
    // The expected score between equals is 1/2.
    let variance = 1.0 / (results as f64 * g * g * 0.25);
    let surplus = g * (points - results as f64 / 2.0);
    let volatility = new_volatility(variance * surplus, phi, variance);
    let deviation = 1.0 / (1.0 / (phi * phi + volatility * volatility) + 1.0 / variance).sqrt();
    let rating = NEW.rating + SCALE * deviation * deviation * surplus;
    GlickoRating { rating, deviation: SCALE * deviation, volatility }
}

/// Step 5: the root of f by the Illinois variant of regula falsi.
fn new_volatility(delta: f64, phi: f64, variance: f64) -> f64 {
    let start = (NEW.volatility * NEW.volatility).ln();
    let spread = phi * phi + variance;
    let f = |x: f64| {
        let e = x.exp();
        e * (delta * delta - spread - e) / (2.0 * (spread + e) * (spread + e))
            - (x - start) / (TAU * TAU)
    };
    let mut a = start;
    let mut b = if delta * delta > spread {
        (delta * delta - spread).ln()
    } else {
        let below = |k: &u32| f(start - f64::from(*k) * TAU) >= 0.0;
        start - f64::from((1..).find(below).unwrap_or(1)) * TAU
    };
    let (mut at_a, mut at_b) = (f(a), f(b));
    while (b - a).abs() > TOLERANCE {
        let c = a + (a - b) * at_a / (at_b - at_a);
        let at_c = f(c);
        if at_c * at_b <= 0.0 {
            (a, at_a) = (b, at_b);
        } else {
            at_a /= 2.0;
        }
        (b, at_b) = (c, at_c);
    }
    (a / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

    #[test]
    fn sums_give_the_ratings_of_another_implementation() {
        for (wins, draws, losses) in [(10, 0, 0), (0, 0, 10), (3, 4, 5), (120, 7, 1), (0, 9, 0)] {
            let of = |outcome, count| vec![(Glicko2Rating::new(), outcome); count];
            let results =
                [of(Outcomes::WIN, wins), of(Outcomes::DRAW, draws), of(Outcomes::LOSS, losses)];
            let new = Glicko2Rating::new();
            let other = glicko2_rating_period(&new, &results.concat(), &Glicko2Config::new());
            let points = wins as f64 + draws as f64 / 2.0;
            let own = glicko_rating((wins + draws + losses) as u64, points);
            assert!((own.rating - other.rating).abs() < 1e-3, "{own:?} {other:?}");
            assert!((own.deviation - other.deviation).abs() < 1e-3, "{own:?} {other:?}");
            assert!((own.volatility - other.volatility).abs() < 1e-6, "{own:?} {other:?}");
        }
    }

    #[test]
    fn winners_rise_and_certainty_grows() {
        let (winner, loser) = (glicko_rating(10, 10.0), glicko_rating(10, 0.0));
        assert!(winner.rating > 1600.0 && loser.rating < 1400.0, "{winner:?} {loser:?}");
        assert!(winner.deviation < 200.0, "{winner:?}");
    }
}
