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

/// Compares two sets of numbers, neither of them empty; infinite ones may be among them.
///
/// ```
/// use ludens_experiment::mann_whitney;
/// let found = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]);
/// assert_eq!(found.pairs, 17.0);
/// assert!((found.probability - 0.1111).abs() < 1e-4);
/// ```
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Comparison {
    let most = (a.len() * b.len()) as f64;
    let found = mannwhitneyu(a, b, MannWhitneyUMethod::Automatic, Alternative::TwoSided);
    let (pairs, probability) = found.unwrap_or((most / 2.0, 1.0));
    // Numbers that are all equal have no variance, and tell nothing apart.
    let probability = if probability.is_nan() { 1.0 } else { probability };
    Comparison { pairs, effect: pairs / most, probability }
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
        assert_eq!(mann_whitney(&b, &a).pairs, 3.0);
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
