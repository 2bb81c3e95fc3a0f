//! What weights are before anything is learned.

use crate::hardware;
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
            Init::Zero => hardware::table(count, 0.0),
            Init::Uniform { low, high } => {
                let mut weights = hardware::table(count, 0.0);
                weights.iter_mut().for_each(|weight| *weight = rng.between(low, high));
                weights
            }
        }
    }
}
