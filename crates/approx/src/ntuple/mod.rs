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

use crate::step::StepSize;
use crate::weights::{ExclusiveWeights, WeightStore};
use crate::{Differentiable, Evaluation, Init, Output};
use ludens_core::Rng;
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

impl<S: StepSize, W: WeightStore<S>> Differentiable for NTuple<S, W> {
    fn add_gradient(&self, evaluation: &Evaluation, factor: f32, out: &mut [f32]) {
        self.for_each_weight(evaluation, |index| out[index] += factor * evaluation.slope);
    }
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
