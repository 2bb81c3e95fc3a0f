//! The most likely strengths (Bradley and Terry 1952, with draws as in Davidson 1970).

use super::PairResult;
use super::linear::{inverse, product};
use ludens_core::Invalid;
use serde::Serialize;
use std::collections::BTreeMap;

/// Elo points per natural unit of strength.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Half a win to each side of every two that met, so that who won all games has a finite strength.
const PRIOR: f64 = 0.5;

/// The most likely strengths, given the results.
///
/// One beats another with the odds of their strengths `s` and `t`; a draw has `draws * sqrt(s t)`
/// beside them. Elo points are logarithms of strengths, and their mean is zero.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BradleyTerry {
    /// Of each contestant.
    pub ratings: Vec<Rating>,
    /// The odds of a draw between equals (nu), relative to either win.
    pub draws: f64,
}

/// The strength of a contestant.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// In Elo points, zero for the average.
    pub elo: f64,
    /// The standard error, from the information matrix.
    pub error: f64,
}

/// Fits the maximum-likelihood strengths of this many contestants.
///
/// # Errors
///
/// If the results do not connect all contestants: the distance between two groups is then
/// undefined.
pub fn rate(contestants: usize, results: &[PairResult]) -> Result<BradleyTerry, Invalid> {
    let mut table = MeetingTable::new(contestants);
    results.iter().for_each(|result| table.add(*result));
    table.rate()
}

/// The results of all pairs, added one by one.
#[derive(Clone, Debug)]
pub struct MeetingTable {
    contestants: usize,
    meetings: BTreeMap<[usize; 2], PairTotals>,
}

impl MeetingTable {
    /// Nobody has met yet.
    pub fn new(contestants: usize) -> MeetingTable {
        MeetingTable { contestants, meetings: BTreeMap::new() }
    }

    /// Adds a result.
    pub fn add(&mut self, result: PairResult) {
        let [a, b] = result.pair;
        debug_assert!(a.max(b) < self.contestants);
        let pair = [a.min(b), a.max(b)];
        let new = PairTotals { pair, wins: [PRIOR; 2], draws: 0.0 };
        let meeting = self.meetings.entry(pair).or_insert(new);
        let first = usize::from(a > b);
        match result.points {
            2 => meeting.wins[first] += 1.0,
            0 => meeting.wins[1 - first] += 1.0,
            _ => meeting.draws += 1.0,
        }
    }

    /// Fits the maximum-likelihood strengths; see [`rate`].
    ///
    /// # Errors
    ///
    /// If the results do not connect all contestants.
    pub fn rate(self) -> Result<BradleyTerry, Invalid> {
        let contestants = self.contestants;
        let meetings: Vec<PairTotals> = self.meetings.into_values().collect();
        check_connected(contestants, &meetings)?;
        let drawn: f64 = meetings.iter().map(|m| m.draws).sum();
        let fit = Fit { contestants, meetings, with_draws: drawn > 0.0 };
        let (parameters, covariance) = fit.solve();
        let rating = |i: usize| Rating {
            elo: SCALE * parameters[i],
            error: SCALE * covariance[i][i].max(0.0).sqrt(),
        };
        let draws = if fit.with_draws { parameters[contestants].exp() } else { 0.0 };
        Ok(BradleyTerry { ratings: (0..contestants).map(rating).collect(), draws })
    }
}

/// The logarithm of an outcome's weight is the sum of these times both strengths and the odds of
/// a draw, all as logarithms: for a win of the first, of the second, and a draw.
const FEATURES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]];

/// The result of all games between two contestants.
#[derive(Clone, Debug)]
struct PairTotals {
    pair: [usize; 2],
    wins: [f64; 2],
    draws: f64,
}

fn check_connected(contestants: usize, meetings: &[PairTotals]) -> Result<(), Invalid> {
    let mut reached = vec![false; contestants];
    reached[0] = true;
    for _ in 0..contestants {
        for PairTotals { pair: [a, b], .. } in meetings {
            let either = reached[*a] || reached[*b];
            (reached[*a], reached[*b]) = (either, either);
        }
    }
    match reached.iter().position(|r| !r) {
        None => Ok(()),
        Some(i) => Err(Invalid(format!(
            "contestants 1 and {} cannot be compared: no games connect them",
            i + 1
        ))),
    }
}

/// Newton's method on the logarithms of the strengths and of the odds of a draw.
struct Fit {
    contestants: usize,
    meetings: Vec<PairTotals>,
    with_draws: bool,
}

impl Fit {
    fn solve(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.contestants + usize::from(self.with_draws);
        let mut parameters = vec![0.0; n];
        let mut covariance = Vec::new();
        for _ in 0..100 {
            let (slope, information) = self.slope_and_information(&parameters);
            covariance = inverse(&information).expect("connected contestants have a maximum");
            let step = product(&covariance, &slope);
            // The likelihood is concave, but a full step may overshoot where it is flat.
            let longest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
            let shrink = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            parameters.iter_mut().zip(&step).for_each(|(p, s)| *p += shrink * s);
            if longest < 1e-10 {
                break;
            }
        }
        let mean = parameters[..self.contestants].iter().sum::<f64>() / self.contestants as f64;
        parameters[..self.contestants].iter_mut().for_each(|p| *p -= mean);
        (parameters, self.centred(covariance))
    }

