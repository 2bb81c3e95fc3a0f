//! Weights of one owner.

use super::{AtomicWeights, WeightSlice, WeightStore};
use crate::ntuple::NTuple;
use crate::step::StepSize;
use crate::{Init, ParallelNetwork, Tensor, TensorMut};
use ludens_core::Rng;
use ludens_simd::{Indices, add_at, gather, huge_table, prefetch, scatter};

/// Weights that one thread reads and changes.
///
/// The memory of the step size lies apart: evaluations are far more frequent than updates, and the
/// weights alone fill fewer cache lines.
#[derive(Clone, Debug)]
pub(crate) struct ExclusiveWeights<S: StepSize> {
    pub(crate) values: Vec<f32>,
    memory: Vec<S::Memory>,
    /// What the step size remembers of all weights together.
    bound: [f32; 1],
    rule: S,
}

impl<S: StepSize> ExclusiveWeights<S> {
    /// `count` weights that were never updated.
    pub(crate) fn new(count: usize, init: Init, rule: S, rng: &mut Rng) -> ExclusiveWeights<S> {
        ExclusiveWeights::from_values(init.weights(count, rng), rule)
    }

    /// These weights, never updated.
    pub(crate) fn from_values(values: Vec<f32>, rule: S) -> ExclusiveWeights<S> {
        let memory = huge_table(values.len(), rule.initial());
        ExclusiveWeights { values, memory, bound: [f32::INFINITY], rule }
    }

    /// Makes room for `count` weights; new ones have this value.
    pub(crate) fn grow(&mut self, count: usize, value: f32) {
        if count > self.values.len() {
            self.values.resize(count, value);
            self.memory.resize(count, self.rule.initial());
        }
    }

    /// Hands the weights over to several threads.
    pub(crate) fn share(&mut self) -> AtomicWeights<S> {
        let (values, memory) = (std::mem::take(&mut self.values), std::mem::take(&mut self.memory));
        AtomicWeights::new(values, memory, self.bound[0], self.rule.clone())
    }

    /// Takes the weights back; all other handles must be gone.
    pub(crate) fn reclaim(&mut self, shared: AtomicWeights<S>) {
        (self.values, self.memory, self.bound[0]) = shared.into_parts();
        self.memory.resize(self.values.len(), self.rule.initial());
    }

    fn shapes(&self, set_size: usize) -> (Vec<usize>, Vec<usize>) {
        let sets = self.values.len() / set_size;
        let remembered = size_of::<S::Memory>() / size_of::<f32>();
        (vec![sets, set_size], vec![sets, set_size, remembered])
    }
}

impl<S: StepSize> WeightStore<S> for ExclusiveWeights<S> {
    type Cell = f32;
    type Slice<'a> = ExclusiveSlice<'a, S::Memory>;

    #[inline]
    fn rule(&self) -> &S {
        &self.rule
    }

    #[inline]
    fn values(&self) -> &[f32] {
        &self.values
    }

    #[inline]
    fn slice_mut(&mut self, start: usize, len: usize) -> ExclusiveSlice<'_, S::Memory> {
        let (values, memory) = (&mut self.values[start..][..len], &mut self.memory[start..][..len]);
        ExclusiveSlice { values, memory }
    }

    #[inline]
    fn prefetch_memory(&self, start: usize, features: &[u32]) {
        if size_of::<S::Memory>() > 0 {
            let memory = &self.memory[start..];
            features.iter().for_each(|&index| prefetch(memory, index as usize));
        }
    }

    #[inline]
    fn normalise(&mut self, sum: f32) -> f32 {
        self.rule.normalise(&mut self.bound[0], sum)
    }

    fn end_batch(&mut self) {
        if S::BATCHED {
            for (value, memory) in self.values.iter_mut().zip(&mut self.memory) {
                *value += self.rule.end_batch(memory);
            }
        }
    }

    fn tensors(&self, set_size: usize) -> Vec<Tensor<'_>> {
        let (weights, memory) = self.shapes(set_size);
        let (data, start) = (&self.values[..], Vec::new());
        let mut tensors = vec![Tensor { name: "weights", shape: weights, data, start }];
        let data = bytemuck::cast_slice(&self.memory);
        if !data.is_empty() {
            let start = bytemuck::cast_slice(&[self.rule.initial()]).to_vec();
            tensors.push(Tensor { name: "memory", shape: memory, data, start });
        }
        if S::KEEPS_BOUND {
            let (data, start) = (&self.bound[..], Vec::new());
            tensors.push(Tensor { name: "bound", shape: vec![1], data, start });
        }
        tensors
    }

    fn tensors_mut(&mut self, set_size: usize) -> Vec<TensorMut<'_>> {
        let (weights, memory) = self.shapes(set_size);
        let data = &mut self.values;
        let mut tensors = vec![TensorMut { name: "weights", shape: weights, data }];
        let data = bytemuck::cast_slice_mut(&mut self.memory);
        if !data.is_empty() {
            tensors.push(TensorMut { name: "memory", shape: memory, data });
        }
        if S::KEEPS_BOUND {
            tensors.push(TensorMut { name: "bound", shape: vec![1], data: &mut self.bound });
        }
        tensors
    }

    fn parallel(network: &mut NTuple<S, Self>) -> Option<&mut dyn ParallelNetwork> {
        Some(network)
    }
}

/// A range of weights that nobody else changes.
pub(crate) struct ExclusiveSlice<'a, M> {
    values: &'a mut [f32],
    memory: &'a mut [M],
}

impl<S: StepSize> WeightSlice<S> for ExclusiveSlice<'_, S::Memory> {
    #[inline(always)]
    fn memory(&self, index: u32) -> S::Memory {
        self.memory[index as usize]
    }

    #[inline(always)]
    fn add(&mut self, index: u32, step: f32) {
        self.values[index as usize] += step;
    }

    #[inline(always)]
    fn add_all(&mut self, indices: Indices<'_>, step: f32) {
        add_at(self.values, indices, step);
    }

    #[inline(always)]
    fn store(&mut self, index: u32, memory: S::Memory, step: f32) {
        self.memory[index as usize] = memory;
        self.values[index as usize] += step;
    }

    #[inline(always)]
    fn gather_memory(&self, indices: Indices<'_>, into: &mut [S::Memory]) {
        gather(self.memory, indices, into);
    }

    #[inline(always)]
    fn scatter(&mut self, indices: Indices<'_>, memory: &[S::Memory], steps: &[f32]) {
        scatter((&mut *self.values, &mut *self.memory), indices, memory, steps);
    }
}
