//! Initial weights.

use ludens_core::Rng;
use ludens_simd::huge_table;

/// The distribution of the initial weights.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Init {
    /// All zero.
    Zero,
    /// Uniform between two numbers.
    Uniform {
        /// The lower end.
        low: f32,
        /// The upper end.
        high: f32,
    },
}

impl Init {
    /// Draws `count` weights.
    pub fn weights(self, count: usize, rng: &mut Rng) -> Vec<f32> {
        let mut weights = huge_table(count, 0.0);
        if let Init::Uniform { low, high } = self {
            weights.iter_mut().for_each(|weight| *weight = rng.between(low, high));
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_zero_or_spread_between_the_ends() {
        let rng = &mut Rng::seeded(1);
        assert_eq!(Init::Zero.weights(3, rng), [0.0; 3]);
        let weights = Init::Uniform { low: 0.5, high: 1.0 }.weights(1000, rng);
        assert!(weights.iter().all(|weight| (0.5..=1.0).contains(weight)));
        assert!((weights.iter().sum::<f32>() / 1000.0 - 0.75).abs() < 0.02);
    }
}
