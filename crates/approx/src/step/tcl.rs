//! Temporal coherence (Beal and Smith 1999; TCL-EXP: Bagheri, Thill and others 2014).

use super::{PerWeight, StepSize, Update};
use ludens_simd::vectors::{LANES, Portable, VectorKernel, Vectors, dispatch_vectors};
use ludens_simd::{exp, exp_all};
use std::array::{from_mut, from_ref};

/// Temporal coherence learning: a weight that errors push both ways slows down.
///
/// Per weight, N accumulates the recommended changes r = delta * e, and A their absolute values:
///
/// ```text
/// w += alpha * g(|N| / A) * r       with N and A before this update, and g = 1 while A = 0
/// N += r,  A += |r|
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Tcl {
    /// From the coherence |N| / A to the factor of alpha (g).
    pub transfer: Transfer,
    /// What N and A accumulate.
    pub accumulate: Accumulate,
    /// The initial value of N and A.
    pub initial: f32,
}

/// The transfer function g of temporal coherence.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Transfer {
    /// g(x) = x.
    Identity,
    /// g(x) = e^(beta (x - 1)).
    Exponential {
        /// The steepness (beta).
        beta: f32,
    },
}

/// What temporal coherence accumulates in N and A.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Accumulate {
    /// The recommended weight change, delta * e.
    RecommendedChange,
    /// The error alone, delta.
    Error,
}

impl StepSize for Tcl {
    /// N and A.
    type Memory = [f32; 2];

    const COUNTS_DUPLICATES: bool = true;

    fn initial(&self) -> [f32; 2] {
        [self.initial; 2]
    }

    #[inline]
    fn step(&self, [net, absolute]: &mut [f32; 2], update: &Update, _: f32) -> f32 {
        let factor = if *absolute > 0.0 { self.factor(net.abs() / *absolute) } else { 1.0 };
        let change = update.error * update.trace;
        let accumulated = match self.accumulate {
            Accumulate::RecommendedChange => change,
            Accumulate::Error => update.error,
        };
        *net += accumulated;
        *absolute += accumulated.abs();
        update.alpha * factor * change
    }

    #[inline(always)]
    fn step_block(
        &self,
        memory: &mut [[f32; 2]],
        update: &Update,
        per_weight: &PerWeight<'_>,
        steps: &mut [f32],
    ) {
        let is_small = memory.len() < INTERLEAVED * LANES;
        let block = Block { rule: self, memory, update, per_weight, steps };
        // Small blocks are done before the dispatch would be.
        if is_small { block.run(Portable) } else { dispatch_vectors(block) }
    }
}

/// How many vectors are interleaved, so that none waits for the operation before.
const INTERLEAVED: usize = 4;

/// A block of weights that are updated side by side.
struct Block<'a> {
    rule: &'a Tcl,
    memory: &'a mut [[f32; 2]],
    update: &'a Update,
    per_weight: &'a PerWeight<'a>,
    steps: &'a mut [f32],
}

impl VectorKernel for Block<'_> {
    #[inline(always)]
    fn run<V: Vectors>(self, v: V) {
        let Block { rule, memory, update, per_weight, steps } = self;
        let ((memory, _), (steps, _)) = (memory.as_chunks_mut(), steps.as_chunks_mut());
        let (traces, _) = per_weight.traces.as_chunks();
        let (counts, _) = per_weight.counts.as_chunks();
        let from = memory.len() - memory.len() % INTERLEAVED;
        let (fours, rest) = memory.as_chunks_mut::<INTERLEAVED>();
        let (step_fours, step_rest) = steps.as_chunks_mut::<INTERLEAVED>();
        let ((trace_fours, _), (count_fours, _)) = (traces.as_chunks(), counts.as_chunks());
        for (i, (memory, steps)) in fours.iter_mut().zip(step_fours).enumerate() {
            let differing = (trace_fours.get(i), count_fours.get(i));
            rule.step_rows::<V, INTERLEAVED>(v, memory, update, differing, steps);
        }
        for (i, (memory, steps)) in rest.iter_mut().zip(step_rest).enumerate() {
            let (memory, steps) = (from_mut(memory), from_mut(steps));
            let differing =
                (traces.get(from + i).map(from_ref), counts.get(from + i).map(from_ref));
            rule.step_rows::<V, 1>(v, memory, update, differing, steps);
        }
    }
}

