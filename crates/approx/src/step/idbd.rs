//! Incremental delta-bar-delta (Sutton 1992; logistic form: Koop 2008).

use super::{StepSize, Update};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// IDBD: a weight that errors push the same way again and again speeds up.
///
/// Per weight, B is the logarithm of the step size and h a decaying trace of recent steps:
///
/// ```text
/// B += theta * delta * e * h           by at most 2, and B stays in -10..10
/// w += exp(B) * delta * e
/// h  = h * [1 - exp(B) * e * x * Y]+  +  exp(B) * delta * e
/// ```
///
/// where e is the trace, x the input, Y the slope of the output, and \[u\]+ clamps u to 0..1.
/// The global alpha is ignored.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Idbd {
    /// The initial logarithm of the step size (B0).
    #[serde(rename = "start")]
    pub initial_log_alpha: f32,
    /// The meta step size (theta).
    #[serde(rename = "meta")]
    pub meta_step: f32,
    /// The loss to be minimised.
    pub loss: Loss,
    /// The largest slope of the output function: 1/4 for the sigmoid, 1 for tanh.
    #[serde(skip)]
    pub max_slope: f32,
}

impl Default for Idbd {
    fn default() -> Idbd {
        let (initial_log_alpha, meta_step) = (-5.0, 3.0);
        Idbd { initial_log_alpha, meta_step, loss: Loss::Squared, max_slope: 1.0 }
    }
}

/// The loss that a step-size rule minimises.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The squared error.
    Squared,
    /// The cross entropy of value and target, for bounded outputs (Koop 2008).
    ///
    /// Steps do not shrink where the output is flat: the newest position counts by its input
    /// alone, earlier ones by their slope relative to the largest.
    CrossEntropy,
}

/// The largest change of a logarithm in one update.
const MAX_CHANGE: f32 = 2.0;

/// The largest logarithm; its negative is the smallest.
const MAX_LOG: f32 = 10.0;

impl StepSize for Idbd {
    /// B and h.
    type Memory = [f32; 2];

    fn initial(&self) -> [f32; 2] {
        [self.initial_log_alpha, 0.0]
    }

    #[inline]
    fn step(&self, [log_alpha, h]: &mut [f32; 2], update: &Update, _: f32) -> f32 {
        let trace = self.trace(update);
        *log_alpha = adapted_log(*log_alpha, self.meta_step * update.error * trace * *h);
        let alpha = log_alpha.exp();
        let step = alpha * update.error * trace;
        // Only where trace and input differ in sign would more than all of h be kept.
        let kept = (1.0 - alpha * trace * update.input * update.slope).clamp(0.0, 1.0);
        *h = *h * kept + step;
        step
    }
}

impl Idbd {
    #[inline]
    fn trace(&self, update: &Update) -> f32 {
        match self.loss {
            Loss::Squared => update.trace,
            Loss::CrossEntropy => {
                let earlier = update.trace - update.input * update.slope;
                update.input + earlier / self.max_slope
            }
        }
    }
}

