//! The output function of a network.

use ludens_simd::{exp, tanh};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The function from the weighted sum to the value.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// The sum itself, for unbounded scores.
    #[serde(rename = "none")]
    Linear,
    /// The hyperbolic tangent, into (-1, 1).
    Tanh,
    /// The logistic function 1 / (1 + e^-x), into (0, 1).
    Sigmoid,
}

impl Output {
    /// Computes the value for a sum, and the derivative there.
    #[inline]
    pub fn value_and_slope(self, sum: f32) -> (f32, f32) {
        let value = self.value(sum);
        (value, self.slope(value))
    }

    /// Computes the value for a sum.
    #[inline]
    pub fn value(self, sum: f32) -> f32 {
        match self {
            Output::Linear => sum,
            Output::Tanh => tanh(sum),
            Output::Sigmoid => 1.0 / (1.0 + exp(-sum)),
        }
    }

    /// Replaces each sum by its value; one loop per function, so that each is vectorised.
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

    /// The largest derivative.
    pub fn max_slope(self) -> f32 {
        if self == Output::Sigmoid { 0.25 } else { 1.0 }
    }

    /// Computes the derivative where the value is `value`.
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
                let (value, slope) = output.value_and_slope(sum);
                assert!((slope - difference).abs() < 1e-3, "{output:?} at {sum}");
                let mut values = [sum; 9];
                output.value_all(&mut values);
                assert_eq!(values, [value; 9]);
            }
        }
    }
}
