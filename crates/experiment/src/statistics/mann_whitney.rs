//! The Mann-Whitney U test.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

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

/// Up to so many numbers on either side are counted out exactly, if no two are equal.
const EXACT: usize = 8;

/// Compares two sets of numbers, neither of them empty.
///
/// ```
/// use ludens_experiment::mann_whitney;
/// let found = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]);
/// assert_eq!(found.pairs, 17.0);
/// assert!((found.probability - 0.1111).abs() < 1e-4);
/// ```
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Comparison {
    let beaten = |x: &f64, y: &f64| match x.total_cmp(y) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let pairs: f64 = a.iter().flat_map(|x| b.iter().map(move |y| beaten(x, y))).sum();
    let most = (a.len() * b.len()) as f64;
    let larger = pairs.max(most - pairs);
    let ties = ties(a, b);
    let probability = if ties == 0.0 && a.len() <= EXACT && b.len() <= EXACT {
        exact(a.len(), b.len(), larger as usize)
    } else {
        approximate(a.len() as f64, b.len() as f64, larger, ties)
    };
    Comparison { pairs, effect: pairs / most, probability: probability.min(1.0) }
}

/// The sum of t³ - t over all groups of t equal numbers.
fn ties(a: &[f64], b: &[f64]) -> f64 {
    let mut all = [a, b].concat();
    all.sort_by(f64::total_cmp);
    let size = |group: &[f64]| group.len() as f64;
    all.chunk_by(|x, y| x == y).map(|group| size(group).powi(3) - size(group)).sum()
}

/// Twice the share of all orders of `n` and `m` numbers with at least `u` pairs.
fn exact(n: usize, m: usize, u: usize) -> f64 {
    let counts = orders(n, m);
    let all: f64 = counts.iter().sum();
    2.0 * counts[u..].iter().sum::<f64>() / all
}

/// The number of orderings of `n` and `m` numbers with each value of U.
fn orders(n: usize, m: usize) -> Vec<f64> {
    if n == 0 || m == 0 {
        return vec![1.0];
    }
    // The largest of all is of the first kind, and beats all m of the second, or is not.
    let mut counts = vec![0.0; n * m + 1];
    for (u, count) in orders(n - 1, m).into_iter().enumerate() {
        counts[u + m] += count;
    }
    for (u, count) in orders(n, m - 1).into_iter().enumerate() {
        counts[u] += count;
    }
    counts
}

/// By the normal distribution, with correction for ties and for continuity.
fn approximate(n: f64, m: f64, u: f64, ties: f64) -> f64 {
    let all = n + m;
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (u - n * m / 2.0 - 0.5).max(0.0) / variance.sqrt();
    2.0 * Normal::standard().sf(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scipy_finds_the_same() {
        // scipy.stats.mannwhitneyu(a, b): 17.0, 0.1111111; (method="asymptotic") 0.1113469.
        let (a, b) = ([19.0, 22.0, 16.0, 29.0, 24.0], [20.0, 11.0, 17.0, 12.0]);
        let found = mann_whitney(&a, &b);
        assert!((found.probability - 0.111_111_1).abs() < 1e-6);
        assert!((approximate(5.0, 4.0, 17.0, 0.0) - 0.111_346_9).abs() < 1e-6);
        assert_eq!(mann_whitney(&b, &a).pairs, 3.0);
    }

    #[test]
    fn ties_are_half_a_pair_and_widen_the_doubt() {
        // By hand: U = 0.5 + 0.5 of 4 pairs is 1; ranks 1, 2.5, 2.5, 4.
        let found = mann_whitney(&[1.0, 2.0], &[2.0, 3.0]);
        assert_eq!((found.pairs, found.effect), (0.5, 0.125));
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
