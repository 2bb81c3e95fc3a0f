//! Resilient backpropagation (Riedmiller and Braun 1993).

use super::{StepSize, Update};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// RPROP: after each batch a weight moves by the sign of its gradient alone.
///
/// During a batch, each weight sums its gradient, delta * e. At the end of the batch:
///
/// ```text
/// same sign as in the last batch:   step *= eta+;  w += sign * step
/// opposite sign:                    step *= eta-;  w undoes its last move; the next sign is first
/// first sign:                                      w += sign * step
/// ```
///
/// The global alpha is ignored.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rprop {
    /// The initial step of each weight (Delta 0).
    #[serde(rename = "start")]
    pub initial_step: f32,
    /// The factor by which steps grow (eta+).
    #[serde(skip)]
    pub eta_plus: f32,
    /// The factor by which steps shrink (eta-).
    #[serde(skip)]
    pub eta_minus: f32,
    /// The smallest step (Delta min).
    #[serde(skip)]
    pub min_step: f32,
    /// The largest step (Delta max).
    #[serde(skip)]
    pub max_step: f32,
}

impl Default for Rprop {
    /// The settings of the paper, but with smaller first and smallest steps.
    fn default() -> Rprop {
        Rprop { initial_step: 0.01, eta_plus: 1.2, eta_minus: 0.5, min_step: 1e-5, max_step: 50.0 }
    }
}

impl StepSize for Rprop {
    /// The gradient so far, the last sign, the step, and the last move.
    type Memory = [f32; 4];

    const BATCHED: bool = true;

    fn initial(&self) -> [f32; 4] {
        [0.0, 0.0, self.initial_step, 0.0]
    }

    #[inline]
    fn step(&self, [gradient, ..]: &mut [f32; 4], update: &Update, _: f32) -> f32 {
        *gradient += update.error * update.trace;
        0.0
    }

    fn end_batch(&self, [gradient, last_sign, step, last_move]: &mut [f32; 4]) -> f32 {
        let sign = if *gradient == 0.0 { 0.0 } else { gradient.signum() };
        let agreement = sign * *last_sign;
        *gradient = 0.0;
        if agreement < 0.0 {
            *step = (*step * self.eta_minus).max(self.min_step);
            *last_sign = 0.0;
            return -std::mem::take(last_move);
        }
        if agreement > 0.0 {
            *step = (*step * self.eta_plus).min(self.max_step);
        }
        *last_sign = sign;
        *last_move = sign * *step;
        *last_move
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, update};
    use super::*;

    /// The movement after each batch of errors, with a first step of 0.1.
    fn moves(batches: &[&[f32]]) -> Vec<f32> {
        let rule = Rprop { initial_step: 0.1, ..Rprop::default() };
        let mut memory = rule.initial();
        let end_batch = |errors: &&[f32]| {
            let at_once: f32 =
                errors.iter().map(|e| rule.step(&mut memory, &update(*e, 1.0), 0.0)).sum();
            assert_eq!(at_once, 0.0);
            rule.end_batch(&mut memory)
        };
        batches.iter().map(end_batch).collect()
    }

    #[test]
    fn steps_grow_while_the_sign_stays_and_are_undone_when_it_turns() {
        // Gradients 0.3, 0.1, -0.2, -0.2, -0.1: steps 0.1, 0.12, 0.06 (undoes 0.12), 0.06, 0.072.
        let found = moves(&[&[0.5, -0.2], &[0.1], &[-0.2], &[0.1, -0.3], &[-0.1]]);
        assert_close(&found, &[0.1, 0.12, -0.12, -0.06, -0.072]);
    }

    #[test]
    fn the_size_of_the_gradient_does_not_matter() {
        let small = moves(&[&[1e-30], &[1e-25], &[-1e-30], &[-1e-30]]);
        assert_close(&small, &moves(&[&[9.0], &[7.0], &[-1e5], &[-2.0]]));
    }

    #[test]
    fn a_weight_without_gradient_stays() {
        assert_eq!(moves(&[&[], &[0.0], &[0.2, -0.2]]), [0.0; 3]);
    }

    #[test]
    fn the_gradient_is_error_times_trace() {
        let rule = Rprop::default();
        let mut memory = rule.initial();
        for (error, trace) in [(0.5, -2.0), (0.25, 2.0)] {
            rule.step(&mut memory, &Update { trace, ..update(error, 1.0) }, 0.0);
        }
        assert_eq!(memory[0], -0.5);
    }

    #[test]
    fn steps_stay_in_bounds() {
        let grown = moves(&[&[1.0][..]; 60]);
        assert_eq!(grown[59], 50.0);
        let turned: Vec<&[f32]> = (0..200).map(|i| [&[1.0][..], &[-1.0]][i / 2 % 2]).collect();
        assert!(moves(&turned).iter().all(|step| step.abs() >= 1e-5 * 0.99));
    }
}
