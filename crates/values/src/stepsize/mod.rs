//! How far a weight moves.

mod constant;
mod tcl;

pub use constant::Constant;
pub use tcl::{Counting, Tcl, Transfer};

/// Decides how far one weight moves, from what it remembers of that weight.
///
/// A rule that bounds the step by all active weights together first gets to [`measure`] each of
/// them; the sum of what it measured comes back with each [`step`].
///
/// [`measure`]: StepSize::measure
/// [`step`]: StepSize::step
pub trait StepSize: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Numbers remembered for each weight: `[f32; N]`.
    type Memory: bytemuck::Pod + std::fmt::Debug + Send + Sync;

    /// Whether [`StepSize::measure`] has anything to say.
    const MEASURES: bool = false;

    /// What is remembered of a weight that was never pushed.
    fn start(&self) -> Self::Memory;

    /// This weight's part in a sum over all weights that one correction pushes.
    fn measure(&self, _memory: &mut Self::Memory, _push: &Push) -> f32 {
        0.0
    }

    /// What to add to the weight.
    fn step(&self, memory: &mut Self::Memory, push: &Push, measured: f32) -> f32;
}

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
