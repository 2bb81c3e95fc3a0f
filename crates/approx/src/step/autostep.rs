//! Autostep (Mahmood, Sutton, Degris and Pilarski 2012).

use super::{StepSize, Update};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Autostep: IDBD without tuning of its meta step size, and without overshooting.
///
/// Per weight, a is the step size, g = x * Y the gradient, h a decaying trace of recent steps, and
/// v a running maximum of |delta * g * h|:
///
/// ```text
/// v  = max(|delta * g * h|, v + min(a * g^2 / tau, 1) * (|delta * g * h| - v))
/// a *= exp(mu * delta * g * h / v)
/// M  = max(sum of a * g^2, 1)          over all weights of the update
/// a  = max(a / M, 1e-10)
/// w += a * delta * e
/// h  = h * [1 - a * g^2]+  +  a * delta * g
/// ```
///
/// The global alpha is ignored. Where we deviate from the paper: v does not overshoot what it
/// averages, and a stays above zero, where it could never grow again.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Autostep {
    /// The initial step size of each weight (alpha 0).
    #[serde(rename = "start")]
    pub initial_alpha: f32,
    /// The meta step size (mu).
    #[serde(rename = "meta")]
    pub meta_step: f32,
    /// The time constant of v, in updates (tau).
    #[serde(rename = "time")]
    pub tau: f32,
}

impl Default for Autostep {
    fn default() -> Autostep {
        Autostep { initial_alpha: 0.02, meta_step: 0.001, tau: 1e4 }
    }
}

const MIN_ALPHA: f32 = 1e-10;

impl StepSize for Autostep {
    /// a, h and v.
    type Memory = [f32; 3];

    const NORMALISES: bool = true;

    fn initial(&self) -> [f32; 3] {
        [self.initial_alpha, 0.0, 0.0]
    }

    #[inline]
    fn contribution(&self, [alpha, h, v]: &mut [f32; 3], update: &Update) -> f32 {
        let gradient = update.input * update.slope;
        let product = update.error * gradient * *h;
        let share = (*alpha * gradient * gradient / self.tau).min(1.0);
        *v = product.abs().max(*v + share * (product.abs() - *v));
        if *v > 0.0 {
            *alpha *= (self.meta_step * product / *v).exp();
        }
        *alpha * gradient * gradient
    }

    #[inline]
    fn step(&self, [alpha, h, _]: &mut [f32; 3], update: &Update, norm: f32) -> f32 {
        let gradient = update.input * update.slope;
        *alpha = (*alpha / norm.max(1.0)).max(MIN_ALPHA);
        let kept = (1.0 - *alpha * gradient * gradient).max(0.0);
        *h = *h * kept + *alpha * update.error * gradient;
        *alpha * update.error * update.trace
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        GENERAL, assert_close, assert_constant, assert_finite, joint_steps, steps, update,
    };
    use super::*;

    #[test]
    fn two_weights_move_as_computed_by_hand() {
        // 1: h = v = 0, M = 0.5 + 0.5 * 4 = 2.5, so a = 0.2 for both; steps 0.2 and 0.4.
        // 2: delta g h = 0.1 and 0.2 = v, so a = 0.2 e^0.1 = 0.2210342; M = 1; steps 0.1105171;
        //    h = 0.2 * (1 - 0.2210342) + 0.1105171 = 0.2663103 and 0.4221034.
        // 3: delta g h = -0.0532621 and 0.0844207; v = 0.0989669 and 0.1974453;
        //    a = 0.2094530 and 0.2306898.
        let rule = Autostep { initial_alpha: 0.5, meta_step: 0.1, tau: 10.0 };
        let updates = [(1.0, [1.0, 2.0]), (0.5, [1.0, 1.0]), (-0.2, [1.0, -1.0])];
        let expected = [0.2, 0.4, 0.110_517_09, 0.110_517_09, -0.041_890_6, 0.046_137_96];
        assert_close(&joint_steps(&rule, &updates), &expected);
    }

    #[test]
    fn gradients_include_the_slope() {
        // g: 1, 1.5, 1.2, 0.9; delta g h: 0, 0.075, 0.0671608, -0.0756935;
        // v: 0, 0.075, 0.075 + 0.1187079 * (0.0671608 - 0.075) = 0.0740694, 0.0756935;
        // a: 0.1, 0.1648721, 0.2594423, 0.1573597; h: 0.1, 0.1865579, 0.2102596.
        let rule = Autostep { initial_alpha: 0.1, meta_step: 0.5, tau: 2.0 };
        assert_close(&steps(&rule, &GENERAL), &[0.07, 0.123_654_1, 0.077_832_68, -0.050_355_1]);
    }

    #[test]
    fn without_a_meta_step_it_is_constant() {
        assert_constant(&Autostep { initial_alpha: 0.1, meta_step: 0.0, tau: 1e4 }, 0.1);
    }

    #[test]
    fn no_update_overshoots() {
        let rule = Autostep { initial_alpha: 3.0, meta_step: 0.5, tau: 10.0 };
        let inputs = [1.0, -2.0, 0.5, 7.0];
        for moves in joint_steps(&rule, &[(1.0, inputs); 20]).chunks(4) {
            let corrected: f32 = moves.iter().zip(inputs).map(|(step, input)| step * input).sum();
            assert!(corrected < 1.0 + 1e-5, "{corrected}");
        }
    }

    #[test]
    fn v_does_not_overshoot_the_product() {
        // 1: a = h = 0.5. 2: delta g h = 0.25 and a / tau = 5: v = 0.25, so that a = 0.5 e^0.1.
        let rule = Autostep { initial_alpha: 0.5, meta_step: 0.1, tau: 0.1 };
        let found = steps(&rule, &[update(1.0, 1.0), update(0.5, 1.0)]);
        assert_close(&found, &[0.5, 0.5 * 0.552_585_5]);
    }

    #[test]
    fn step_sizes_stay_above_zero() {
        // M = 1e12 would lower a to 1e-12.
        let rule = Autostep { initial_alpha: 1.0, meta_step: 0.0, tau: 1.0 };
        assert_eq!(steps(&rule, &[update(1.0, 1e6), update(1.0, 1.0)])[1], MIN_ALPHA);
    }

    #[test]
    fn an_overshooting_weight_forgets_its_recent_steps() {
        // a = 1e-10 is the least, so that 1 - a g^2 = -99; h = 0.5 * 0 + 1e-10 * 1e6.
        let rule = Autostep { initial_alpha: 0.5, meta_step: 0.0, tau: 1.0 };
        let mut memory = [0.5, 0.5, 0.0];
        rule.step(&mut memory, &update(1.0, 1e6), 1e12);
        assert_close(&memory, &[MIN_ALPHA, 1e-4, 0.0]);
    }

    #[test]
    fn the_scale_of_the_errors_does_not_matter_to_the_step_sizes() {
        let rule = Autostep { initial_alpha: 0.01, meta_step: 0.1, tau: 100.0 };
        let errors = [1.0, 0.5, -0.2, 0.7, 0.3];
        let small = steps(&rule, &errors.map(|e| update(e, 1.0)));
        let large = steps(&rule, &errors.map(|e| update(100.0 * e, 1.0)));
        assert_close(&large.iter().map(|step| step / 100.0).collect::<Vec<_>>(), &small);
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&Autostep { initial_alpha: 0.02, meta_step: 0.001, tau: 1e4 });
        assert_finite(&Autostep { initial_alpha: 10.0, meta_step: 1.0, tau: 1.0 });
    }
}
