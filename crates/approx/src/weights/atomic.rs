//! Weights that several threads train at the same time (Hogwild, Recht et al. 2011).

use super::{WeightSlice, WeightStore};
use crate::ntuple::NTuple;
use crate::step::StepSize;
use crate::{ParallelNetwork, Tensor, TensorMut};
use bytemuck::Zeroable;
use ludens_simd::{
    Indices, atomic_add, from_atomic, gather_atomic, into_atomic, prefetch, scatter_atomic,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A handle on weights that several threads read and change without locks.
///
/// Each number is read and written whole. Between the two another thread may write the same number,
/// and one of the two changes is lost: rare in large tables, but runs are not reproducible.
#[derive(Clone, Debug)]
pub(crate) struct AtomicWeights<S: StepSize> {
    numbers: Arc<Numbers>,
    rule: S,
}

/// The bits of all weights, of their memory, and of what belongs to all of them together.
#[derive(Debug)]
struct Numbers {
    values: Vec<AtomicU32>,
    memory: Vec<AtomicU32>,
    bound: AtomicU32,
}

impl<S: StepSize> AtomicWeights<S> {
    pub(super) fn new(
        values: Vec<f32>,
        memory: Vec<S::Memory>,
        bound: f32,
        rule: S,
    ) -> AtomicWeights<S> {
        let (values, memory) = (into_atomic(values), into_atomic(memory));
        let bound = AtomicU32::new(bound.to_bits());
        AtomicWeights { numbers: Arc::new(Numbers { values, memory, bound }), rule }
    }

    /// Weights, memory and bound.
    ///
    /// # Panics
    ///
    /// If another handle exists.
    pub(super) fn into_parts(self) -> (Vec<f32>, Vec<S::Memory>, f32) {
        let numbers = Arc::try_unwrap(self.numbers).expect("all threads have ended");
        let bound = f32::from_bits(numbers.bound.into_inner());
        (from_atomic(numbers.values), from_atomic(numbers.memory), bound)
    }
}

impl<S: StepSize> WeightStore<S> for AtomicWeights<S> {
    type Cell = AtomicU32;
    type Slice<'a> = AtomicSlice<'a>;

    #[inline]
    fn rule(&self) -> &S {
        &self.rule
    }

    #[inline]
    fn values(&self) -> &[AtomicU32] {
        &self.numbers.values
    }

    #[inline]
    fn slice_mut(&mut self, start: usize, len: usize) -> AtomicSlice<'_> {
        let Numbers { values, memory, .. } = &*self.numbers;
        let each = size_of::<S::Memory>() / size_of::<f32>();
        let memory = &memory[start * each..][..len * each];
        AtomicSlice { values: &values[start..][..len], memory }
    }

    #[inline]
    fn prefetch_memory(&self, start: usize, features: &[u32]) {
        let each = size_of::<S::Memory>() / size_of::<f32>();
        if each > 0 {
            let memory = &self.numbers.memory[start * each..];
            features.iter().for_each(|&index| prefetch(memory, index as usize * each));
        }
    }

    #[inline]
    fn normalise(&mut self, sum: f32) -> f32 {
        let mut bound = f32::from_bits(self.numbers.bound.load(Ordering::Relaxed));
        let norm = self.rule.normalise(&mut bound, sum);
        self.numbers.bound.store(bound.to_bits(), Ordering::Relaxed);
        norm
    }

    fn end_batch(&mut self) {}

    fn tensors(&self, _: usize) -> Vec<Tensor<'_>> {
        Vec::new()
    }

    fn tensors_mut(&mut self, _: usize) -> Vec<TensorMut<'_>> {
        Vec::new()
    }

    fn parallel(_: &mut NTuple<S, Self>) -> Option<&mut dyn ParallelNetwork> {
        None
    }
}

/// A range of weights that others may change at the same time.
#[derive(Copy, Clone)]
pub(crate) struct AtomicSlice<'a> {
    values: &'a [AtomicU32],
    /// As many numbers for each weight as the step size remembers.
    memory: &'a [AtomicU32],
}

impl<S: StepSize> WeightSlice<S> for AtomicSlice<'_> {
    #[inline(always)]
    fn memory(&self, index: u32) -> S::Memory {
        let mut memory = [S::Memory::zeroed()];
        gather_atomic(self.memory, Indices::new(&[index]), &mut memory);
        memory[0]
    }

    #[inline(always)]
    fn add(&mut self, index: u32, step: f32) {
        atomic_add(&self.values[index as usize], step);
    }

    #[inline(always)]
    fn add_all(&mut self, indices: Indices<'_>, step: f32) {
        for &index in indices.as_slice() {
            atomic_add(&self.values[index as usize], step);
        }
    }

    #[inline(always)]
    fn store(&mut self, index: u32, memory: S::Memory, step: f32) {
        scatter_atomic((self.values, self.memory), Indices::new(&[index]), &[memory], &[step]);
    }

    #[inline(always)]
    fn gather_memory(&self, indices: Indices<'_>, into: &mut [S::Memory]) {
        gather_atomic(self.memory, indices, into);
    }

    #[inline(always)]
    fn scatter(&mut self, indices: Indices<'_>, memory: &[S::Memory], steps: &[f32]) {
        scatter_atomic((self.values, self.memory), indices, memory, steps);
    }
}