/// `K` times eight numbers, if the weights differ in them.
type Rows<'a, const K: usize> = Option<&'a [[f32; LANES]; K]>;

impl Tcl {
    #[inline]
    fn factor(&self, coherence: f32) -> f32 {
        match self.transfer {
            Transfer::Identity => coherence,
            Transfer::Exponential { beta } => exp(beta * (coherence - 1.0)),
        }
    }

    /// Computes the factor for each of `K` times eight weights; undefined where A = 0.
    #[inline(always)]
    fn factors<V: Vectors, const K: usize>(
        &self,
        v: V,
        memory: &[[[f32; 2]; LANES]; K],
    ) -> [V::F32x8; K] {
        let mut factors = [v.splat(0.0); K];
        for k in 0..K {
            let (net, absolute) = v.deinterleave(&memory[k]);
            factors[k] = v.div(v.abs(net), absolute);
        }
        if let Transfer::Exponential { beta } = self.transfer {
            for factor in &mut factors {
                *factor = v.mul(v.splat(beta), v.sub(*factor, v.splat(1.0)));
            }
            exp_all(v, &mut factors);
        }
        factors
    }

    /// Writes the steps of `K` times eight weights.
    #[inline(always)]
    fn step_rows<V: Vectors, const K: usize>(
        &self,
        v: V,
        memory: &mut [[[f32; 2]; LANES]; K],
        update: &Update,
        (traces, counts): (Rows<'_, K>, Rows<'_, K>),
        steps: &mut [[f32; LANES]; K],
    ) {
        let factors = self.factors(v, memory);
        let mut changes = [v.splat(update.error * update.trace); K];
        if let Some(traces) = traces {
            for k in 0..K {
                changes[k] = v.mul(v.splat(update.error), v.load(&traces[k]));
            }
        }
        let mut accumulated = changes;
        if self.accumulate == Accumulate::Error {
            accumulated = [v.splat(update.error); K];
        }
        if let Some(counts) = counts {
            for k in 0..K {
                accumulated[k] = v.mul(accumulated[k], v.load(&counts[k]));
            }
        }
        for k in 0..K {
            let (net, absolute) = v.deinterleave(&memory[k]);
            let factor = v.select_positive(absolute, factors[k], v.splat(1.0));
            v.store(v.mul(v.mul(v.splat(update.alpha), factor), changes[k]), &mut steps[k]);
            let net = v.add(net, accumulated[k]);
            let absolute = v.add(absolute, v.abs(accumulated[k]));
            v.interleave(net, absolute, &mut memory[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, assert_close, steps};
    use super::*;

    fn update(error: f32, trace: f32) -> Update {
        Update { trace, ..testing::update(error, 1.0) }
    }

    fn identity(accumulate: Accumulate, initial: f32) -> Tcl {
        Tcl { transfer: Transfer::Identity, accumulate, initial }
    }

    /// Up to three vectors after four interleaved ones, and without them.
    const BLOCKS: [usize; 4] = [8, 24, 40, 56];

    const UPDATES: [(f32, f32); 4] = [(0.4, 1.0), (-0.2, 1.0), (0.2, 0.5), (-0.1, 1.0)];

    #[test]
    fn errors_of_both_signs_slow_a_weight_down() {
        // N: 0, 0.4, 0.2, 0.3; A: 0, 0.4, 0.6, 0.7; factors 1, 1, 1/3, 3/7.
        let rule = identity(Accumulate::RecommendedChange, 0.0);
        let found = steps(&rule, &UPDATES.map(|(e, t)| update(e, t)));
        assert_close(&found, &[0.2, -0.1, 0.5 / 3.0 * 0.1, 0.5 * 3.0 / 7.0 * -0.1]);
    }

    #[test]
    fn the_exponential_transfer_slows_less() {
        // The same coherences; e^(2 (1/3 - 1)) = 0.2635971, e^(2 (3/7 - 1)) = 0.3189066.
        let transfer = Transfer::Exponential { beta: 2.0 };
        let rule = Tcl { transfer, ..identity(Accumulate::RecommendedChange, 0.0) };
        let found = steps(&rule, &UPDATES.map(|(e, t)| update(e, t)));
        assert_close(&found, &[0.2, -0.1, 0.013_179_857, -0.015_945_33]);
    }

    #[test]
    fn accumulated_errors_ignore_the_trace() {
        // N: 0, 0.4, 0.2, 0.4; A: 0, 0.4, 0.6, 0.8; factors 1, 1, 1/3, 1/2.
        let rule = identity(Accumulate::Error, 0.0);
        let found = steps(&rule, &UPDATES.map(|(e, t)| update(e, t)));
        assert_close(&found, &[0.2, -0.1, 0.5 / 3.0 * 0.1, 0.25 * -0.1]);
    }

    #[test]
    fn blocks_move_as_single_weights_do() {
        let traces: Vec<f32> = (0..64).map(|i| 0.1 * i as f32 - 0.2).collect();
        let per_weight = PerWeight { traces: &traces, inputs: &[1.0; 64], ..PerWeight::default() };
        let exponential = Transfer::Exponential { beta: 2.7 };
        let rule = identity(Accumulate::RecommendedChange, 0.0);
        for rule in [Tcl { transfer: exponential, ..rule }, identity(Accumulate::Error, 0.0)] {
            for size in BLOCKS {
                let mut block = vec![rule.initial(); size];
                let mut single = block.clone();
                for error in [0.4, -0.3, 0.1] {
                    let mut steps = vec![0.0; size];
                    rule.step_block(&mut block, &update(error, 9.0), &per_weight, &mut steps);
                    for (i, step) in steps.into_iter().enumerate() {
                        assert_eq!(rule.step(&mut single[i], &update(error, traces[i]), 0.0), step);
                    }
                }
                assert_eq!(single, block);
            }
        }
    }

    #[test]
    fn a_weight_that_counts_several_times_moves_by_the_first_of_as_many_steps() {
        let counts: Vec<f32> = (0..56).map(|i| 1.0 + (i % 5) as f32).collect();
        let per_weight = PerWeight { counts: &counts, ..PerWeight::default() };
        for accumulate in [Accumulate::RecommendedChange, Accumulate::Error] {
            for size in BLOCKS {
                let rule = identity(accumulate, 0.5);
                let mut block = vec![rule.initial(); size];
                let mut single = block.clone();
                for error in [0.4, -0.3, 0.1] {
                    let (mut steps, mut expected) = (vec![0.0; size], vec![0.0; size]);
                    rule.step_block(&mut block, &update(error, 0.5), &per_weight, &mut steps);
                    for (i, first) in expected.iter_mut().enumerate() {
                        let mut step = || rule.step(&mut single[i], &update(error, 0.5), 0.0);
                        *first = step();
                        (0..i % 5).for_each(|_| _ = step());
                    }
                    assert_close(&steps, &expected);
                }
                assert_close(block.as_flattened(), single.as_flattened());
            }
        }
    }

    #[test]
    fn an_initial_value_delays_the_slowing() {
        // N = A = 1 at first: factors 1, 1, 1.2 / 1.6.
        let rule = identity(Accumulate::RecommendedChange, 1.0);
        let found = steps(&rule, &[update(0.4, 1.0), update(-0.2, 1.0), update(0.1, 1.0)]);
        assert_close(&found, &[0.2, -0.1, 0.5 * 1.2 / 1.6 * 0.1]);
    }

    #[test]
    fn errors_of_one_sign_leave_alpha_as_it_is() {
        let rule = identity(Accumulate::RecommendedChange, 0.0);
        let updates = [update(0.3, 1.0), update(0.1, 0.5), update(0.7, 2.0)];
        let constant: Vec<f32> = updates.iter().map(|u| u.alpha * u.error * u.trace).collect();
        assert_close(&steps(&rule, &updates), &constant);
    }
}
