//! Initial weights.

use ludens_core::Rng;
use ludens_simd::huge_table;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The initial weights: uniform from `low` to `high`, or zero if both are.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Init {
    /// The lower end.
    pub low: f32,
    /// The upper end.
    pub high: f32,
}

impl Init {
    /// All zero.
    pub const ZERO: Init = Init { low: 0.0, high: 0.0 };

    /// Draws `count` weights.
    pub fn weights(self, count: usize, rng: &mut Rng) -> Vec<f32> {
        let mut weights = huge_table(count, 0.0);
        if self != Init::ZERO {
            weights.iter_mut().for_each(|weight| *weight = rng.between(self.low, self.high));
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
        assert_eq!(Init::ZERO.weights(3, rng), [0.0; 3]);
        let weights = Init { low: 0.5, high: 1.0 }.weights(1000, rng);
        assert!(weights.iter().all(|weight| (0.5..=1.0).contains(weight)));
        assert!((weights.iter().sum::<f32>() / 1000.0 - 0.75).abs() < 0.02);
    }
}
