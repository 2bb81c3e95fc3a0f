//! Weights with what their step size remembers of each, and how they are updated.

mod atomic;
mod exclusive;

pub(crate) use atomic::AtomicWeights;
pub(crate) use exclusive::ExclusiveWeights;

use crate::ntuple::NTuple;
use crate::step::{PerWeight, StepSize, Update};
use crate::trace::{Dense, Sparse};
use crate::{ParallelNetwork, Tensor, TensorMut};
use bytemuck::Zeroable;
use ludens_simd::{Indices, Kernel, LANES, WeightCell, dispatch_simd};
use std::marker::PhantomData;

/// How many weights are updated in one go, and for how many a smaller scratch is enough.
const BLOCK: usize = 128;
const SMALL_BLOCK: usize = 32;

/// Up to so many weights are updated one by one: vectors would not pay.
const FEW: usize = 2;

/// Whether so many weights are updated as vectors and in one block.
#[inline(always)]
pub(crate) fn fits_one_block(count: usize) -> bool {
    (FEW + 1..=BLOCK).contains(&count)
}

/// Weights of one owner, or shared by several threads.
pub(crate) trait WeightStore<S: StepSize>:
    Clone + std::fmt::Debug + Send + Sync + 'static
{
    /// A weight as it is stored.
    type Cell: WeightCell;

    /// A range of weights to be changed.
    type Slice<'a>: WeightSlice<S>
    where
        Self: 'a;

    /// The step-size rule.
    fn rule(&self) -> &S;

    /// All weights.
    fn values(&self) -> &[Self::Cell];

    /// The `len` weights from `start` on, to be changed.
    fn slice_mut(&mut self, start: usize, len: usize) -> Self::Slice<'_>;

    /// Prefetches what is remembered of these weights, counted from `start`.
    fn prefetch_memory(&self, start: usize, features: &[u32]);

    /// The normaliser of a step size that needs a sum over all weights of an update.
    fn normalise(&mut self, sum: f32) -> f32;

    /// Lets a step size that works in batches move the weights.
    fn end_batch(&mut self);

    /// The weights and their memory in sets of `set_size` weights; none while threads share them.
    fn tensors(&self, set_size: usize) -> Vec<Tensor<'_>>;

    /// The same, for loading.
    fn tensors_mut(&mut self, set_size: usize) -> Vec<TensorMut<'_>>;

    /// The network as one that several threads can train, if its weights can be handed out.
    fn parallel(network: &mut NTuple<S, Self>) -> Option<&mut dyn ParallelNetwork>;

    /// All weights, to be changed.
    #[inline]
    fn all_mut(&mut self) -> Self::Slice<'_> {
        let len = self.values().len();
        self.slice_mut(0, len)
    }

    /// Updates each of these weights; none may occur twice.
    #[inline]
    fn update_each(&mut self, updates: impl Iterator<Item = (usize, Update)> + Clone) {
        let rule = self.rule().clone();
        let mut norm = 0.0;
        if S::NORMALISES {
            let sum = self.contributions(&rule, updates.clone());
            norm = self.normalise(sum);
        }
        let mut all = self.all_mut();
        for (index, update) in updates {
            all.update(&rule, index as u32, &update, norm);
        }
    }

    /// The sum of the contributions of all weights of an update.
    fn contributions(&mut self, rule: &S, updates: impl Iterator<Item = (usize, Update)>) -> f32 {
        let mut all = self.all_mut();
        updates.map(|(index, update)| all.contribution(rule, index as u32, &update)).sum()
    }

    /// Updates every weight on a sparse trace.
    #[inline(always)]
    fn update_sparse(&mut self, trace: &Sparse, error: f32, alpha: f32) {
        if S::NORMALISES {
            let slope = trace.slope;
            let update = |(index, trace, input)| {
                (index as usize, Update { alpha, error, trace, input, slope })
            };
            return self.update_each(trace.entries().map(update));
        }
        let rule = self.rule().clone();
        self.all_mut().update_sparse(&rule, trace, error, alpha);
    }

    /// The same, compiled for the vectors of this processor.
    fn update_sparse_simd(&mut self, trace: &Sparse, error: f32, alpha: f32) {
        dispatch_simd(SparseUpdate { store: self, rule: PhantomData, trace, error, alpha });
    }

    /// Updates every weight on a dense trace; `alpha` is the step size of each weight.
    fn update_dense(&mut self, trace: &Dense, error: f32, alpha: impl Fn(usize) -> f32) {
        let update = |index: usize, eligibility: f32| Update {
            alpha: alpha(index),
            error,
            trace: eligibility,
            input: if trace.slope == 0.0 { 0.0 } else { trace.gradient[index] / trace.slope },
            slope: trace.slope,
        };
        let eligible = trace.eligibility.iter().enumerate().filter(|(_, e)| **e != 0.0);
        self.update_each(eligible.map(|(index, &e)| (index, update(index, e))));
    }
}

