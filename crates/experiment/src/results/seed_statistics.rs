//! Statistics of one figure over all seeds.

use crate::{bootstrap, interquartile_mean, mean};
use ludens_arena::statistics::Interval;
use ludens_core::Rng;
use serde::Serialize;
use std::fmt::{Display, Formatter};

/// A mean and the mean of the middle half, each with its 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct SeedStatistics {
    /// The mean.
    pub mean: f64,
    /// Its interval, by drawing seeds again.
    pub interval: Interval,
    /// The mean of the middle half.
    pub interquartile_mean: f64,
    /// Its interval, by drawing seeds again.
    pub interquartile_interval: Interval,
}

impl SeedStatistics {
    /// Computes the statistics of these figures; `None` if there are none.
    pub(crate) fn of(figures: &[f64]) -> Option<SeedStatistics> {
        if figures.is_empty() {
            return None;
        }
        let drawn = |statistic: fn(&[f64]) -> f64| {
            let rng = &mut Rng::derived(1, "spread", 0);
            bootstrap(&[figures], |samples| statistic(&samples[0]), rng)
        };
        Some(SeedStatistics {
            mean: mean(figures),
            interval: drawn(mean),
            interquartile_mean: interquartile_mean(figures),
            interquartile_interval: drawn(interquartile_mean),
        })
    }

    /// The mean of the middle half and its interval, in words.
    pub fn middle_half(&self) -> String {
        with_interval(self.interquartile_mean, self.interquartile_interval)
    }
}

/// The mean and its interval.
impl Display for SeedStatistics {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&with_interval(self.mean, self.interval))
    }
}

fn with_interval(number: f64, Interval { low, high }: Interval) -> String {
    // Thousands need no fractions.
    let digits = if number.abs() >= 1000.0 { 0 } else { 3 };
    format!("{number:.digits$} ({low:.digits$} to {high:.digits$})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_the_mean_holds_the_mean() {
        let spread = SeedStatistics::of(&[0.0, 0.0, 0.0, 1.0, 9.0]).unwrap();
        assert_eq!((spread.mean, spread.interquartile_mean), (2.0, 1.0 / 3.0));
        assert!(spread.interval.low <= 2.0 && spread.interval.high >= 2.0);
        assert!(SeedStatistics::of(&[]).is_none());
    }

    #[test]
    fn scores_are_told_without_fractions() {
        assert_eq!(SeedStatistics::of(&[0.5]).unwrap().to_string(), "0.500 (0.500 to 0.500)");
        assert_eq!(SeedStatistics::of(&[-2000.0]).unwrap().to_string(), "-2000 (-2000 to -2000)");
    }
}
