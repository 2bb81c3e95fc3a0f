//! Statistics of game results.

use ludens_core::Tally;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

mod sprt;

pub use sprt::{Sprt, SprtVerdict};

/// The 97.5 % quantile of the standard normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// A 95 % confidence interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Both ends carried through an increasing function.
    pub fn map(self, function: impl Fn(f64) -> f64) -> Interval {
        Interval { low: function(self.low), high: function(self.high) }
    }
}

/// The Wilson interval of the success probability, given `successes` in `trials` (Wilson 1927).
///
/// Anywhere, if nothing was tried.
pub fn wilson(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = trials as f64;
    let (share, z2) = (successes as f64 / n, Z95 * Z95);
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The confidence interval of the mean, by Student's t distribution; needs two numbers or more.
pub fn mean_interval(tally: &Tally) -> Option<Interval> {
    if tally.count < 2 {
        return None;
    }
    let error = tally.deviation() / (tally.count as f64).sqrt();
    let t = StudentsT::new(0.0, 1.0, (tally.count - 1) as f64)
        .expect("at least one degree of freedom")
        .inverse_cdf(0.975);
    Some(Interval { low: tally.mean() - t * error, high: tally.mean() + t * error })
}

/// A mean with the interval in which the true one lies.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean of what was seen.
    pub mean: f64,
    /// Nothing if too little was seen.
    pub interval: Option<Interval>,
    /// The number of samples.
    pub count: u64,
}

impl From<Tally> for Estimate {
    fn from(tally: Tally) -> Estimate {
        Estimate { mean: tally.mean(), interval: mean_interval(&tally), count: tally.count }
    }
}

impl Estimate {
    /// Mean and interval carried through an increasing linear function.
    pub fn map(self, function: impl Fn(f64) -> f64) -> Estimate {
        let interval = self.interval.map(|i| i.map(&function));
        Estimate { mean: function(self.mean), interval, count: self.count }
    }

    /// The same with its interval cut to what is possible: a share lies between 0 and 1. It still
    /// holds the mean, which forfeits may carry out of the range.
    pub fn within(self, low: f64, high: f64) -> Estimate {
        let (low, high) = (low.min(self.mean), high.max(self.mean));
        let interval = self.interval.map(|i| i.map(|end| end.clamp(low, high)));
        Estimate { interval, ..self }
    }

    /// A share of successes, with Wilson's interval.
    pub fn share(successes: u64, trials: u64) -> Estimate {
        let mean = if trials == 0 { 0.0 } else { successes as f64 / trials as f64 };
        Estimate { mean, interval: Some(wilson(successes, trials)), count: trials }
    }
}

/// The mean and its interval in brackets.
impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(3);
        write!(f, "{:.digits$}", self.mean)?;
        match self.interval {
            Some(i) => write!(f, " [{:.digits$}, {:.digits$}]", i.low, i.high),
            None => Ok(()),
        }
    }
}

/// The expected score of a contestant who is `elo` stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of a contestant who scores this share of the points.
///
/// Infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(interval: Interval, low: f64, high: f64) {
        assert!((interval.low - low).abs() < 1e-9, "{interval:?}");
        assert!((interval.high - high).abs() < 1e-9, "{interval:?}");
    }

    #[test]
    fn the_interval_of_a_share_stays_between_zero_and_one() {
        let interval = Some(Interval { low: -0.1, high: 1.2 });
        let share = Estimate { mean: 0.9, interval, count: 3 }.within(0.0, 1.0);
        close(share.interval.unwrap(), 0.0, 1.0);
        let forfeited = Estimate { mean: -0.1, interval, count: 3 }.within(0.0, 1.0);
        close(forfeited.interval.unwrap(), -0.1, 1.0);
    }

    /// Numbers of SciPy 1.17.1: `binomtest(w, n).proportion_ci(0.95, "wilson")`.
    #[test]
    fn wilson_agrees_with_scipy() {
        close(wilson(7, 10), 0.396_778_147_461_145, 0.892_208_732_593_699);
        close(wilson(0, 20), 0.0, 0.161_125_158_052_819);
        close(wilson(80, 100), 0.711_170_834_406_841, 0.866_633_066_668_967);
        close(wilson(0, 0), 0.0, 1.0);
    }

    /// Numbers of SciPy 1.17.1: `t.interval(0.95, 5, mean, sem)`.
    #[test]
    fn the_interval_of_a_mean_agrees_with_scipy() {
        let tally: Tally = [1.0, -1.0, 0.0, 1.0, 1.0, 0.5].into_iter().collect();
        assert!((tally.mean() - 0.416_666_666_666_666_7).abs() < 1e-12);
        close(mean_interval(&tally).unwrap(), -0.423_974_296_606_100, 1.257_307_629_939_434);
        assert_eq!(mean_interval(&[1.0].into_iter().collect()), None);
    }

    #[test]
    fn the_interval_covers_the_truth_in_about_95_of_100_cases() {
        let mut rng = ludens_core::Rng::seeded(3);
        let covers = |rng: &mut ludens_core::Rng| {
            let wins = (0..200).filter(|_| rng.chance(0.7)).count();
            let interval = wilson(wins as u64, 200);
            (interval.low..interval.high).contains(&0.7)
        };
        let covered = (0..2_000).filter(|_| covers(&mut rng)).count();
        assert!((1_860..1_940).contains(&covered), "{covered}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert!((elo_of_score(0.6) - 70.436_503_622_272_51).abs() < 1e-9);
        assert!((score_of_elo(elo_of_score(0.8)) - 0.8).abs() < 1e-12);
        assert_eq!(score_of_elo(0.0), 0.5);
    }
}
