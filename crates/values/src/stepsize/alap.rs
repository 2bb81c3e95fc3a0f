//! ALAP (Almeida, Langlois, Amaral and Plakhov 1999).

use super::{Push, StepSize};

/// ALAP: a rate grows while successive gradients agree and shrinks while they differ.
///
/// For each weight, a is its rate, g = delta * e its gradient, and v how large g^2 was lately:
///
/// ```text
/// v  = 0.98 * v + 0.02 * g^2
/// a *= max(1/2, 1 + 0.02 * g * g' / v)     with g' of the step before; a stays within 1e-6..1e4
/// w += a * g
/// ```
///
/// The global rate does not count.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Alap {
    /// The rate of each weight at first.
    pub start: f32,
    /// How fast rates change; 0.02 above.
    pub meta: f32,
    /// What remains of the average size in one step; 0.98 above.
    pub memory: f32,
}

const LEAST_RATE: f32 = 1e-6;
const MOST_RATE: f32 = 1e4;

impl StepSize for Alap {
    /// The rate a, v and g'.
    type Memory = [f32; 3];

    const RATED: bool = false;

    fn start(&self) -> [f32; 3] {
        [self.start, 0.0, 0.0]
    }

    #[inline]
    fn step(&self, [rate, size, before]: &mut [f32; 3], push: &Push, _: f32) -> f32 {
        let gradient = push.error * push.trace;
        *size = self.memory * *size + (1.0 - self.memory) * gradient * gradient;
        if *size > 0.0 {
            let factor = 1.0 + self.meta * gradient * *before / *size;
            *rate = (*rate * factor.max(0.5)).clamp(LEAST_RATE, MOST_RATE);
        }
        *before = gradient;
        *rate * gradient
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, assert_constant, assert_finite, push, steps};
    use super::*;

    const RULE: Alap = Alap { start: 0.1, meta: 0.02, memory: 0.98 };

    #[test]
    fn gradients_that_agree_speed_a_weight_up() {
        // v: 0.02, 0.0246, 0.024908, 0.0252098;
        // factors: 1, 1 + 0.02 * 0.5 / v = 1.4065041, 1 - 0.02 * 0.1 / v = 0.9197045,
        // 1 + 0.02 * 0.04 / v = 1.0317336; rates 0.1, 0.1406504, 0.1293568, 0.1334618.
        let last = Push { trace: 0.5, ..push(-0.4, 1.0) };
        let found = steps(&RULE, &[push(1.0, 1.0), push(0.5, 1.0), push(-0.2, 1.0), last]);
        assert_close(&found, &[0.1, 0.070_325_2, -0.025_871_36, -0.026_692_36]);
    }

    #[test]
    fn without_a_meta_rate_it_is_a_constant_rate() {
        assert_constant(&Alap { start: 0.03, meta: 0.0, ..RULE }, 0.03);
    }

    #[test]
    fn rates_stay_in_bounds() {
        let opposed: Vec<Push> = (0..3000).map(|i| push([1.0, -1.0][i % 2], 1.0)).collect();
        assert_eq!(steps(&RULE, &opposed)[2999], -LEAST_RATE);
        assert_eq!(steps(&RULE, &[push(1.0, 1.0); 3000])[2999], MOST_RATE);
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&RULE);
    }
}
