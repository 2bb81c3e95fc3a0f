//! ALAP (Almeida, Langlois, Amaral and Plakhov 1999).

use super::{StepSize, Update};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// ALAP: step sizes grow while successive gradients agree and shrink while they differ.
///
/// Per weight, a is the step size, g = delta * e the gradient, and v the running mean of g^2:
///
/// ```text
/// v  = decay * v + (1 - decay) * g^2
/// a *= max(1/2, 1 + meta * g * g' / v)     with g' of the update before; a stays in 1e-6..1e4
/// w += a * g
/// ```
///
/// The global alpha is ignored.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Alap {
    /// The initial step size of each weight.
    #[serde(rename = "start")]
    pub initial_alpha: f32,
    /// The step size of the step sizes; usually 0.02.
    #[serde(rename = "meta")]
    pub meta_step: f32,
    /// The decay of the running mean; usually 0.98.
    #[serde(rename = "memory")]
    pub decay: f32,
}

impl Default for Alap {
    fn default() -> Alap {
        Alap { initial_alpha: 0.01, meta_step: 0.02, decay: 0.98 }
    }
}

const MIN_ALPHA: f32 = 1e-6;
const MAX_ALPHA: f32 = 1e4;

impl StepSize for Alap {
    /// a, v and g'.
    type Memory = [f32; 3];

    fn initial(&self) -> [f32; 3] {
        [self.initial_alpha, 0.0, 0.0]
    }

    #[inline]
    fn step(&self, [alpha, mean, previous]: &mut [f32; 3], update: &Update, _: f32) -> f32 {
        let gradient = update.error * update.trace;
        *mean = self.decay * *mean + (1.0 - self.decay) * gradient * gradient;
        if *mean > 0.0 {
            let factor = 1.0 + self.meta_step * gradient * *previous / *mean;
            *alpha = (*alpha * factor.max(0.5)).clamp(MIN_ALPHA, MAX_ALPHA);
        }
        *previous = gradient;
        *alpha * gradient
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, assert_constant, assert_finite, steps, update};
    use super::*;

    const RULE: Alap = Alap { initial_alpha: 0.1, meta_step: 0.02, decay: 0.98 };

    #[test]
    fn gradients_that_agree_speed_a_weight_up() {
        // v: 0.02, 0.0246, 0.024908, 0.0252098;
        // factors: 1, 1 + 0.02 * 0.5 / v = 1.4065041, 1 - 0.02 * 0.1 / v = 0.9197045,
        // 1 + 0.02 * 0.04 / v = 1.0317336; a: 0.1, 0.1406504, 0.1293568, 0.1334618.
        let last = Update { trace: 0.5, ..update(-0.4, 1.0) };
        let found = steps(&RULE, &[update(1.0, 1.0), update(0.5, 1.0), update(-0.2, 1.0), last]);
        assert_close(&found, &[0.1, 0.070_325_2, -0.025_871_36, -0.026_692_36]);
    }

    #[test]
    fn a_gradient_of_zero_changes_nothing() {
        assert_close(&steps(&RULE, &[update(0.0, 1.0), update(1.0, 1.0)]), &[0.0, 0.1]);
    }

    #[test]
    fn without_a_meta_step_it_is_constant() {
        assert_constant(&Alap { initial_alpha: 0.03, meta_step: 0.0, ..RULE }, 0.03);
    }

    #[test]
    fn step_sizes_at_most_halve_and_stay_in_bounds() {
        let opposed: Vec<Update> = (0..3000).map(|i| update([1.0, -1.0][i % 2], 1.0)).collect();
        let halved = steps(&Alap { meta_step: 1.0, ..RULE }, &opposed[..3]);
        assert_close(&halved, &[0.1, -0.05, 0.025]);
        assert_eq!(steps(&RULE, &opposed)[2999], -MIN_ALPHA);
        assert_eq!(steps(&RULE, &[update(1.0, 1.0); 3000])[2999], MAX_ALPHA);
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&RULE);
    }
}
