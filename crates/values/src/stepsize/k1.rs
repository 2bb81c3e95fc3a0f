//! K1 (Sutton 1992b, "Gain adaptation beats least squares?").

use super::idbd::changed;
use super::{Push, StepSize};

/// K1: the gain of a Kalman filter with an adapted variance for each weight.
///
/// For each weight, B is the logarithm of its variance and h remembers its recent steps; g = x * Y is
/// its gradient and R the variance of the noise:
///
/// ```text
/// B += theta * delta * g * h           by at most 2, and B stays within -10..10
/// M  = sum of exp(B) * g^2             over all weights of the correction
/// k  = exp(B) * e / (R + M)
/// w += k * delta
/// h  = (h + k * delta) * [1 - k * g]+
/// ```
///
/// The paper knows linear outputs and no traces: there g = e = x. The global rate does not count.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct K1 {
    /// The logarithm of the variance at first (B0).
    pub start: f32,
    /// How fast variances change (theta).
    pub meta: f32,
    /// The variance of the noise (R).
    pub noise: f32,
}

impl StepSize for K1 {
    /// B and h.
    type Memory = [f32; 2];

    const RATED: bool = false;
    const MEASURES: bool = true;

    fn start(&self) -> [f32; 2] {
        [self.start, 0.0]
    }

    #[inline]
    fn measure(&self, [log, recent]: &mut [f32; 2], push: &Push) -> f32 {
        let gradient = push.input * push.slope;
        *log = changed(*log, self.meta * push.error * gradient * *recent);
        log.exp() * gradient * gradient
    }

    #[inline]
    fn step(&self, [log, recent]: &mut [f32; 2], push: &Push, measured: f32) -> f32 {
        let gain = log.exp() * push.trace / (self.noise + measured);
        let step = gain * push.error;
        let kept = (1.0 - gain * push.input * push.slope).clamp(0.0, 1.0);
        *recent = (*recent + step) * kept;
        step
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, assert_finite, steps_together};
    use super::*;

    fn rule(meta: f32) -> K1 {
        K1 { start: 0.5f32.ln(), meta, noise: 1.0 }
    }

    #[test]
    fn two_weights_are_worked_out_as_on_paper() {
        // 1: M = 0.5 + 0.5 * 4 = 2.5, k = 0.5 / 3.5 and 1 / 3.5; h = 0.1224490 for both.
        // 2: B = ln 0.5 + 0.5 * 0.1224490 = -0.6319227, M = 1.0631376, k = 0.2576507;
        //    h = (0.1224490 + 0.1288253) * (1 - 0.2576507) = 0.1865333.
        // 3: B -= 0.2 * 0.1865333 and += the same; M = 1.0638775; k = 0.2481267 and -0.2673484.
        let found = steps_together(
            &rule(1.0),
            &[(1.0, [1.0, 2.0]), (0.5, [1.0, 1.0]), (-0.2, [1.0, -1.0])],
        );
        let expected =
            [0.142_857_14, 0.285_714_3, 0.128_825_34, 0.128_825_34, -0.049_625_34, 0.053_469_69];
        assert_close(&found, &expected);
    }

    #[test]
    fn without_a_meta_rate_each_correction_mends_the_same_share() {
        // Normalised least mean squares: M / (R + M) with M = 0.5 * (1 + 4 + 9) = 7.
        let inputs = [1.0, -2.0, 3.0];
        for moves in steps_together(&rule(0.0), &[(1.0, inputs); 5]).chunks(3) {
            let mended: f32 = moves.iter().zip(inputs).map(|(step, input)| step * input).sum();
            assert!((mended - 7.0 / 8.0).abs() < 1e-6, "{mended}");
        }
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&rule(1.0));
        assert_finite(&K1 { start: 5.0, meta: 100.0, noise: 1e-3 });
    }
}
