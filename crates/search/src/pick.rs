//! Picking among valued moves.

use ludens_core::Rng;

/// The index of the largest value; ties are broken at random.
pub(crate) fn best(values: &[f32], rng: &mut Rng) -> usize {
    let largest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let ties = values.iter().filter(|v| **v == largest).count();
    // Draws only on ties, so that other agents leave the random stream unchanged.
    let skip = if ties > 1 { rng.below(ties) } else { 0 };
    let mut at = values.iter().enumerate().filter(|(_, v)| **v == largest).map(|(i, _)| i);
    at.nth(skip).unwrap_or(0)
}

/// Turns values into probabilities, each proportional to `exp(value / temperature)`.
pub(crate) fn softmax(values: &mut [f32], temperature: f32) {
    let largest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    values.iter_mut().for_each(|v| *v = ((*v - largest) / temperature).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|v| *v /= sum);
}

/// Draws a place in proportion to these weights, of which one at least is positive.
pub(crate) fn in_proportion(weights: &[f32], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * weights.iter().sum::<f32>();
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    weights.iter().rposition(|w| *w > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_evenly() {
        let (mut rng, mut counts) = (Rng::seeded(1), [0u32; 4]);
        (0..3000).for_each(|_| counts[best(&[1.0, 2.0, 0.0, 2.0], &mut rng)] += 1);
        assert!(counts[1] + counts[3] == 3000 && counts[1].abs_diff(counts[3]) < 200, "{counts:?}");
    }

    #[test]
    fn softmax_keeps_ratios_and_sums_to_one() {
        let mut values = [1000.0, 1000.0 + 2f32.ln(), -1e9];
        softmax(&mut values, 1.0);
        assert!((values[0] - 1.0 / 3.0).abs() < 1e-3 && (values[1] - 2.0 / 3.0).abs() < 1e-3);
        assert_eq!(values[2], 0.0);
    }

    #[test]
    fn places_are_drawn_in_proportion() {
        let (mut rng, mut counts) = (Rng::seeded(1), [0; 3]);
        (0..4000).for_each(|_| counts[in_proportion(&[1.0, 0.0, 3.0], &mut rng)] += 1);
        assert!(counts[1] == 0 && (900..1100).contains(&counts[0]), "{counts:?}");
    }
}
