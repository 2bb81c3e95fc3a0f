//! Alpha bounds (Dabney and Barto 2012).

use super::{Push, StepSize};

/// Alpha bounds: one rate for all weights, lowered whenever it would overshoot.
///
/// ```text
/// alpha = min(alpha, 1 / |e . g|)      with the trace e and the gradient g of the newest position
/// w    += alpha * delta * e
/// ```
///
/// The paper divides by |e . (g - gamma g')| with the gradient g' of the position that follows. A
/// correction does not know it; where inputs are not negative, leaving it out can only lower the
/// bound. A horizon of several steps measures each position by itself.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct AlphaBound;

impl StepSize for AlphaBound {
    type Memory = [f32; 0];

    const MEASURES: bool = true;
    const BOUNDS: bool = true;

    fn start(&self) -> [f32; 0] {
        []
    }

    #[inline]
    fn measure(&self, _: &mut [f32; 0], push: &Push) -> f32 {
        push.trace * push.input * push.slope
    }

    #[inline]
    fn conclude(&self, bound: &mut f32, sum: f32) -> f32 {
        *bound = bound.min(sum.abs().recip());
        *bound
    }

    #[inline]
    fn step(&self, _: &mut [f32; 0], push: &Push, bound: f32) -> f32 {
        push.rate.min(bound) * push.error * push.trace
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, assert_constant, assert_finite, steps_together};
    use super::*;

    #[test]
    fn the_rate_falls_to_the_least_bound_so_far() {
        // e . g: 1 + 0.25, 1 + 4, 1 + 0; bounds 0.8, 0.2, 0.2; the rate itself is 0.5.
        let pushes = [(1.0, [1.0, 0.5]), (0.5, [1.0, 2.0]), (-2.0, [1.0, 0.0])];
        let found = steps_together(&AlphaBound, &pushes);
        assert_close(&found, &[0.5, 0.25, 0.1, 0.2, -0.4, 0.0]);
    }

    #[test]
    fn below_the_bound_it_is_a_constant_rate() {
        assert_constant(&AlphaBound, 0.5);
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&AlphaBound);
    }
}
