//! Temporal coherence (Beal and Smith 1999; TCL-EXP: Bagheri, Thill and others 2014).

use super::{LANES, Lanes, Push, StepSize};
use crate::vector::exp;

/// Temporal coherence learning: a weight that is pushed both ways slows down.
///
/// For each weight, N sums up the pushes and A their sizes:
///
/// ```text
/// w += alpha * g(|N| / A) * push    with N and A before this push
/// N += push,  A += |push|
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Tcl {
    /// From coherence |N| / A to the share of the rate (g).
    pub transfer: Transfer,
    /// What is counted.
    pub counting: Counting,
    /// What N and A start from; the share is one while A is zero.
    pub start: f32,
}

/// From coherence to the share of the rate.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Transfer {
    /// g(x) = x.
    Identity,
    /// g(x) = e^(beta (x - 1)).
    Exponential {
        /// How steep (beta).
        beta: f32,
    },
}

/// What the counters count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The recommended weight change, delta * e.
    Change,
    /// The error alone, delta.
    Error,
}

impl StepSize for Tcl {
    /// N and A.
    type Memory = [f32; 2];

    const COUNTS: bool = true;

    fn start(&self) -> [f32; 2] {
        [self.start; 2]
    }

    #[inline]
    fn step(&self, [net, total]: &mut [f32; 2], push: &Push, _: f32) -> f32 {
        let share = if *total > 0.0 { self.share(net.abs() / *total) } else { 1.0 };
        let change = push.error * push.trace;
        let counted = match self.counting {
            Counting::Change => change,
            Counting::Error => push.error,
        };
        *net += counted;
        *total += counted.abs();
        push.rate * share * change
    }

    #[inline(always)]
    fn step_lanes(
        &self,
        memory: &mut [[f32; 2]; LANES],
        push: &Push,
        lanes: &Lanes,
        steps: &mut [f32; LANES],
    ) {
        let (mut nets, mut totals) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            [nets[lane], totals[lane]] = memory[lane];
        }
        let mut shares = [0.0; LANES];
        for lane in 0..LANES {
            shares[lane] = nets[lane].abs() / totals[lane];
        }
        if let Transfer::Exponential { beta } = self.transfer {
            for share in &mut shares {
                *share = exp(beta * (*share - 1.0));
            }
        }
        for lane in 0..LANES {
            let share = if totals[lane] > 0.0 { shares[lane] } else { 1.0 };
            steps[lane] = push.rate * share * (push.error * lanes.traces[lane]);
        }
        let mut counted = [push.error; LANES];
        if self.counting == Counting::Change {
            counted = lanes.traces;
            for trace in &mut counted {
                *trace *= push.error;
            }
        }
        for (counted, count) in counted.iter_mut().zip(&lanes.counts) {
            *counted *= count;
        }
        for lane in 0..LANES {
            memory[lane] = [nets[lane] + counted[lane], totals[lane] + counted[lane].abs()];
        }
    }
}

