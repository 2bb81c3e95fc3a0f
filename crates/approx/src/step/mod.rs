//! Step sizes: how far one error moves each weight.

mod alap;
mod alpha_bound;
mod autostep;
mod constant;
mod idbd;
mod k1;
mod rprop;
mod tcl;
#[cfg(test)]
mod testing;

pub use alap::Alap;
pub use alpha_bound::AlphaBound;
pub use autostep::Autostep;
pub use constant::Constant;
pub use idbd::{Idbd, Loss};
pub use k1::K1;
pub use rprop::Rprop;
pub use tcl::{Accumulate, Tcl, Transfer};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A step-size rule with its memory per weight.
///
/// A rule that bounds the step by all active weights together ([`NORMALISES`](Self::NORMALISES))
/// first gets the [`contribution`](Self::contribution) of each; [`normalise`](Self::normalise)
/// turns their sum into the norm that each [`step`](Self::step) receives. A
/// [`BATCHED`](Self::BATCHED) rule returns zero from `step`, and the movement from
/// [`end_batch`](Self::end_batch).
pub trait StepSize: Clone + Debug + Send + Sync + 'static {
    /// The memory per weight: `[f32; N]`.
    type Memory: bytemuck::Pod + Debug + Send + Sync;

    /// Whether a step is alpha * error * trace, so that networks may take shortcuts.
    const CONSTANT: bool = false;

    /// Whether steps depend on the norm.
    const NORMALISES: bool = false;

    /// Whether [`StepSize::normalise`] changes the bound.
    const KEEPS_BOUND: bool = false;

    /// Whether weights move at the end of a batch only.
    const BATCHED: bool = false;

    /// Whether [`StepSize::step_block`] heeds [`PerWeight::counts`].
    const COUNTS_DUPLICATES: bool = false;

    /// Returns the memory of a weight that was never updated.
    fn initial(&self) -> Self::Memory;

    /// Returns this weight's summand of the norm of one update.
    fn contribution(&self, _memory: &mut Self::Memory, _update: &Update) -> f32 {
        0.0
    }

    /// Turns the sum of all contributions into the norm.
    ///
    /// `bound` is a memory of all weights together; it starts at infinity.
    fn normalise(&self, _bound: &mut f32, sum: f32) -> f32 {
        sum
    }

    /// Returns what to add to the weight.
    fn step(&self, memory: &mut Self::Memory, update: &Update, norm: f32) -> f32;

    /// Writes a [`step`](StepSize::step) for each of several weights, in whole lanes.
    ///
    /// A weight that counts n times makes n steps in its memory, and moves by the first of them.
    #[inline(always)]
    fn step_block(
        &self,
        memory: &mut [Self::Memory],
        update: &Update,
        per_weight: &PerWeight<'_>,
        steps: &mut [f32],
    ) {
        let each = memory.iter_mut().zip(steps);
        if per_weight.traces.is_empty() {
            return each.for_each(|(memory, step)| *step = self.step(memory, update, 0.0));
        }
        let traces_and_inputs = per_weight.traces.iter().zip(per_weight.inputs);
        for ((memory, step), (&trace, &input)) in each.zip(traces_and_inputs) {
            *step = self.step(memory, &Update { trace, input, ..*update }, 0.0);
        }
    }

    /// Returns what to add to the weight after a batch.
    fn end_batch(&self, _memory: &mut Self::Memory) -> f32 {
        0.0
    }
}

/// One weight's part in an update of the value function.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Update {
    /// The global step size, divided among the active weights.
    pub alpha: f32,
    /// The TD error (delta).
    pub error: f32,
    /// The eligibility trace of the weight (e).
    pub trace: f32,
    /// The weight's input in the position updated (x).
    pub input: f32,
    /// The derivative of the output function at the position updated (Y).
    pub slope: f32,
}

/// Where the weights of a block differ; empty slices where they do not.
///
/// All but `shares` come in whole lanes.
#[derive(Copy, Clone, Debug, Default)]
pub struct PerWeight<'a> {
    /// The factor of each weight's step, 1 by default; applied by the caller.
    pub shares: &'a [f32],
    /// How often each weight is active, once by default.
    pub counts: &'a [f32],
    /// The trace of each weight, that of the update by default.
    pub traces: &'a [f32],
    /// The input of each weight; as many as traces.
    pub inputs: &'a [f32],
}

