//! Temporal coherence (Beal and Smith 1999; TCL-EXP: Bagheri, Thill and others 2014).

use super::{Push, StepSize};
use crate::bank::Apart;
use crate::hardware::{Arrays, EIGHT, VectorWork, Vectors, run_in_vectors};
use crate::vector::{exp, exp_all};
use std::array::{from_mut, from_ref};

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
    fn step_block(
        &self,
        memory: &mut [[f32; 2]],
        push: &Push,
        apart: &Apart<'_>,
        steps: &mut [f32],
    ) {
        let few = memory.len() < TURNS * EIGHT;
        let block = Block { rule: self, memory, push, apart, steps };
        // What is few is done before the processor has been asked.
        if few { block.run(Arrays) } else { run_in_vectors(block) }
    }
}

/// How many vectors take turns.
const TURNS: usize = 4;

/// Weights that are pushed side by side.
struct Block<'a> {
    rule: &'a Tcl,
    memory: &'a mut [[f32; 2]],
    push: &'a Push,
    apart: &'a Apart<'a>,
    steps: &'a mut [f32],
}

impl VectorWork for Block<'_> {
    #[inline(always)]
    fn run<V: Vectors>(self, v: V) {
        let Block { rule, memory, push, apart, steps } = self;
        let ((memory, _), (steps, _)) = (memory.as_chunks_mut(), steps.as_chunks_mut());
        let ((traces, _), (counts, _)) = (apart.traces.as_chunks(), apart.counts.as_chunks());
        let from = memory.len() - memory.len() % TURNS;
        let (fours, rest) = memory.as_chunks_mut::<TURNS>();
        let (step_fours, step_rest) = steps.as_chunks_mut::<TURNS>();
        let ((trace_fours, _), (count_fours, _)) = (traces.as_chunks(), counts.as_chunks());
        for (i, (memory, steps)) in fours.iter_mut().zip(step_fours).enumerate() {
            let apart = (trace_fours.get(i), count_fours.get(i));
            rule.step_rows::<V, TURNS>(v, memory, push, apart, steps);
        }
        for (i, (memory, steps)) in rest.iter_mut().zip(step_rest).enumerate() {
            let (memory, steps) = (from_mut(memory), from_mut(steps));
            let apart = (traces.get(from + i).map(from_ref), counts.get(from + i).map(from_ref));
            rule.step_rows::<V, 1>(v, memory, push, apart, steps);
        }
    }
}

/// The traces and the counts of some weights, if they differ.
type Some8<'a, const K: usize> = (Option<&'a [[f32; EIGHT]; K]>, Option<&'a [[f32; EIGHT]; K]>);

impl Tcl {
    #[inline]
    fn share(&self, coherence: f32) -> f32 {
        match self.transfer {
            Transfer::Identity => coherence,
            Transfer::Exponential { beta } => exp(beta * (coherence - 1.0)),
        }
    }

    /// A step for each of `K` times eight weights.
    #[inline(always)]
    fn step_rows<V: Vectors, const K: usize>(
        &self,
        v: V,
        memory: &mut [[[f32; 2]; EIGHT]; K],
        push: &Push,
        (traces, counts): Some8<'_, K>,
        steps: &mut [[f32; EIGHT]; K],
    ) {
        let mut shares = [v.splat(0.0); K];
        for k in 0..K {
            let (net, total) = v.split(&memory[k]);
            shares[k] = v.div(v.abs(net), total);
        }
        if let Transfer::Exponential { beta } = self.transfer {
            for share in &mut shares {
                *share = v.mul(v.splat(beta), v.sub(*share, v.splat(1.0)));
            }
            exp_all(v, &mut shares);
        }
        let mut changes = [v.splat(push.error * push.trace); K];
        if let Some(traces) = traces {
            for k in 0..K {
                changes[k] = v.mul(v.splat(push.error), v.load(&traces[k]));
            }
        }
        let mut counted = changes;
        if self.counting == Counting::Error {
            counted = [v.splat(push.error); K];
        }
        if let Some(counts) = counts {
            for k in 0..K {
                counted[k] = v.mul(counted[k], v.load(&counts[k]));
            }
        }
        for k in 0..K {
            let (net, total) = v.split(&memory[k]);
            let share = v.where_positive(total, shares[k], v.splat(1.0));
            v.store(v.mul(v.mul(v.splat(push.rate), share), changes[k]), &mut steps[k]);
            let (net, total) = (v.add(net, counted[k]), v.add(total, v.abs(counted[k])));
            v.join(net, total, &mut memory[k]);
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

    /// Vectors that take turns, and one that is alone.
    const SIDE: usize = 40;

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
            let (mut alone, mut beside) = ([rule.start(); SIDE], [rule.start(); SIDE]);
            for error in [0.4, -0.3, 0.1] {
                let traces: [f32; SIDE] = std::array::from_fn(|i| 0.1 * i as f32 - 0.2);
                let apart = Apart { traces: &traces, inputs: &[1.0; SIDE], ..Apart::default() };
                let mut steps = [0.0; SIDE];
                rule.step_block(&mut beside, &push(error, 9.0), &apart, &mut steps);
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
            let (mut alone, mut beside) = ([rule.start(); SIDE], [rule.start(); SIDE]);
            let counts: [f32; SIDE] = std::array::from_fn(|lane| 1.0 + (lane % 8) as f32);
            for error in [0.4, -0.3, 0.1] {
                let apart = Apart { counts: &counts, ..Apart::default() };
                let (mut found, mut expected) = ([0.0; SIDE], [0.0; SIDE]);
                rule.step_block(&mut beside, &push(error, 0.5), &apart, &mut found);
                for (lane, first) in expected.iter_mut().enumerate() {
                    *first = rule.step(&mut alone[lane], &push(error, 0.5), 0.0);
                    (0..lane % 8)
                        .for_each(|_| _ = rule.step(&mut alone[lane], &push(error, 0.5), 0.0));
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
