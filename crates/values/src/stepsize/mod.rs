//! How far a weight moves.

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
pub use tcl::{Counting, Tcl, Transfer};

use crate::bank::Apart;

/// Decides how far one weight moves, from what it remembers of that weight.
///
/// A rule that bounds the step by all active weights together first gets to [`measure`] each of
/// them; what it [`conclude`]s from the sum comes back with each [`step`]. A rule that moves weights
/// only after a batch returns zero from [`step`], and the movement from [`settle`].
///
/// [`measure`]: StepSize::measure
/// [`conclude`]: StepSize::conclude
/// [`step`]: StepSize::step
/// [`settle`]: StepSize::settle
pub trait StepSize: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Numbers remembered for each weight: `[f32; N]`.
    type Memory: bytemuck::Pod + std::fmt::Debug + Send + Sync;

    /// Whether a step is rate * error * trace and nothing else, so that nets may take short cuts.
    const PLAIN: bool = false;

    /// Whether the global rate counts; if not, the rule finds a rate for each weight by itself.
    const RATED: bool = true;

    /// Whether [`StepSize::measure`] has anything to say.
    const MEASURES: bool = false;

    /// Whether [`StepSize::conclude`] remembers anything.
    const BOUNDS: bool = false;

    /// Whether weights move in [`StepSize::settle`] only.
    const BATCHED: bool = false;

    /// Whether [`StepSize::step_block`] knows what it means that a weight is used several times.
    const COUNTS: bool = false;

    /// What is remembered of a weight that was never pushed.
    fn start(&self) -> Self::Memory;

    /// This weight's part in a sum over all weights that one correction pushes.
    fn measure(&self, _memory: &mut Self::Memory, _push: &Push) -> f32 {
        0.0
    }

    /// What each step gets to know of the sum of all that was measured.
    ///
    /// `bound` is one number that the rule may remember for all weights together; it starts at
    /// infinity.
    fn conclude(&self, _bound: &mut f32, sum: f32) -> f32 {
        sum
    }

    /// What to add to the weight.
    fn step(&self, memory: &mut Self::Memory, push: &Push, measured: f32) -> f32;

    /// What to add to each of several weights, in whole lanes; the same as a
    /// [`step`](StepSize::step) for each.
    ///
    /// A weight that is used several times moves by the first of as many steps. None is, unless the
    /// rule [`COUNTS`](StepSize::COUNTS).
    ///
    /// Override where compilers can be helped to take them side by side.
    #[inline(always)]
    fn step_block(
        &self,
        memory: &mut [Self::Memory],
        push: &Push,
        apart: &Apart<'_>,
        steps: &mut [f32],
    ) {
        let each = memory.iter_mut().zip(steps);
        if apart.traces.is_empty() {
            return each.for_each(|(memory, step)| *step = self.step(memory, push, 0.0));
        }
        for ((memory, step), (&trace, &input)) in each.zip(apart.traces.iter().zip(apart.inputs)) {
            *step = self.step(memory, &Push { trace, input, ..*push }, 0.0);
        }
    }

    /// What to add to the weight after a batch.
    fn settle(&self, _memory: &mut Self::Memory) -> f32 {
        0.0
    }
}

/// How many weights are taken side by side.
pub const LANES: usize = 8;

/// One weight's part in the correction of an error.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Push {
    /// The global learning rate, shared between the weights (alpha).
    pub rate: f32,
    /// By how much the value was off (delta).
    pub error: f32,
    /// The eligibility of the weight: its gradient, and what is left of earlier ones (e).
    pub trace: f32,
    /// The activity of the weight in the position corrected (x).
    pub input: f32,
    /// The derivative of the output function at the position corrected (Y).
    pub slope: f32,
}
