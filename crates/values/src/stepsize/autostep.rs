//! Autostep (Mahmood, Sutton, Degris and Pilarski 2012).

use super::{Push, StepSize};

/// Autostep: IDBD with a meta rate that needs no tuning and steps that never overshoot.
///
/// For each weight, a is its rate, h remembers its recent steps, and v how large delta * g * h was
/// lately; g = x * Y is its gradient:
///
/// ```text
/// v  = max(|delta * g * h|, v + a * g^2 * (|delta * g * h| - v) / tau)
/// a *= exp(mu * delta * g * h / v)
/// M  = max(sum of a * g^2, 1)          over all weights of the correction
/// a /= M
/// w += a * delta * e
/// h  = h * [1 - a * g^2]+  +  a * delta * g
/// ```
///
/// The global rate does not count.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Autostep {
    /// The rate of each weight at first (alpha 0).
    pub start: f32,
    /// How fast rates change (mu).
    pub meta: f32,
    /// Over how many steps sizes are averaged (tau).
    pub time: f32,
}

/// A rate of zero would never grow again.
const LEAST_RATE: f32 = 1e-10;

impl StepSize for Autostep {
    /// The rate a, h and v.
    type Memory = [f32; 3];

    const RATED: bool = false;
    const MEASURES: bool = true;

    fn start(&self) -> [f32; 3] {
        [self.start, 0.0, 0.0]
    }

    #[inline]
    fn measure(&self, [rate, recent, size]: &mut [f32; 3], push: &Push) -> f32 {
        let gradient = push.input * push.slope;
        let product = push.error * gradient * *recent;
        // No share above one: v would leave the range of what it averages.
        let share = (*rate * gradient * gradient / self.time).min(1.0);
        *size = product.abs().max(*size + share * (product.abs() - *size));
        if *size > 0.0 {
            *rate *= (self.meta * product / *size).exp();
        }
        *rate * gradient * gradient
    }

    #[inline]
    fn step(&self, [rate, recent, _]: &mut [f32; 3], push: &Push, measured: f32) -> f32 {
        let gradient = push.input * push.slope;
        *rate = (*rate / measured.max(1.0)).max(LEAST_RATE);
        let kept = (1.0 - *rate * gradient * gradient).max(0.0);
        *recent = *recent * kept + *rate * push.error * gradient;
        *rate * push.error * push.trace
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        assert_close, assert_constant, assert_finite, push, steps, steps_together,
    };
    use super::*;

    #[test]
    fn two_weights_are_worked_out_as_on_paper() {
        // 1: h = v = 0, M = 0.5 + 0.5 * 4 = 2.5, so a = 0.2 for both; steps 0.2 and 0.4.
        // 2: delta g h = 0.1 and 0.2 = v, so a = 0.2 e^0.1 = 0.2210342; M = 1; steps 0.1105171;
        //    h = 0.2 * (1 - 0.2210342) + 0.1105171 = 0.2663103 and 0.4221034.
        // 3: delta g h = -0.0532621 and 0.0844207; v = 0.0989669 and 0.1974453;
        //    a = 0.2094530 and 0.2306898.
        let rule = Autostep { start: 0.5, meta: 0.1, time: 10.0 };
        let found =
            steps_together(&rule, &[(1.0, [1.0, 2.0]), (0.5, [1.0, 1.0]), (-0.2, [1.0, -1.0])]);
        let expected = [0.2, 0.4, 0.110_517_09, 0.110_517_09, -0.041_890_6, 0.046_137_96];
        assert_close(&found, &expected);
    }

    #[test]
    fn without_a_meta_rate_it_is_a_constant_rate() {
        assert_constant(&Autostep { start: 0.1, meta: 0.0, time: 1e4 }, 0.1);
    }

    #[test]
    fn no_correction_overshoots() {
        let rule = Autostep { start: 3.0, meta: 0.5, time: 10.0 };
        let inputs = [1.0, -2.0, 0.5, 7.0];
        for moves in steps_together(&rule, &[(1.0, inputs); 20]).chunks(4) {
            let mended: f32 = moves.iter().zip(inputs).map(|(step, input)| step * input).sum();
            assert!(mended < 1.0 + 1e-5, "{mended}");
        }
    }

    #[test]
    fn the_scale_of_the_errors_does_not_matter_to_the_rates() {
        let rule = Autostep { start: 0.01, meta: 0.1, time: 100.0 };
        let errors = [1.0, 0.5, -0.2, 0.7, 0.3];
        let small = steps(&rule, &errors.map(|e| push(e, 1.0)));
        let large = steps(&rule, &errors.map(|e| push(100.0 * e, 1.0)));
        assert_close(&large.iter().map(|step| step / 100.0).collect::<Vec<_>>(), &small);
    }

    #[test]
    fn steps_stay_finite() {
        assert_finite(&Autostep { start: 0.02, meta: 0.001, time: 1e4 });
        assert_finite(&Autostep { start: 10.0, meta: 1.0, time: 1.0 });
    }
}
