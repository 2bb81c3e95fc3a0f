//! Incremental delta-bar-delta (Sutton 1992; logistic form: Koop 2008).

use super::{Push, StepSize};

/// Incremental delta-bar-delta: a weight pushed the same way again and again speeds up.
///
/// For each weight, B is the logarithm of its rate and h remembers its recent steps:
///
/// ```text
/// B += theta * delta * e * h           by at most 2, and B stays within -10..10
/// w += exp(B) * delta * e
/// h  = h * [1 - exp(B) * e * x * Y]+  +  exp(B) * delta * e
/// ```
///
/// where e is the trace, x the activity, Y the slope of the output, and \[u\]+ = max(u, 0).
/// The global rate does not count.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Idbd {
    /// The logarithm of the rate at first (B0).
    pub start: f32,
    /// How fast rates change (theta).
    pub meta: f32,
    /// What is made small.
    pub loss: Loss,
}

/// What a step size makes small.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Loss {
    /// The square of the error.
    Squared,
    /// The cross entropy of value and target, for outputs that squash (Koop 2008).
    ///
    /// Then a push does not shrink where the output is flat: the newest position counts by its
    /// activity alone, earlier ones by their slope as a share of the steepest.
    CrossEntropy {
        /// The largest slope of the output function: 1/4 for the sigmoid, 1 for tanh.
        steepest: f32,
    },
}

/// A rate's logarithm changes by at most this much at once.
const MOST_CHANGE: f32 = 2.0;

/// A rate's logarithm is at least the negative of this and at most this.
const MOST_LOG: f32 = 10.0;

impl StepSize for Idbd {
    /// B and h.
    type Memory = [f32; 2];

    const RATED: bool = false;

    fn start(&self) -> [f32; 2] {
        [self.start, 0.0]
    }

    #[inline]
    fn step(&self, [log_rate, recent]: &mut [f32; 2], push: &Push, _: f32) -> f32 {
        let trace = self.loss.trace(push);
        let change = self.meta * push.error * trace * *recent;
        *log_rate = changed(*log_rate, change);
        let rate = log_rate.exp();
        let step = rate * push.error * trace;
        let kept = (1.0 - rate * trace * push.input * push.slope).clamp(0.0, MOST_KEPT);
        *recent = *recent * kept + step;
        step
    }
}

/// More than all of the recent steps is kept only where trace and activity differ in sign.
const MOST_KEPT: f32 = 1.0;

impl Loss {
    #[inline]
    fn trace(self, push: &Push) -> f32 {
        match self {
            Loss::Squared => push.trace,
            Loss::CrossEntropy { steepest } => {
                let earlier = push.trace - push.input * push.slope;
                push.input + earlier / steepest
            }
        }
    }
}

/// The logarithm of a rate after a change, both within bounds.
#[inline]
pub(super) fn changed(log_rate: f32, change: f32) -> f32 {
    let change = if change.is_nan() { 0.0 } else { change.clamp(-MOST_CHANGE, MOST_CHANGE) };
    (log_rate + change).clamp(-MOST_LOG, MOST_LOG)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_close, assert_constant, assert_finite, push, steps};
    use super::*;

    fn rule(rate: f32, meta: f32) -> Idbd {
        Idbd { start: rate.ln(), meta, loss: Loss::Squared }
    }

    #[test]
    fn pushes_the_same_way_speed_a_weight_up() {
        // B: ln 0.1, + 2 * 0.5 * 0.1, + 2 * -0.8 * 0.5 * 0.1442068, + 2 * 0.4 * 0.1012666;
        // exp(B): 0.1, 0.1105171, 0.0984752, 0.1067851;
        // h: 0.1, 0.1 * (1 - 0.1105171) + 0.0552586 = 0.1442068,
        //    0.1442068 * (1 - 0.0984752 / 4) - 0.0393901 = 0.1012666.
        let pushes = [push(1.0, 1.0), push(0.5, 1.0), push(-0.8, 0.5), push(0.4, 1.0)];
        let found = steps(&rule(0.1, 2.0), &pushes);
        assert_close(&found, &[0.1, 0.055_258_55, -0.039_390_08, 0.042_714_02]);
    }

    #[test]
    fn a_flat_output_slows_the_forgetting_of_recent_steps() {
        // e = Y x: h = 0.075, then 0.075 * (1 - 0.1038212 * 0.5 * 0.5) + 0.0259553 = 0.0990086;
        // B: ln 0.1, + 2 * 0.5 * 0.5 * 0.075, + 2 * -0.8 * 0.5 * 0.0990086.
        let flat = |error, slope| Push { trace: slope, slope, ..push(error, 1.0) };
        let pushes = [flat(1.0, 0.75), flat(0.5, 0.5), flat(-0.8, 0.5)];
        assert_close(&steps(&rule(0.1, 2.0), &pushes), &[0.075, 0.025_955_3, -0.038_366_03]);
    }

    #[test]
    fn with_cross_entropy_the_slope_does_not_shrink_a_push() {
        // e = x = 1 three times, then an earlier position only: 0 + 0.05 / 0.25 = 0.2;
        // B: ln 0.5, + 2 * 0.4 * 0.25, + 2 * -0.6 * 0.4564934, + 2 * 0.3 * 0.2 * 0.2123800;
        // h: 0.25, 0.25 * (1 - 0.6107014 * 0.2475) + 0.2442806 = 0.4564934,
        //    0.4564934 * (1 - 0.3531229 * 0.2) - 0.2118737 = 0.2123800.
        let at = |error, slope| Push { trace: slope, slope, ..push(error, 1.0) };
        let earlier = Push { trace: 0.05, slope: 0.24, ..push(0.3, 0.0) };
        let pushes = [at(0.5, 0.25), at(0.4, 0.2475), at(-0.6, 0.2), earlier];
        let rule = Idbd { loss: Loss::CrossEntropy { steepest: 0.25 }, ..rule(0.5, 2.0) };
        assert_close(&steps(&rule, &pushes), &[0.25, 0.244_280_55, -0.211_873_71, 0.021_734_28]);
    }

    #[test]
    fn without_a_meta_rate_it_is_a_constant_rate() {
        assert_constant(&rule(0.07, 0.0), 0.07);
    }

    #[test]
    fn a_rate_changes_by_a_bounded_factor_and_stays_in_bounds() {
        let found = steps(&rule(0.1, 1e6), &[push(1.0, 1.0); 3]);
        assert!((found[1] / found[0] - MOST_CHANGE.exp()).abs() < 1e-3, "{found:?}");
        let turned: Vec<Push> = (0..10).map(|i| push([1.0, -1.0][i.min(1)], 1.0)).collect();
        let last = steps(&rule(0.1, 1e6), &turned)[9];
        assert!((last + (-MOST_LOG).exp()).abs() < 1e-8, "{last}");
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&rule(0.1, 3.0));
        assert_finite(&Idbd { loss: Loss::CrossEntropy { steepest: 0.25 }, ..rule(0.1, 3.0) });
    }
}
