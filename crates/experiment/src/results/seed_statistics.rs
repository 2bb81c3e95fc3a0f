//! Statistics of one figure over all seeds.

use crate::{FEWEST_SEEDS, bootstrap, interquartile_mean, mean};
use ludens_arena::statistics::Interval;
use ludens_core::Rng;
use serde::Serialize;
use std::fmt::{Display, Formatter};

/// A mean and an interquartile mean (IQM), each with its 95 % confidence interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct SeedStatistics {
    /// The mean.
    pub mean: f64,
    /// Its 95 % CI by bootstrap over seeds; none below [`FEWEST_SEEDS`].
    pub interval: Option<Interval>,
    /// The interquartile mean.
    pub interquartile_mean: f64,
    /// Its 95 % CI by bootstrap over seeds; none below [`FEWEST_SEEDS`].
    pub interquartile_interval: Option<Interval>,
}

impl SeedStatistics {
    /// Computes the statistics of these figures; `None` if there are none.
    pub(crate) fn of(figures: &[f64]) -> Option<SeedStatistics> {
        if figures.is_empty() {
            return None;
        }
        let drawn = |statistic: fn(&[f64]) -> f64| {
            let rng = &mut Rng::derived(1, "spread", 0);
            let enough = figures.len() >= FEWEST_SEEDS;
            enough.then(|| bootstrap(&[figures], |samples| statistic(&samples[0]), rng))
        };
        Some(SeedStatistics {
            mean: mean(figures),
            interval: drawn(mean),
            interquartile_mean: interquartile_mean(figures),
            interquartile_interval: drawn(interquartile_mean),
        })
    }

    /// The interquartile mean and its interval, in words.
    pub fn iqm(&self) -> String {
        with_interval(self.interquartile_mean, self.interquartile_interval)
    }
}

/// The mean and its interval.
impl Display for SeedStatistics {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&with_interval(self.mean, self.interval))
    }
}

fn with_interval(number: f64, interval: Option<Interval>) -> String {
    // Thousands need no fractions.
    let digits = if number.abs() >= 1000.0 { 0 } else { 3 };
    match interval {
        Some(Interval { low, high }) => {
            format!("{number:.digits$} ({low:.digits$} to {high:.digits$})")
        }
        None => format!("{number:.digits$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_the_mean_holds_the_mean() {
        let spread = SeedStatistics::of(&[0.0, 0.0, 0.0, 1.0, 9.0]).unwrap();
        assert_eq!((spread.mean, spread.interquartile_mean), (2.0, 1.0 / 3.0));
        let interval = spread.interval.unwrap();
        // The interval stays between the smallest and the largest figure.
        assert!(interval.low >= 0.0 && interval.low <= 2.0);
        assert!(interval.high >= 2.0 && interval.high <= 9.0);
        assert!(SeedStatistics::of(&[]).is_none());
    }

    #[test]
    fn scores_are_told_without_fractions() {
        assert_eq!(SeedStatistics::of(&[0.5; 5]).unwrap().to_string(), "0.500 (0.500 to 0.500)");
        assert_eq!(SeedStatistics::of(&[-2000.0]).unwrap().to_string(), "-2000");
    }

    #[test]
    fn fewer_than_five_seeds_have_no_interval() {
        let few = SeedStatistics::of(&[0.1, 0.2, 0.3, 0.4]).unwrap();
        assert_eq!((few.interval, few.interquartile_interval), (None, None));
        assert_eq!(few.iqm(), "0.250");
    }
}