impl Tcl {
    #[inline]
    fn share(&self, coherence: f32) -> f32 {
        match self.transfer {
            Transfer::Identity => coherence,
            Transfer::Exponential { beta } => exp(beta * (coherence - 1.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, assert_close, steps};
    use super::*;

    fn push(error: f32, trace: f32) -> Push {
        Push { trace, ..testing::push(error, 1.0) }
    }

    const PUSHES: [(f32, f32); 4] = [(0.4, 1.0), (-0.2, 1.0), (0.2, 0.5), (-0.1, 1.0)];

    #[test]
    fn pushes_both_ways_slow_a_weight_down() {
        // N: 0, 0.4, 0.2, 0.3; A: 0, 0.4, 0.6, 0.7; shares 1, 1, 1/3, 3/7.
        let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 };
        let found = steps(&rule, &PUSHES.map(|(e, t)| push(e, t)));
        assert_close(&found, &[0.2, -0.1, 0.5 / 3.0 * 0.1, 0.5 * 3.0 / 7.0 * -0.1]);
    }

    #[test]
    fn the_exponential_transfer_slows_less() {
        // The same coherences; e^(2 (1/3 - 1)) = 0.2635971, e^(2 (3/7 - 1)) = 0.3189066.
        let transfer = Transfer::Exponential { beta: 2.0 };
        let rule = Tcl { transfer, counting: Counting::Change, start: 0.0 };
        let found = steps(&rule, &PUSHES.map(|(e, t)| push(e, t)));
        assert_close(&found, &[0.2, -0.1, 0.013_179_857, -0.015_945_33]);
    }

    #[test]
    fn counting_errors_ignores_the_trace() {
        // N: 0, 0.4, 0.2, 0.4; A: 0, 0.4, 0.6, 0.8; shares 1, 1, 1/3, 1/2.
        let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Error, start: 0.0 };
        let found = steps(&rule, &PUSHES.map(|(e, t)| push(e, t)));
        assert_close(&found, &[0.2, -0.1, 0.5 / 3.0 * 0.1, 0.25 * -0.1]);
    }

    #[test]
    fn weights_side_by_side_move_as_alone() {
        let transfer = Transfer::Exponential { beta: 2.7 };
        for (transfer, counting) in
            [(transfer, Counting::Change), (Transfer::Identity, Counting::Error)]
        {
            let rule = Tcl { transfer, counting, start: 0.0 };
            let (mut alone, mut beside) = ([rule.start(); LANES], [rule.start(); LANES]);
            for error in [0.4, -0.3, 0.1] {
                let traces = std::array::from_fn(|i| 0.1 * i as f32 - 0.2);
                let lanes = Lanes { traces, inputs: [1.0; LANES], counts: [1.0; LANES] };
                let mut steps = [0.0; LANES];
                rule.step_lanes(&mut beside, &push(error, 9.0), &lanes, &mut steps);
                for (i, step) in steps.into_iter().enumerate() {
                    assert_eq!(rule.step(&mut alone[i], &push(error, traces[i]), 0.0), step);
                }
            }
            assert_eq!(alone, beside);
        }
    }

    #[test]
    fn a_weight_used_several_times_moves_by_the_first_of_as_many_steps() {
        for counting in [Counting::Change, Counting::Error] {
            let rule = Tcl { transfer: Transfer::Identity, counting, start: 0.5 };
            let (mut alone, mut beside) = ([rule.start(); LANES], [rule.start(); LANES]);
            let counts = std::array::from_fn(|lane| 1.0 + lane as f32);
            for error in [0.4, -0.3, 0.1] {
                let lanes = Lanes { traces: [0.5; LANES], inputs: [1.0; LANES], counts };
                let (mut found, mut expected) = ([0.0; LANES], [0.0; LANES]);
                rule.step_lanes(&mut beside, &push(error, 9.0), &lanes, &mut found);
                for (lane, first) in expected.iter_mut().enumerate() {
                    *first = rule.step(&mut alone[lane], &push(error, 0.5), 0.0);
                    (0..lane).for_each(|_| _ = rule.step(&mut alone[lane], &push(error, 0.5), 0.0));
                }
                assert_close(&found, &expected);
            }
            assert_close(beside.as_flattened(), alone.as_flattened());
        }
    }

    #[test]
    fn a_start_value_delays_the_slowing() {
        // N = A = 1 at first: shares 1, 1, 1.2 / 1.6.
        let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 1.0 };
        let found = steps(&rule, &[push(0.4, 1.0), push(-0.2, 1.0), push(0.1, 1.0)]);
        assert_close(&found, &[0.2, -0.1, 0.5 * 1.2 / 1.6 * 0.1]);
    }

    #[test]
    fn one_sided_errors_leave_the_rate_as_it_is() {
        let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 };
        let pushes = [push(0.3, 1.0), push(0.1, 0.5), push(0.7, 2.0)];
        let constant: Vec<f32> = pushes.iter().map(|p| p.rate * p.error * p.trace).collect();
        assert_close(&steps(&rule, &pushes), &constant);
    }
}
