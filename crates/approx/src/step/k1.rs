//! K1 (Sutton 1992b, "Gain adaptation beats least squares?").

use super::idbd::adapted_log;
use super::{StepSize, Update};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// K1: the gain of a Kalman filter with an adapted variance for each weight.
///
/// Per weight, B is the logarithm of the variance, g = x * Y the gradient and h a decaying trace
/// of recent steps; R is the variance of the noise:
///
/// ```text
/// B += theta * delta * g * h           by at most 2, and B stays in -10..10
/// M  = sum of exp(B) * g^2             over all weights of the update
/// k  = exp(B) * e / (R + M)
/// w += k * delta
/// h  = (h + k * delta) * [1 - k * g]+          where [u]+ clamps u to 0..1
/// ```
///
/// The paper has linear outputs and no traces: there g = e = x. The global alpha is ignored.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct K1 {
    /// The initial logarithm of the variance (B0).
    #[serde(rename = "start")]
    pub initial_log_variance: f32,
    /// The meta step size (theta).
    #[serde(rename = "meta")]
    pub meta_step: f32,
    /// The variance of the noise (R).
    #[serde(rename = "noise")]
    pub noise_variance: f32,
}

impl Default for K1 {
    fn default() -> K1 {
        K1 { initial_log_variance: -5.0, meta_step: 0.01, noise_variance: 1.0 }
    }
}

impl StepSize for K1 {
    /// B and h.
    type Memory = [f32; 2];

    const NORMALISES: bool = true;

    fn initial(&self) -> [f32; 2] {
        [self.initial_log_variance, 0.0]
    }

    #[inline]
    fn contribution(&self, [log_variance, h]: &mut [f32; 2], update: &Update) -> f32 {
        let gradient = update.input * update.slope;
        *log_variance = adapted_log(*log_variance, self.meta_step * update.error * gradient * *h);
        log_variance.exp() * gradient * gradient
    }

    #[inline]
    fn step(&self, [log_variance, h]: &mut [f32; 2], update: &Update, norm: f32) -> f32 {
        let gain = log_variance.exp() * update.trace / (self.noise_variance + norm);
        let step = gain * update.error;
        let kept = (1.0 - gain * update.input * update.slope).clamp(0.0, 1.0);
        *h = (*h + step) * kept;
        step
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{GENERAL, assert_close, assert_finite, joint_steps, steps, update};
    use super::*;

    fn rule(meta_step: f32) -> K1 {
        K1 { initial_log_variance: 0.5f32.ln(), meta_step, noise_variance: 1.0 }
    }

    #[test]
    fn two_weights_move_as_computed_by_hand() {
        // 1: M = 0.5 + 0.5 * 4 = 2.5, k = 0.5 / 3.5 and 1 / 3.5; h = 0.1224490 for both.
        // 2: B = ln 0.5 + 0.5 * 0.1224490 = -0.6319227, M = 1.0631376, k = 0.2576507;
        //    h = (0.1224490 + 0.1288253) * (1 - 0.2576507) = 0.1865333.
        // 3: B -= 0.2 * 0.1865333 and += the same; M = 1.0638775; k = 0.2481267 and -0.2673484.
        let updates = [(1.0, [1.0, 2.0]), (0.5, [1.0, 1.0]), (-0.2, [1.0, -1.0])];
        let expected =
            [0.142_857_14, 0.285_714_3, 0.128_825_34, 0.128_825_34, -0.049_625_34, 0.053_469_69];
        assert_close(&joint_steps(&rule(1.0), &updates), &expected);
    }

    #[test]
    fn gradients_include_the_slope() {
        // g: 1, 1.5, 1.2, 0.9; exp(B): 0.5, 0.5717917, 0.6057508, 0.5723772; k: 0.2333333,
        // 0.3751042, 0.3235362, 0.3128544; h: 0.1788889, 0.1602607, 0.1574181.
        let expected = [0.233_333_33, 0.187_552_1, 0.097_060_87, -0.125_141_77];
        assert_close(&steps(&rule(1.0), &GENERAL), &expected);
    }

    #[test]
    fn without_a_meta_step_each_update_corrects_the_same_share() {
        // Normalised least mean squares: M / (R + M) with M = 0.5 * (1 + 4 + 9) = 7.
        let inputs = [1.0, -2.0, 3.0];
        for moves in joint_steps(&rule(0.0), &[(1.0, inputs); 5]).chunks(3) {
            let corrected: f32 = moves.iter().zip(inputs).map(|(step, input)| step * input).sum();
            assert!((corrected - 7.0 / 8.0).abs() < 1e-6, "{corrected}");
        }
    }

    #[test]
    fn none_to_all_of_h_is_kept() {
        // k = 0.5 e / (1 + 0) and g = 4: 1 - k g = -1 and 2.
        for (trace, expected) in [(1.0, 0.0), (-0.5, 0.1 - 0.25)] {
            let mut memory = [0.5f32.ln(), 0.1];
            rule(0.0).step(&mut memory, &Update { trace, ..update(1.0, 4.0) }, 0.0);
            assert_close(&memory[1..], &[expected]);
        }
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&rule(1.0));
        assert_finite(&K1 { initial_log_variance: 5.0, meta_step: 100.0, noise_variance: 1e-3 });
    }
}
