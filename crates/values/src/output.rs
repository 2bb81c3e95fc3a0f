//! What becomes of a sum of weights.

use crate::vector::{exp, tanh};

/// What becomes of the sum.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nothing; for scores without bounds.
    Linear,
    /// Squashed into (-1, 1).
    Tanh,
    /// Squashed into (0, 1): the Fermi function 1 / (1 + e^-x).
    Sigmoid,
}

impl Output {
    /// The value for a sum, and its derivative.
    #[inline]
    pub fn value_and_slope(self, sum: f32) -> (f32, f32) {
        let value = self.value(sum);
        (value, self.slope(value))
    }

    /// The value for a sum.
    #[inline]
    pub fn value(self, sum: f32) -> f32 {
        match self {
            Output::Linear => sum,
            Output::Tanh => tanh(sum),
            Output::Sigmoid => 1.0 / (1.0 + exp(-sum)),
        }
    }

    /// Puts the value in the place of each sum.
    #[inline(always)]
    pub fn value_all(self, sums: &mut [f32]) {
        match self {
            Output::Linear => {}
            Output::Tanh => {
                for sum in sums {
                    *sum = tanh(*sum);
                }
            }
            Output::Sigmoid => {
                for sum in sums {
                    *sum = 1.0 / (1.0 + exp(-*sum));
                }
            }
        }
    }

    /// The value for each of several sums.
    #[inline(always)]
    pub(crate) fn value_lanes<const N: usize>(self, mut sums: [f32; N]) -> [f32; N] {
        self.value_all(&mut sums);
        sums
    }

    /// The derivative where the value is `value`.
    #[inline]
    pub fn slope(self, value: f32) -> f32 {
        match self {
            Output::Linear => 1.0,
            Output::Tanh => 1.0 - value * value,
            Output::Sigmoid => value * (1.0 - value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_the_derivatives() {
        for output in [Output::Linear, Output::Tanh, Output::Sigmoid] {
            for sum in [-1.5f32, 0.0, 0.7] {
                let step = 1e-2;
                let difference =
                    (output.value(sum + step) - output.value(sum - step)) / (2.0 * step);
                let (_, slope) = output.value_and_slope(sum);
                assert!((slope - difference).abs() < 1e-3, "{output:?} at {sum}");
            }
        }
    }
}
