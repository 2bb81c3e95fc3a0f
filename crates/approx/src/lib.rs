//! Function approximators: networks that turn a position into a number and learn from errors.
//!
//! A [`Network`] evaluates an [`EncodedBatch`] of positions, hands out the [`Evaluation`] of one of
//! them, and moves its weights toward a target along an eligibility [`Trace`]. A
//! [`StepSize`](step::StepSize) decides how far each weight moves. Nothing here knows a game.
//! [`mod@reference`] is the plain n-tuple network that specifies what all faster code must compute.

mod build;
mod encoding;
mod init;
pub mod linear;
pub mod mlp;
mod network;
pub mod ntuple;
mod output;
mod parametric;
pub mod rbf;
pub mod reference;
pub mod step;
pub mod table;
#[cfg(test)]
mod testing;
pub mod trace;
mod weights;

pub use build::{NetworkSpec, build_network};
pub use encoding::{Accumulator, EncodedBatch, Encoding, Evaluation};
pub use init::Init;
pub use ludens_simd::UniqueArc;
pub use network::{
    BatchEvaluator, Differentiable, FusedBatch, FusedNetwork, Network, ParallelNetwork, Tensor,
    TensorMut, TrainShared,
};
pub use output::Output;
pub use step::StepRule;
pub use trace::{Trace, TraceForm, TraceKind, TraceSettings};
