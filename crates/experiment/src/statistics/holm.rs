//! Correction for multiple comparisons.

/// P-values corrected for multiple comparisons (Holm 1979).
///
/// ```
/// use ludens_experiment::holm;
/// assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
/// ```
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let count = probabilities.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut corrected = vec![0.0; count];
    let mut highest: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        highest = highest.max(probabilities[i] * (count - rank) as f64).min(1.0);
        corrected[i] = highest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn corrected_probabilities_keep_their_order_and_end_at_one() {
        assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
        assert_eq!(holm(&[0.02]), [0.02]);
        assert!(holm(&[]).is_empty());
    }
}
