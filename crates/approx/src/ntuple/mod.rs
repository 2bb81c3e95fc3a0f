//! N-tuple networks: sums of table lookups (Bledsoe and Browning 1959; Lucas 2008).

mod bitboard;
mod delta;
mod digits;
mod duplicates;
mod evaluate;
mod fused;
mod lookups;
mod parallel;
mod tuples;
mod update;

pub(crate) use bitboard::WindowBatch;
pub use lookups::Lookups;
pub use tuples::{lines, random_king_walks, random_points, random_walks};

use crate::network::update_in_steps;
use crate::step::StepSize;
use crate::weights::{ExclusiveWeights, WeightStore};
use crate::{
    Differentiable, EncodedBatch, Evaluation, FusedNetwork, Init, Network, Output, ParallelNetwork,
    Tensor, TensorMut, Trace, TraceSettings,
};
use ludens_core::{Invalid, Rng};
use ludens_simd::Indices;
use std::marker::PhantomData;

/// Weight sets of so many weights (16 MiB) do not stay in the processor's caches.
const CACHED_WEIGHTS: usize = 1 << 22;

/// A sum of table lookups over small sets of cells.
///
/// Each tuple has one table, which all symmetric images of the board share. The step size is divided
/// among all lookups, so that a step size of one removes the whole error of a linear network.
#[derive(Clone, Debug)]
pub(crate) struct NTuple<S: StepSize, W = ExclusiveWeights<S>> {
    lookups: Lookups,
    weights: W,
    output: Output,
    alpha: f32,
    duplicates: DuplicateFeatures,
    rule: PhantomData<S>,
}

/// What happens where symmetric images of a board share a weight.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DuplicateFeatures {
    /// Each counts in the value; the weight moves once (Konen and Bagheri 2020).
    Once,
    /// Each counts in the value, and the weight moves for each: the true gradient.
    Each,
}

/// How an n-tuple network is made.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NTupleSettings {
    /// How many weight sets there are.
    pub weight_sets: usize,
    /// The output function.
    pub output: Output,
    /// The initial weights.
    pub init: Init,
    /// The global step size.
    pub alpha: f32,
    /// What duplicate features mean.
    pub duplicates: DuplicateFeatures,
}

impl<S: StepSize> NTuple<S> {
    /// A network over these lookups.
    pub(crate) fn new(
        lookups: Lookups,
        settings: NTupleSettings,
        rule: S,
        rng: &mut Rng,
    ) -> NTuple<S> {
        let NTupleSettings { weight_sets, output, init, alpha, duplicates } = settings;
        let weights = ExclusiveWeights::new(weight_sets * lookups.set_size(), init, rule, rng);
        NTuple { lookups, weights, output, alpha, duplicates, rule: PhantomData }
    }
}

impl<S: StepSize, W: WeightStore<S>> NTuple<S, W> {
    /// Where the weights of a set start.
    #[inline]
    fn offset(&self, weight_set: usize) -> usize {
        weight_set * self.lookups.set_size()
    }

    /// The weights of a set.
    #[inline]
    fn set(&self, weight_set: usize) -> &[W::Cell] {
        &self.weights.values()[self.offset(weight_set)..][..self.lookups.set_size()]
    }

    /// Whether a weight set is larger than the processor's caches.
    #[inline]
    fn exceeds_cache(&self) -> bool {
        self.lookups.set_size() >= CACHED_WEIGHTS
    }
}

impl<S: StepSize, W: WeightStore<S>> Network for NTuple<S, W> {
    fn evaluate(&self, batch: &mut EncodedBatch) {
        self.sum_batch(batch);
        batch.values.clone_from(&batch.sums);
        self.output.value_all(&mut batch.values);
    }

    fn take(&self, batch: &mut EncodedBatch, nth: usize, out: &mut Evaluation) {
        self.take_features(batch, nth, out);
        out.weight_set = batch.weight_set;
        (out.sum, out.value) = (batch.sums[nth], batch.values[nth]);
        out.slope = self.output.slope(out.value);
    }

    fn reevaluate(&self, evaluation: &mut Evaluation) -> f32 {
        if evaluation.features.is_empty() {
            self.lookups.features(&evaluation.encoding, &mut evaluation.features);
        }
        evaluation.sum = self.sum(evaluation.weight_set, Indices::new(&evaluation.features));
        (evaluation.value, evaluation.slope) = self.output.value_and_slope(evaluation.sum);
        evaluation.value
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        Ok(Trace::new(settings, self.weights.values().len()))
    }

    fn accumulate(&self, evaluation: &Evaluation, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => self.push_on_horizon(evaluation, horizon),
            Trace::Sparse(sparse) => {
                sparse.begin_step(evaluation.slope);
                let each = self.duplicates == DuplicateFeatures::Each;
                if each || !self.lookups.has_duplicates(&evaluation.features) {
                    let offset = self.offset(evaluation.weight_set) as u32;
                    sparse.add_all(offset, &evaluation.features);
                } else {
                    self.for_each_weight(evaluation, |index| sparse.add(index as u32, 1.0));
                }
            }
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.slope = evaluation.slope;
                self.add_gradient(evaluation, 1.0, &mut dense.gradient);
                dense.accumulate();
            }
        }
    }

    fn update_trace(&mut self, trace: &Trace, error: f32) {
        let alpha = self.alpha_per_lookup();
        match trace {
            Trace::Horizon(horizon) => self.update_horizon(horizon, error),
            Trace::Sparse(sparse) => self.weights.update_sparse_simd(sparse, error, alpha),
            Trace::Dense(dense) => self.weights.update_dense(dense, error, |_| alpha),
        }
    }

    fn update(&mut self, evaluation: &mut Evaluation, trace: &mut Trace, target: f32) -> f32 {
        match trace {
            Trace::Horizon(horizon) if self.updates_alone(horizon) => {
                trace.clear();
                self.update_alone(evaluation, target)
            }
            _ => update_in_steps(self, evaluation, trace, target),
        }
    }

    fn end_batch(&mut self) {
        self.weights.end_batch();
    }

    fn set_step_size(&mut self, alpha: f32) {
        self.alpha = alpha;
    }

    fn grow(&mut self, _: usize) {}

    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.lookups.set_size())
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.weights.tensors_mut(self.lookups.set_size())
    }

    fn fused(&self) -> Option<&dyn FusedNetwork> {
        let fits = self.lookups.bitboards.is_some() && self.exceeds_cache();
        fits.then_some(self as &dyn FusedNetwork)
    }

    fn parallel(&mut self) -> Option<&mut dyn ParallelNetwork> {
        W::parallel(self)
    }
}

impl<S: StepSize, W: WeightStore<S>> Differentiable for NTuple<S, W> {
    fn add_gradient(&self, evaluation: &Evaluation, factor: f32, out: &mut [f32]) {
        self.for_each_weight(evaluation, |index| out[index] += factor * evaluation.slope);
    }
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
