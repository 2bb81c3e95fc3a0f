//! The interface of all function approximators.

use crate::{EncodedBatch, Evaluation, Trace, TraceSettings, UniqueArc};
use ludens_core::{BitboardX4, Invalid};

/// Evaluates the positions of a batch, in whatever way is fastest for its encoding.
pub trait BatchEvaluator {
    /// Fills `batch.values`, and keeps in the batch what [`BatchEvaluator::take`] needs.
    fn evaluate(&self, batch: &mut EncodedBatch);

    /// Writes the evaluation of the `nth` position of the batch that was evaluated last.
    ///
    /// The weights may not have changed since.
    fn take(&self, batch: &mut EncodedBatch, nth: usize, out: &mut Evaluation);
}

/// Trainable weights that turn positions into values.
///
/// Object-safe, so that a configuration selects a network by name; the calls are coarse, so that a
/// virtual call costs nothing beside its work. A network has one or more *weight sets* of the same
/// shape: one for all players, one for each player, or one for each player and move.
pub trait Network: BatchEvaluator + Send + Sync {
    /// Evaluates one position with the current weights: the features of `evaluation` if it has
    /// some, else its encoding. Returns the value.
    fn reevaluate(&self, evaluation: &mut Evaluation) -> f32;

    /// An empty eligibility trace for this network.
    ///
    /// # Errors
    ///
    /// If the network does not support such traces.
    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid>;

    /// Decays the trace by one step and adds the gradient of `evaluation`, which must be current.
    fn accumulate(&self, evaluation: &Evaluation, trace: &mut Trace);

    /// Moves the weights on the trace; `error` is target minus value of the newest position.
    fn update_trace(&mut self, trace: &Trace, error: f32);

    /// Reevaluates a position, adds it to the trace and moves the weights on the trace toward
    /// `target`. Returns the error.
    ///
    /// A trace that keeps one position only may be left empty.
    fn update(&mut self, evaluation: &mut Evaluation, trace: &mut Trace, target: f32) -> f32 {
        update_in_steps(self, evaluation, trace, target)
    }

    /// Applies what step sizes that work in batches have collected.
    fn end_batch(&mut self);

    /// Sets the global step size alpha.
    fn set_step_size(&mut self, alpha: f32);

    /// Makes room for weight sets of at least this size, in networks that grow while they learn.
    fn grow(&mut self, weights_per_set: usize);

    /// All trained numbers by name, `weights` first, for saving and inspection.
    fn tensors(&self) -> Vec<Tensor<'_>>;

    /// The same, for loading.
    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>>;

    /// The interface for the fused episode loop, if the network supports it.
    fn fused(&self) -> Option<&dyn FusedNetwork>;

    /// The interface for training by several threads, if the network supports it.
    fn parallel(&mut self) -> Option<&mut dyn ParallelNetwork>;
}

/// What [`Network::update`] does unless a network knows a shorter way.
#[inline]
pub(crate) fn update_in_steps<N: Network + ?Sized>(
    network: &mut N,
    evaluation: &mut Evaluation,
    trace: &mut Trace,
    target: f32,
) -> f32 {
    let error = target - network.reevaluate(evaluation);
    network.accumulate(evaluation, trace);
    network.update_trace(trace, error);
    error
}

/// Networks that compute the gradient of a value for all weights.
pub trait Differentiable {
    /// Adds `factor` times the gradient of `evaluation` to `out`: one number per weight of all sets.
    fn add_gradient(&self, evaluation: &Evaluation, factor: f32, out: &mut [f32]);
}

/// Networks whose tables exceed the processor's caches and that read bitboards.
///
/// They prefetch the weights of all successors before they add up any of them.
pub trait FusedNetwork {
    /// Whether such a trace holds nothing but the position that is updated.
    fn is_td0(&self, trace: &Trace) -> bool;

    /// Fills `batch.values`.
    fn evaluate_successors(&self, batch: &mut FusedBatch);

    /// Writes the features of the `nth` successor and prefetches their step-size memory.
    fn take_successor(&self, batch: &FusedBatch, nth: usize, out: &mut Evaluation);
}

/// Up to four successors of one state, as [`FusedNetwork`] reads them.
#[derive(Clone, Debug, Default)]
pub struct FusedBatch {
    /// The weight set that evaluates all successors.
    pub weight_set: usize,
    /// How many successors there are.
    pub count: usize,
    /// One row for each symmetry; what lies beyond `count` is meaningless.
    pub bitboards: Vec<BitboardX4>,
    /// Scratch for encoding.
    pub scratch: Vec<[u64; 2]>,
    /// The value of each successor; what lies beyond `count` is meaningless.
    pub values: Vec<f32>,
    /// The positions of the weights within their tables, successor by successor.
    pub(crate) table_indices: Vec<u32>,
}

/// Networks that several threads can train at the same time.
pub trait ParallelNetwork {
    /// Whether an update of one weight set never depends on another set.
    fn sets_are_independent(&self) -> bool;

    /// Calls `train` with this many handles on the weights, each for one thread.
    ///
    /// Threads read and update the weights without locks (Hogwild, Recht et al. 2011). Simultaneous
    /// updates of one weight may be lost, so results differ from run to run, unless threads keep to
    /// independent weight sets.
    ///
    /// # Panics
    ///
    /// If a handle outlives the call.
    fn train_shared(&mut self, handles: usize, train: TrainShared<'_>);
}

/// What is done with handles on shared weights.
pub type TrainShared<'a> = &'a mut dyn FnMut(Vec<UniqueArc<dyn Network>>);

/// A named array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its size in each dimension.
    pub shape: Vec<usize>,
    /// The numbers; the last dimension changes fastest.
    pub data: &'a [f32],
    /// What each row of the last dimension was before any update; empty if rows differed or were 0.
    pub start: Vec<f32>,
}

/// A named array of numbers to be overwritten.
#[derive(Debug)]
pub struct TensorMut<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its size in each dimension.
    pub shape: Vec<usize>,
    /// The numbers; the last dimension changes fastest.
    pub data: &'a mut [f32],
}
