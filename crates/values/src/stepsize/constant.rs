//! One rate for all weights.

use super::{Push, StepSize};

/// One rate for all weights: w += alpha * delta * e.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Constant;

impl StepSize for Constant {
    type Memory = [f32; 0];

    const PLAIN: bool = true;

    fn start(&self) -> [f32; 0] {
        []
    }

    #[inline]
    fn step(&self, _: &mut [f32; 0], push: &Push, _: f32) -> f32 {
        push.rate * push.error * push.trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_moves_by_rate_times_error_times_trace() {
        let push = Push { rate: 0.1, error: -0.5, trace: 2.0, input: 1.0, slope: 1.0 };
        assert!((Constant.step(&mut [], &push, 0.0) + 0.1).abs() < 1e-7);
    }
}
