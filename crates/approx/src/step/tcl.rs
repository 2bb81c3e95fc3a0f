//! Temporal coherence (Beal and Smith 1999; TCL-EXP: Bagheri, Thill and others 2014).

use super::{PerWeight, StepSize, Update};
use ludens_simd::{LANES, exp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Temporal coherence learning: a weight that errors push both ways slows down.
///
/// Per weight, N accumulates the recommended changes r = delta * e, and A their absolute values:
///
/// ```text
/// w += alpha * g(|N| / A) * r       with N and A before this update, and g = 1 while A = 0
/// N += r,  A += |r|
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tcl {
    /// From the coherence |N| / A to the factor of alpha (g).
    pub transfer: Transfer,
    /// With the exponential transfer function: its steepness.
    pub beta: f32,
    /// What N and A accumulate.
    #[serde(rename = "counting")]
    pub accumulate: Accumulate,
    /// The initial value of N and A.
    #[serde(rename = "start")]
    pub initial: f32,
}

impl Default for Tcl {
    fn default() -> Tcl {
        let (transfer, accumulate) = (Transfer::Identity, Accumulate::RecommendedChange);
        Tcl { transfer, beta: 2.7, accumulate, initial: 0.0 }
    }
}

/// The transfer function g of temporal coherence.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Transfer {
    /// g(x) = x.
    Identity,
    /// g(x) = e^(beta (x - 1)).
    Exponential,
}

/// What temporal coherence accumulates in N and A.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Accumulate {
    /// The recommended weight change, delta * e.
    #[serde(rename = "change")]
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
        // Four vectors at a time, so that constants are loaded once for all of them.
        self.step_chunks::<{ 4 * LANES }>(memory, update, per_weight, steps);
        let whole = memory.len() - memory.len() % (4 * LANES);
        let per_weight = &per_weight.after(whole);
        self.step_chunks::<LANES>(&mut memory[whole..], update, per_weight, &mut steps[whole..]);
    }
}

impl Tcl {
    #[inline]
    fn factor(&self, coherence: f32) -> f32 {
        match self.transfer {
            Transfer::Identity => coherence,
            Transfer::Exponential => exp(self.beta * (coherence - 1.0)),
        }
    }

    /// Writes the steps of all whole chunks of `N` weights.
    #[inline(always)]
    fn step_chunks<const N: usize>(
        &self,
        memory: &mut [[f32; 2]],
        update: &Update,
        per_weight: &PerWeight<'_>,
        steps: &mut [f32],
    ) {
        let (traces, _) = per_weight.traces.as_chunks();
        let (counts, _) = per_weight.counts.as_chunks();
        let chunks = memory.as_chunks_mut().0.iter_mut().zip(steps.as_chunks_mut().0);
        for (i, (memory, steps)) in chunks.enumerate() {
            self.step_lanes::<N>(memory, update, (traces.get(i), counts.get(i)), steps);
        }
    }

    /// Writes the steps of `N` weights; traces and counts are there if the weights differ in them.
    ///
    /// Plain loops: they become vector instructions if nothing in between is a function of its own,
    /// such as `array::map`.
    #[inline(always)]
    fn step_lanes<const N: usize>(
        &self,
        memory: &mut [[f32; 2]; N],
        update: &Update,
        (traces, counts): (Option<&[f32; N]>, Option<&[f32; N]>),
        steps: &mut [f32; N],
    ) {
        let mut factors = [0.0; N];
        for i in 0..N {
            factors[i] = memory[i][0].abs() / memory[i][1];
        }
        if self.transfer == Transfer::Exponential {
            for factor in &mut factors {
                *factor = exp(self.beta * (*factor - 1.0));
            }
        }
        let mut changes = [update.error * update.trace; N];
        if let Some(traces) = traces {
            for i in 0..N {
                changes[i] = update.error * traces[i];
            }
        }
        let mut accumulated = match self.accumulate {
            Accumulate::RecommendedChange => changes,
            Accumulate::Error => [update.error; N],
        };
        if let Some(counts) = counts {
            for i in 0..N {
                accumulated[i] *= counts[i];
            }
        }
        for i in 0..N {
            let [net, absolute] = memory[i];
            let factor = if absolute > 0.0 { factors[i] } else { 1.0 };
            steps[i] = update.alpha * factor * changes[i];
            memory[i] = [net + accumulated[i], absolute + accumulated[i].abs()];
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
        Tcl { accumulate, initial, ..Tcl::default() }
    }

    /// Up to three vectors after four interleaved ones, and without them.
    const BLOCKS: [usize; 4] = [8, 24, 40, 56];

    const UPDATES: [(f32, f32); 4] = [(0.4, 1.0), (-0.2, 1.0), (0.2, 0.5), (-0.1, 1.0)];

    #[test]
    fn errors_of_both_signs_slow_a_weight_down() {
        // N: 0, 0.4, 0.2, 0.3; A: 0, 0.4, 0.6, 0.7; factors 1, 1, 1/3, 3/7.
        let rule = Tcl::default();
        let found = steps(&rule, &UPDATES.map(|(e, t)| update(e, t)));
        assert_close(&found, &[0.2, -0.1, 0.5 / 3.0 * 0.1, 0.5 * 3.0 / 7.0 * -0.1]);
    }

    #[test]
    fn the_exponential_transfer_slows_less() {
        // The same coherences; e^(2 (1/3 - 1)) = 0.2635971, e^(2 (3/7 - 1)) = 0.3189066.
        let rule = Tcl { transfer: Transfer::Exponential, beta: 2.0, ..Tcl::default() };
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
        let exponential = Tcl { transfer: Transfer::Exponential, ..Tcl::default() };
        for rule in [exponential, identity(Accumulate::Error, 0.0)] {
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
        let rule = Tcl::default();
        let updates = [update(0.3, 1.0), update(0.1, 0.5), update(0.7, 2.0)];
        let constant: Vec<f32> = updates.iter().map(|u| u.alpha * u.error * u.trace).collect();
        assert_close(&steps(&rule, &updates), &constant);
    }
}
