//! Statistics over several seeds.

mod bootstrap;
mod holm;
mod mann_whitney;

pub use bootstrap::bootstrap;
pub use holm::holm;
pub use mann_whitney::{Comparison, mann_whitney};

/// Fewer seeds than this get no interval and no verdict: a bootstrap of so few is too narrow.
pub const FEWEST_SEEDS: usize = 5;

/// The mean; of nothing, not a number.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The interquartile mean (IQM): the mean after dropping a quarter of the numbers, rounded down, at
/// each end.
///
/// It uses more data than the median and is less sensitive to outliers than the mean (Agarwal et
/// al. 2021, "Deep reinforcement learning at the edge of the statistical precipice").
///
/// ```
/// use ludens_experiment::interquartile_mean;
/// assert_eq!(interquartile_mean(&[9.0, 1.0, 2.0, 3.0]), 2.5);
/// ```
pub fn interquartile_mean(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let out = sorted.len() / 4;
    mean(&sorted[out..sorted.len() - out])
}

/// The value below which the given share of the numbers lies, interpolated between neighbours.
///
/// `sorted` must be in ascending order and not empty.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    if below == above { below } else { below + (above - below) * place.fract() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_half_is_averaged() {
        // Eight numbers: two are dropped at each end, as in SciPy's trim_mean(x, 0.25).
        assert_eq!(interquartile_mean(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 70.0]), 3.5);
        assert_eq!(interquartile_mean(&[5.0, 1.0, 100.0]), 106.0 / 3.0);
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        // NumPy: quantile([1, 2, 3, 4], 0.25) = 1.75.
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), 1.75);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 1.0), 4.0);
        assert_eq!(quantile(&[f64::INFINITY, f64::INFINITY], 0.5), f64::INFINITY);
    }
}
