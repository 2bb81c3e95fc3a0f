//! The Mann-Whitney U test.

use serde::Serialize;
use statrs::stats_tests::Alternative;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

/// The result of a Mann-Whitney U test between two variants.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// In how many pairs the first is larger; a tie is half a pair (Mann and Whitney's U).
    pub pairs: f64,
    /// The share of such pairs: 1/2 means no effect (Vargha and Delaney's A).
    pub effect: f64,
    /// The two-sided p-value.
    pub probability: f64,
}

/// With more numbers than this on one side, the normal distribution approximates U well.
const EXACT: usize = 8;

/// Compares two sets of numbers, neither of them empty; infinite ones may be among them.
///
/// The p-value is exact without ties and with at most eight numbers on each side.
///
/// ```
/// use ludens_experiment::mann_whitney;
/// let found = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]);
/// assert_eq!(found.pairs, 17.0);
/// assert!((found.probability - 0.1111).abs() < 1e-4);
/// ```
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Comparison {
    let most = (a.len() * b.len()) as f64;
    let normal = MannWhitneyUMethod::AsymptoticInclContinuityCorrection;
    let found = mannwhitneyu(a, b, normal, Alternative::TwoSided);
    let (pairs, approximate) = found.unwrap_or((most / 2.0, 1.0));
    let probability = if a.len().max(b.len()) <= EXACT && !has_ties(a, b) {
        exact_probability(pairs, a.len(), b.len())
    } else if approximate.is_nan() {
        // Numbers that are all equal have no variance, and tell nothing apart.
        1.0
    } else {
        approximate
    };
    Comparison { pairs, effect: pairs / most, probability }
}

fn has_ties(a: &[f64], b: &[f64]) -> bool {
    let mut all = [a, b].concat();
    all.sort_by(f64::total_cmp);
    all.windows(2).any(|two| two[0] == two[1])
}

/// The two-sided p-value of U without ties, from its distribution.
///
/// Not by `statrs` 0.19, whose exact p-value is 1 - p unless the first side is the larger one.
fn exact_probability(u: f64, n: usize, m: usize) -> f64 {
    let ways = orders(n, m);
    let furthest = u.max((n * m) as f64 - u) as usize;
    let tail = ways[furthest..].iter().sum::<f64>() / ways.iter().sum::<f64>();
    (2.0 * tail).min(1.0)
}

/// In how many orders of n and m numbers U is 0, 1, 2 and so on.
///
/// These are the coefficients of the product of (1 - q^(m + i)) / (1 - q^i) for i = 1 to n (Mann and
/// Whitney 1947).
fn orders(n: usize, m: usize) -> Vec<f64> {
    let mut ways = vec![0.0; n * m + 1];
    ways[0] = 1.0;
    for i in 1..=n {
        for u in (m + i..ways.len()).rev() {
            ways[u] -= ways[u - m - i];
        }
        for u in i..ways.len() {
            ways[u] += ways[u - i];
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scipy_finds_the_same() {
        // scipy.stats.mannwhitneyu(a, b): 17.0, 0.1111111.
        let (a, b) = ([19.0, 22.0, 16.0, 29.0, 24.0], [20.0, 11.0, 17.0, 12.0]);
        let found = mann_whitney(&a, &b);
        assert!((found.probability - 0.111_111_1).abs() < 1e-6);
        let turned = mann_whitney(&b, &a);
        assert_eq!((turned.pairs, turned.probability), (3.0, found.probability));
        // scipy.stats.mannwhitneyu(range(5), range(5, 10)): 0.0, 0.0079365.
        let (low, high) = ([0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0]);
        for found in [mann_whitney(&low, &high), mann_whitney(&high, &low)] {
            assert!((found.probability - 0.007_936_5).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn orders_are_those_that_counting_finds() {
        // By hand: two and two numbers in six orders, with U of 0, 1, 2, 2, 3 and 4.
        assert_eq!(orders(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
        // 20 choose 10.
        assert_eq!(orders(10, 10).iter().sum::<f64>(), 184_756.0);
        assert_eq!(orders(3, 7), orders(7, 3));
    }

    #[test]
    fn ties_are_half_a_pair_and_widen_the_doubt() {
        // By hand: U = 0.5 + 0.5 of 4 pairs is 1; ranks 1, 2.5, 2.5, 4.
        let found = mann_whitney(&[1.0, 2.0], &[2.0, 3.0]);
        assert_eq!((found.pairs, found.effect), (0.5, 0.125));
        let never = mann_whitney(&[f64::INFINITY, 1.0], &[f64::INFINITY, f64::INFINITY]);
        assert_eq!(never.effect, 0.25);
        let same = mann_whitney(&[1.0; 5], &[1.0; 5]);
        assert_eq!((same.effect, same.probability), (0.5, 1.0));
    }

    #[test]
    fn clearly_different_numbers_are_told_apart() {
        let (low, high): (Vec<f64>, Vec<f64>) =
            ((0..20).map(f64::from).collect(), (30..50).map(f64::from).collect());
        let found = mann_whitney(&high, &low);
        assert_eq!(found.effect, 1.0);
        assert!(found.probability < 1e-6);
    }
}