    /// The first and, negated, the second derivatives of the logarithm of the likelihood.
    fn slope_and_information(&self, parameters: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = parameters.len();
        let (mut slope, mut information) = (vec![0.0; n], vec![vec![0.0; n]; n]);
        for meeting in &self.meetings {
            let probabilities = self.probabilities(parameters, meeting.pair);
            let counts = [meeting.wins[0], meeting.wins[1], meeting.draws];
            let games: f64 = counts.iter().sum();
            let mean: [f64; 3] = std::array::from_fn(|k| {
                (0..3).map(|outcome| probabilities[outcome] * FEATURES[outcome][k]).sum()
            });
            let places = [meeting.pair[0], meeting.pair[1], self.contestants];
            for outcome in 0..3 {
                let off: [f64; 3] = std::array::from_fn(|k| FEATURES[outcome][k] - mean[k]);
                for (k, &place) in places.iter().enumerate().filter(|(_, place)| **place < n) {
                    slope[place] += counts[outcome] * off[k];
                    for (l, &other) in places.iter().enumerate().filter(|(_, p)| **p < n) {
                        information[place][other] +=
                            games * probabilities[outcome] * off[k] * off[l];
                    }
                }
            }
        }
        self.pin(&mut information);
        (slope, information)
    }

    /// Only differences of strengths matter: their sum is pinned, or the matrix has no inverse.
    fn pin(&self, information: &mut [Vec<f64>]) {
        for row in &mut information[..self.contestants] {
            row[..self.contestants].iter_mut().for_each(|x| *x += 1.0);
        }
    }

    /// Of a win of the first, a win of the second, and a draw.
    fn probabilities(&self, parameters: &[f64], [a, b]: [usize; 2]) -> [f64; 3] {
        let half = (parameters[a] - parameters[b]) / 2.0;
        let draw = if self.with_draws { parameters[self.contestants].exp() } else { 0.0 };
        let weights = [half.exp(), (-half).exp(), draw];
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// Takes the pinned sum, which is no knowledge, out of the covariance.
    fn centred(&self, covariance: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let n = self.contestants as f64;
        let mut centred = covariance;
        for row in &mut centred[..self.contestants] {
            // The direction in which all strengths grow alike has the eigenvalue n of the pin.
            row[..self.contestants].iter_mut().for_each(|x| *x -= 1.0 / (n * n));
        }
        centred
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    fn games(pair: [usize; 2], points: u8, count: usize) -> Vec<PairResult> {
        vec![PairResult { pair, points }; count]
    }

    #[test]
    fn two_contestants_differ_by_the_logarithm_of_their_wins() {
        let results = [games([0, 1], 2, 299), games([1, 0], 2, 99)].concat();
        let fit = rate(2, &results).unwrap();
        let difference = fit.ratings[0].elo - fit.ratings[1].elo;
        // Half a win is added to each side.
        let expected = 400.0 * (299.5f64 / 99.5).log10();
        assert!((difference - expected).abs() < 1e-6, "{difference}");
        // Var(ln odds) = 1/299.5 + 1/99.5, and half of the difference is each one's rating.
        let error = SCALE / 2.0 * (1.0 / 299.5 + 1.0 / 99.5f64).sqrt();
        assert!((fit.ratings[0].error - error).abs() < 1e-6, "{fit:?}");
        assert_eq!(fit.draws, 0.0);
    }

    #[test]
    fn draws_between_equals_have_their_odds() {
        let results = [games([0, 1], 2, 40), games([0, 1], 0, 40), games([0, 1], 1, 20)].concat();
        let fit = rate(2, &results).unwrap();
        assert!((fit.draws - 20.0 / 40.5).abs() < 1e-9, "{fit:?}");
        assert!(fit.ratings[0].elo.abs() < 1e-9);
    }

    #[test]
    fn known_strengths_are_recovered_from_simulated_games() {
        let (elos, nu) = ([-200.0, -50.0, 0.0, 80.0, 170.0], 0.6);
        let (mut rng, mut results) = (Rng::seeded(11), Vec::new());
        for (a, b) in (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))) {
            let half: f64 = (elos[a] - elos[b]) / SCALE / 2.0;
            let weights = [half.exp(), (-half).exp(), nu];
            let sum: f64 = weights.iter().sum();
            for _ in 0..2_000 {
                let u = f64::from(rng.unit()) * sum;
                let points =
                    if u < weights[0] { 2 } else { u8::from(u >= weights[0] + weights[1]) };
                results.push(PairResult { pair: [a, b], points });
            }
        }
        let fit = rate(5, &results).unwrap();
        for (rating, elo) in fit.ratings.iter().zip(elos) {
            assert!((rating.elo - elo).abs() < 3.0 * rating.error, "{fit:?}");
            assert!((2.0..6.0).contains(&rating.error), "{fit:?}");
        }
        assert!((fit.draws - nu).abs() < 0.05, "{}", fit.draws);
    }

    #[test]
    fn who_wins_everything_is_rated_finitely() {
        let fit = rate(3, &[games([0, 1], 2, 50), games([1, 2], 2, 50)].concat()).unwrap();
        assert!(fit.ratings[0].elo > fit.ratings[1].elo + 400.0);
        assert!(fit.ratings.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
    }

    #[test]
    fn contestants_that_never_met_cannot_be_compared() {
        let refused = rate(3, &games([0, 1], 2, 5)).unwrap_err().to_string();
        assert_eq!(refused, "contestants 1 and 3 cannot be compared: no games connect them");
    }
}
