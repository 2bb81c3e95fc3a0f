//! A constant step size.

use super::{StepSize, Update};

/// One step size for all weights: w += alpha * delta * e.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Constant;

impl StepSize for Constant {
    type Memory = [f32; 0];

    const CONSTANT: bool = true;

    fn initial(&self) -> [f32; 0] {
        []
    }

    #[inline]
    fn step(&self, _: &mut [f32; 0], update: &Update, _: f32) -> f32 {
        update.alpha * update.error * update.trace
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_constant;
    use super::*;

    #[test]
    fn a_weight_moves_by_alpha_times_error_times_trace() {
        assert_constant(&Constant, 0.5);
    }
}
