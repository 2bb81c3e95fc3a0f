//! Resilient backpropagation (Riedmiller and Braun 1993).

use super::{Push, StepSize};

/// RPROP: after each batch a weight moves by its own step, whatever the size of its gradient.
///
/// Over a batch, each weight sums up its gradient, delta * e. At the end of the batch:
///
/// ```text
/// same sign as in the batch before:   step *= 1.2;  w += sign * step
/// other sign:                         step *= 0.5;  w goes back; the next sign counts as first
/// first sign:                                       w += sign * step
/// ```
///
/// The global rate does not count.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rprop {
    /// The step at first (Delta 0).
    pub start: f32,
    /// By what a step grows (eta+).
    pub grow: f32,
    /// By what a step shrinks (eta-).
    pub shrink: f32,
    /// The smallest step.
    pub least: f32,
    /// The largest step.
    pub most: f32,
}

impl Default for Rprop {
    /// The settings of the paper; the smallest step is 1e-5.
    fn default() -> Rprop {
        Rprop { start: 0.1, grow: 1.2, shrink: 0.5, least: 1e-5, most: 50.0 }
    }
}

impl StepSize for Rprop {
    /// The gradient so far, the sign of the batch before, the step, and the latest movement.
    type Memory = [f32; 4];

    const RATED: bool = false;
    const BATCHED: bool = true;

    fn start(&self) -> [f32; 4] {
        [0.0, 0.0, self.start, 0.0]
    }

    #[inline]
    fn step(&self, [gradient, ..]: &mut [f32; 4], push: &Push, _: f32) -> f32 {
        *gradient += push.error * push.trace;
        0.0
    }

    fn settle(&self, [gradient, before, step, moved]: &mut [f32; 4]) -> f32 {
        let sign = if *gradient == 0.0 { 0.0 } else { gradient.signum() };
        let agreement = sign * *before;
        *gradient = 0.0;
        if agreement < 0.0 {
            *step = (*step * self.shrink).max(self.least);
            *before = 0.0;
            return -std::mem::take(moved);
        }
        if agreement > 0.0 {
            *step = (*step * self.grow).min(self.most);
        }
        *before = sign;
        *moved = sign * *step;
        *moved
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, push};
    use super::*;

    /// The movement after each batch of errors.
    fn moves(batches: &[&[f32]]) -> Vec<f32> {
        let rule = Rprop::default();
        let mut memory = rule.start();
        let settle = |errors: &&[f32]| {
            let at_once: f32 =
                errors.iter().map(|e| rule.step(&mut memory, &push(*e, 1.0), 0.0)).sum();
            assert_eq!(at_once, 0.0);
            rule.settle(&mut memory)
        };
        batches.iter().map(settle).collect()
    }

    #[test]
    fn steps_grow_while_the_sign_stays_and_go_back_when_it_turns() {
        // Gradients 0.3, 0.1, -0.2, -0.2, -0.1: steps 0.1, 0.12, 0.06 (back by 0.12), 0.06, 0.072.
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
    fn steps_stay_in_bounds() {
        let grown = moves(&[&[1.0][..]; 60]);
        assert_eq!(grown[59], 50.0);
        let turned: Vec<&[f32]> = (0..200).map(|i| [&[1.0][..], &[-1.0]][i / 2 % 2]).collect();
        assert!(moves(&turned).iter().all(|step| step.abs() >= 1e-5 * 0.99));
    }
}
