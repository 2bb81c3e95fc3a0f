//! What weights are before anything is learned.

use ludens_core::Rng;

/// What weights are before anything is learned.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Init {
    /// All zero.
    Zero,
    /// Drawn from a range, all numbers alike.
    Uniform {
        /// The smallest.
        low: f32,
        /// The largest.
        high: f32,
    },
}

impl Init {
    /// `count` weights.
    pub fn weights(self, count: usize, rng: &mut Rng) -> Vec<f32> {
        match self {
            Init::Zero => vec![0.0; count],
            Init::Uniform { low, high } => (0..count).map(|_| rng.between(low, high)).collect(),
        }
    }
}
