//! Intervals from drawing again.

use super::quantile;
use ludens_arena::statistics::Interval;
use ludens_core::Rng;

/// The number of bootstrap resamples.
const RESAMPLES: usize = 2_000;

/// The 95 % percentile interval of a statistic, by drawing again within each stratum.
///
/// A stratum holds the numbers of one task or variant; each keeps its size in every resample.
/// Empty strata are not allowed.
pub fn bootstrap(
    strata: &[&[f64]],
    statistic: impl Fn(&[Vec<f64>]) -> f64,
    rng: &mut Rng,
) -> Interval {
    let mut drawn: Vec<Vec<f64>> = strata.iter().map(|stratum| stratum.to_vec()).collect();
    let mut once = || {
        for (drawn, stratum) in drawn.iter_mut().zip(strata) {
            drawn.fill_with(|| stratum[rng.below(stratum.len())]);
        }
        statistic(&drawn)
    };
    let mut found: Vec<f64> = (0..RESAMPLES).map(|_| once()).collect();
    found.sort_by(f64::total_cmp);
    Interval { low: quantile(&found, 0.025), high: quantile(&found, 0.975) }
}

#[cfg(test)]
mod tests {
    use super::super::mean;
    use super::*;

    #[test]
    fn one_number_leaves_no_doubt_and_many_leave_some() {
        let rng = &mut Rng::seeded(1);
        let sure = bootstrap(&[&[2.0]], |s| mean(&s[0]), rng);
        assert_eq!((sure.low, sure.high), (2.0, 2.0));
        let some = bootstrap(&[&[1.0, 2.0, 3.0, 4.0]], |s| mean(&s[0]), rng);
        assert!(some.low > 1.0 && some.low < 2.0 && some.high > 3.0 && some.high < 4.0);
    }

    #[test]
    fn ninety_five_of_a_hundred_intervals_hold_the_truth() {
        // 30 uniform numbers have the mean 1/2; percentile intervals are a little too narrow.
        let rng = &mut Rng::seeded(7);
        let holds = |_: &i32| {
            let numbers: Vec<f64> = (0..30).map(|_| f64::from(rng.unit())).collect();
            let interval = bootstrap(&[&numbers], |s| mean(&s[0]), rng);
            interval.low <= 0.5 && interval.high >= 0.5
        };
        let held = (0..300).filter(holds).count();
        assert!((270..=297).contains(&held), "{held} of 300");
    }

    #[test]
    fn every_stratum_keeps_its_size() {
        let (a, b) = ([1.0; 3], [5.0; 2]);
        let pooled = |s: &[Vec<f64>]| s.concat().iter().sum::<f64>();
        let interval = bootstrap(&[&a, &b], pooled, &mut Rng::seeded(1));
        assert_eq!((interval.low, interval.high), (13.0, 13.0));
    }
}