/// Adds a change to a logarithm, both within bounds; changes that are NaN are ignored.
#[inline]
pub(super) fn adapted_log(log: f32, change: f32) -> f32 {
    let change = if change.is_nan() { 0.0 } else { change.clamp(-MAX_CHANGE, MAX_CHANGE) };
    (log + change).clamp(-MAX_LOG, MAX_LOG)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, assert_constant, assert_finite, steps, update};
    use super::*;

    fn rule(alpha: f32, meta_step: f32) -> Idbd {
        Idbd { initial_log_alpha: alpha.ln(), meta_step, ..Idbd::default() }
    }

    #[test]
    fn errors_of_one_sign_speed_a_weight_up() {
        // B: ln 0.1, + 2 * 0.5 * 0.1, + 2 * -0.8 * 0.5 * 0.1442068, + 2 * 0.4 * 0.1012666;
        // exp(B): 0.1, 0.1105171, 0.0984752, 0.1067851;
        // h: 0.1, 0.1 * (1 - 0.1105171) + 0.0552586 = 0.1442068,
        //    0.1442068 * (1 - 0.0984752 / 4) - 0.0393901 = 0.1012666.
        let updates = [update(1.0, 1.0), update(0.5, 1.0), update(-0.8, 0.5), update(0.4, 1.0)];
        let found = steps(&rule(0.1, 2.0), &updates);
        assert_close(&found, &[0.1, 0.055_258_55, -0.039_390_08, 0.042_714_02]);
    }

    #[test]
    fn a_flat_output_slows_the_decay_of_h() {
        // e = Y x: h = 0.075, then 0.075 * (1 - 0.1038212 * 0.5 * 0.5) + 0.0259553 = 0.0990086;
        // B: ln 0.1, + 2 * 0.5 * 0.5 * 0.075, + 2 * -0.8 * 0.5 * 0.0990086.
        let flat = |error, slope| Update { trace: slope, slope, ..update(error, 1.0) };
        let updates = [flat(1.0, 0.75), flat(0.5, 0.5), flat(-0.8, 0.5)];
        assert_close(&steps(&rule(0.1, 2.0), &updates), &[0.075, 0.025_955_3, -0.038_366_03]);
    }

    #[test]
    fn with_cross_entropy_the_slope_does_not_shrink_a_step() {
        // e = x = 1 three times, then an earlier position only: 0 + 0.05 / 0.25 = 0.2;
        // B: ln 0.5, + 2 * 0.4 * 0.25, + 2 * -0.6 * 0.4564934, + 2 * 0.3 * 0.2 * 0.2123800;
        // h: 0.25, 0.25 * (1 - 0.6107014 * 0.2475) + 0.2442806 = 0.4564934,
        //    0.4564934 * (1 - 0.3531229 * 0.2) - 0.2118737 = 0.2123800.
        let at = |error, slope| Update { trace: slope, slope, ..update(error, 1.0) };
        let earlier = Update { trace: 0.05, slope: 0.24, ..update(0.3, 0.0) };
        let updates = [at(0.5, 0.25), at(0.4, 0.2475), at(-0.6, 0.2), earlier];
        let rule = Idbd { loss: Loss::CrossEntropy, max_slope: 0.25, ..rule(0.5, 2.0) };
        assert_close(&steps(&rule, &updates), &[0.25, 0.244_280_55, -0.211_873_71, 0.021_734_28]);
    }

    #[test]
    fn without_a_meta_step_it_is_constant() {
        assert_constant(&rule(0.07, 0.0), 0.07);
    }

    #[test]
    fn logarithms_change_and_stay_within_bounds() {
        assert_eq!(adapted_log(1.0, 5.0), 1.0 + MAX_CHANGE);
        assert_eq!(adapted_log(1.0, -5.0), 1.0 - MAX_CHANGE);
        assert_eq!(adapted_log(9.0, 1.5), MAX_LOG);
        assert_eq!(adapted_log(-9.0, -1.5), -MAX_LOG);
        assert_eq!(adapted_log(1.0, f32::NAN), 1.0);
    }

    #[test]
    fn none_to_all_of_h_is_kept() {
        // 1 - exp(B) e x = -3 and 3: h = 0 * 0.1 + 4 * 0.5 * 1, and 1 * 0.1 + 4 * 0.5 * 0.5.
        for (trace, expected) in [(1.0, 2.0), (-0.5, -0.9)] {
            let mut memory = [4.0f32.ln(), 0.1];
            rule(4.0, 0.0).step(&mut memory, &Update { trace, ..update(0.5, 1.0) }, 0.0);
            assert_close(&memory[1..], &[expected]);
        }
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&rule(0.1, 3.0));
        assert_finite(&Idbd { loss: Loss::CrossEntropy, max_slope: 0.25, ..rule(0.1, 3.0) });
    }
}