/// A range of weights with their memory, to be changed.
pub(crate) trait WeightSlice<S: StepSize> {
    /// What the step size remembers of a weight.
    fn memory(&self, index: u32) -> S::Memory;

    /// Adds to a weight.
    fn add(&mut self, index: u32, step: f32);

    /// Adds the same to several weights.
    fn add_all(&mut self, indices: Indices<'_>, step: f32);

    /// Adds to a weight and replaces its memory.
    fn store(&mut self, index: u32, memory: S::Memory, step: f32);

    /// Copies the memory of several weights; `into` is long enough.
    fn gather_memory(&self, indices: Indices<'_>, into: &mut [S::Memory]);

    /// Adds to several weights and replaces their memory.
    fn scatter(&mut self, indices: Indices<'_>, memory: &[S::Memory], steps: &[f32]);

    /// The contribution of one weight to the sum that normalises an update.
    #[inline(always)]
    fn contribution(&mut self, rule: &S, index: u32, update: &Update) -> f32 {
        let mut memory = self.memory(index);
        let contribution = rule.contribution(&mut memory, update);
        self.store(index, memory, 0.0);
        contribution
    }

    /// Updates one weight.
    #[inline(always)]
    fn update(&mut self, rule: &S, index: u32, update: &Update, norm: f32) {
        let mut memory = self.memory(index);
        let step = rule.step(&mut memory, update, norm);
        self.store(index, memory, step);
    }

    /// Lets the step size remember an update without moving the weight.
    #[inline(always)]
    fn record_only(&mut self, rule: &S, index: u32, update: &Update) {
        let mut memory = self.memory(index);
        rule.step(&mut memory, update, 0.0);
        self.store(index, memory, 0.0);
    }

    /// Updates a block of different weights: gather, compute and scatter are simple loops each.
    #[inline(always)]
    fn update_block<const N: usize>(
        &mut self,
        rule: &S,
        indices: Indices<'_>,
        per_weight: &PerWeight<'_>,
        update: &Update,
        scratch: &mut Scratch<S::Memory, N>,
    ) {
        let Scratch { memory, steps } = scratch;
        let padded = indices.as_slice().len().next_multiple_of(LANES);
        self.gather_memory(indices, memory);
        rule.step_block(&mut memory[..padded], update, per_weight, &mut steps[..padded]);
        for (step, share) in steps.iter_mut().zip(per_weight.shares) {
            *step *= share;
        }
        self.scatter(indices, memory, steps);
    }

    /// Updates weights that have the same trace; none may occur twice unless steps are constant.
    #[inline(always)]
    fn update_alike(
        &mut self,
        rule: &S,
        indices: Indices<'_>,
        per_weight: &PerWeight<'_>,
        update: &Update,
    ) {
        let features = indices.as_slice();
        if S::CONSTANT {
            let step = update.alpha * update.error * update.trace;
            if per_weight.shares.is_empty() {
                self.add_all(indices, step);
            }
            for (&index, share) in features.iter().zip(per_weight.shares) {
                self.add(index, share * step);
            }
            return;
        }
        if features.len() <= FEW && per_weight.counts.is_empty() {
            for (i, &index) in features.iter().enumerate() {
                let share = per_weight.shares.get(i).map_or(1.0, |share| *share);
                let mut memory = self.memory(index);
                let step = rule.step(&mut memory, update, 0.0);
                self.store(index, memory, share * step);
            }
            return;
        }
        if features.len() <= SMALL_BLOCK {
            let scratch = &mut Scratch::<_, SMALL_BLOCK>::new();
            return self.update_block(rule, indices, per_weight, update, scratch);
        }
        let mut scratch = Scratch::<_, BLOCK>::new();
        let mut shares = per_weight.shares.chunks(BLOCK);
        let mut counts = per_weight.counts.chunks(BLOCK);
        for block in indices.chunks(BLOCK) {
            let shares = shares.next().unwrap_or_default();
            let counts = counts.next().unwrap_or_default();
            let per_weight = PerWeight { shares, counts, ..PerWeight::default() };
            self.update_block(rule, block, &per_weight, update, &mut scratch);
        }
    }

    /// Updates every weight on a sparse trace; for step sizes that do not normalise.
    #[inline(always)]
    fn update_sparse(&mut self, rule: &S, trace: &Sparse, error: f32, alpha: f32) {
        let update = Update { alpha, error, trace: 0.0, input: 0.0, slope: trace.slope };
        let (used, traces, inputs) = trace.columns();
        let mut scratch = Scratch::<_, BLOCK>::new();
        for from in (0..used.len()).step_by(BLOCK) {
            let to = (from + BLOCK).min(used.len());
            let (used, traces, inputs) = (&used[from..to], &traces[from..to], &inputs[from..to]);
            let indices = Indices::new(used);
            // Without leaving early, so that compilers compare several at a time.
            if traces.iter().fold(0, |any, trace| any | u32::from(*trace == 0.0)) != 0 {
                self.update_nonzero(rule, used, traces, inputs, update);
            } else if traces.len() % LANES == 0 {
                let per_weight = PerWeight { traces, inputs, ..PerWeight::default() };
                self.update_block(rule, indices, &per_weight, &update, &mut scratch);
            } else {
                let (traces, inputs) = (&padded(traces), &padded(inputs));
                let per_weight = PerWeight { traces, inputs, ..PerWeight::default() };
                self.update_block(rule, indices, &per_weight, &update, &mut scratch);
            }
        }
    }

    /// Updates each of these weights whose trace is not zero.
    fn update_nonzero(
        &mut self,
        rule: &S,
        used: &[u32],
        traces: &[f32],
        inputs: &[f32],
        update: Update,
    ) {
        for ((&index, &trace), &input) in used.iter().zip(traces).zip(inputs) {
            if trace != 0.0 {
                self.update(rule, index, &Update { trace, input, ..update }, 0.0);
            }
        }
    }
}

/// Scratch for a block of weights, aligned so that no vector crosses a cache line.
#[repr(align(32))]
pub(crate) struct Scratch<M, const N: usize> {
    memory: [M; N],
    steps: [f32; N],
}

impl<M: Zeroable + Copy, const N: usize> Scratch<M, N> {
    #[inline(always)]
    fn new() -> Scratch<M, N> {
        Scratch { memory: [M::zeroed(); N], steps: [0.0; N] }
    }
}

/// These numbers, padded with ones.
#[inline(always)]
fn padded(numbers: &[f32]) -> [f32; BLOCK] {
    let mut padded = [1.0; BLOCK];
    padded[..numbers.len()].copy_from_slice(numbers);
    padded
}

/// An update of all weights on a sparse trace.
struct SparseUpdate<'a, S, W: ?Sized> {
    store: &'a mut W,
    rule: PhantomData<S>,
    trace: &'a Sparse,
    error: f32,
    alpha: f32,
}

impl<S: StepSize, W: WeightStore<S>> Kernel for SparseUpdate<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        self.store.update_sparse(self.trace, self.error, self.alpha);
    }
}