impl<'a> PerWeight<'a> {
    /// What remains after the first `count` weights.
    #[inline(always)]
    pub(crate) fn after(&self, count: usize) -> PerWeight<'a> {
        let rest = |numbers: &'a [f32]| numbers.get(count..).unwrap_or_default();
        let [shares, counts, traces, inputs] =
            [rest(self.shares), rest(self.counts), rest(self.traces), rest(self.inputs)];
        PerWeight { shares, counts, traces, inputs }
    }
}

/// How far a weight moves: any step-size rule as data. `with_step_rule!` turns it into a type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum StepRule {
    /// One step size for all weights.
    #[default]
    Constant,
    /// Temporal coherence: a weight that is pushed both ways slows down.
    Tcl(Tcl),
    /// Incremental delta-bar-delta; the global step size is ignored.
    Idbd(Idbd),
    /// Autostep; the global step size is ignored.
    Autostep(Autostep),
    /// K1; the global step size is ignored.
    K1(K1),
    /// ALAP, normalised step-size adaptation; the global step size is ignored.
    Alap(Alap),
    /// One step size for all weights, as large as is safe.
    AlphaBound,
    /// RPROP: steps by the sign of the gradient over a batch; the global step size is ignored.
    Rprop(Rprop),
}

/// Evaluates `$body` with the rule inside a [`StepRule`] bound to `$step`.
macro_rules! with_step_rule {
    ($rule:expr, $step:ident => $body:expr) => {
        match $rule {
            $crate::step::StepRule::Constant => {
                let $step = $crate::step::Constant;
                $body
            }
            $crate::step::StepRule::Tcl($step) => $body,
            $crate::step::StepRule::Idbd($step) => $body,
            $crate::step::StepRule::Autostep($step) => $body,
            $crate::step::StepRule::K1($step) => $body,
            $crate::step::StepRule::Alap($step) => $body,
            $crate::step::StepRule::AlphaBound => {
                let $step = $crate::step::AlphaBound;
                $body
            }
            $crate::step::StepRule::Rprop($step) => $body,
        }
    };
}
pub(crate) use with_step_rule;

impl StepRule {
    /// The bytes that the rule remembers of each weight.
    pub fn memory_bytes(&self) -> usize {
        fn of<S: StepSize>(_: S) -> usize {
            size_of::<S::Memory>()
        }
        with_step_rule!(self.clone(), rule => of(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::testing::update;
    use super::*;

    const RULE: Idbd =
        Idbd { initial_log_alpha: -2.0, meta_step: 3.0, loss: Loss::Squared, max_slope: 1.0 };

    #[test]
    fn blocks_move_as_single_weights_do() {
        let (traces, inputs) = ([0.5, -0.2, 1.0], [1.0, 0.3, -0.7]);
        let per_weights = [
            PerWeight::default(),
            PerWeight { traces: &traces, inputs: &inputs, ..PerWeight::default() },
        ];
        for per_weight in per_weights {
            let (mut block, mut single) = ([RULE.initial(); 3], [RULE.initial(); 3]);
            for error in [0.4, -0.3, 0.1] {
                let (mut steps, shared) = ([0.0; 3], update(error, 0.9));
                RULE.step_block(&mut block, &shared, &per_weight, &mut steps);
                for i in 0..3 {
                    let trace = *per_weight.traces.get(i).unwrap_or(&shared.trace);
                    let input = *per_weight.inputs.get(i).unwrap_or(&shared.input);
                    let update = Update { trace, input, ..shared };
                    assert_eq!(RULE.step(&mut single[i], &update, 0.0), steps[i]);
                }
            }
            assert_eq!(block, single);
        }
    }

    #[test]
    fn each_number_that_a_rule_remembers_takes_four_bytes() {
        let rules = [
            StepRule::Constant,
            StepRule::Idbd(RULE),
            StepRule::Autostep(Autostep::default()),
            StepRule::Rprop(Rprop::default()),
        ];
        assert_eq!(rules.map(|rule| rule.memory_bytes()), [0, 8, 12, 16]);
    }

    #[test]
    fn rules_without_norm_or_batches_do_nothing_there() {
        let (mut memory, mut bound) = (RULE.initial(), 2.0);
        assert_eq!(RULE.contribution(&mut memory, &update(1.0, 1.0)), 0.0);
        assert_eq!(RULE.normalise(&mut bound, 0.7), 0.7);
        assert_eq!(RULE.end_batch(&mut memory), 0.0);
        assert_eq!((memory, bound), (RULE.initial(), 2.0));
    }
}
