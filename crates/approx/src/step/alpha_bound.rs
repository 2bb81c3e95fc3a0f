//! Alpha bounds (Dabney and Barto 2012).

use super::{StepSize, Update};

/// Alpha bounds: one step size for all weights, lowered whenever it would overshoot.
///
/// ```text
/// alpha = min(alpha, 1 / |e . g|)      with the trace e and the gradient g of the newest position
/// w    += alpha * delta * e
/// ```
///
/// The paper divides by |e . (g - gamma g')| with the gradient g' of the next position. An update
/// does not know it; where inputs are not negative, omitting it can only lower the bound. A
/// horizon of several steps bounds each position by itself.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct AlphaBound;

impl StepSize for AlphaBound {
    type Memory = [f32; 0];

    const NORMALISES: bool = true;
    const KEEPS_BOUND: bool = true;

    fn initial(&self) -> [f32; 0] {
        []
    }

    #[inline]
    fn contribution(&self, _: &mut [f32; 0], update: &Update) -> f32 {
        update.trace * update.input * update.slope
    }

    #[inline]
    fn normalise(&self, bound: &mut f32, sum: f32) -> f32 {
        *bound = bound.min(sum.abs().recip());
        *bound
    }

    #[inline]
    fn step(&self, _: &mut [f32; 0], update: &Update, bound: f32) -> f32 {
        update.alpha.min(bound) * update.error * update.trace
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        assert_close, assert_constant, assert_finite, joint_steps, steps, update,
    };
    use super::*;

    #[test]
    fn alpha_falls_to_the_least_bound_so_far() {
        // e . g: 1 + 0.25, 1 + 4, 1 + 0; bounds 0.8, 0.2, 0.2; alpha itself is 0.5.
        let updates = [(1.0, [1.0, 0.5]), (0.5, [1.0, 2.0]), (-2.0, [1.0, 0.0])];
        let found = joint_steps(&AlphaBound, &updates);
        assert_close(&found, &[0.5, 0.25, 0.1, 0.2, -0.4, 0.0]);
    }

    #[test]
    fn the_gradient_includes_the_slope_and_the_sign_does_not_matter() {
        // e . g = 2 * -4 * 0.5 = -4.
        let opposed = Update { trace: 2.0, input: -4.0, slope: 0.5, ..update(1.0, 1.0) };
        assert_close(&steps(&AlphaBound, &[opposed]), &[0.25 * 2.0]);
    }

    #[test]
    fn below_the_bound_it_is_constant() {
        assert_constant(&AlphaBound, 0.5);
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&AlphaBound);
    }
}
