//! Weights that several threads change at once.

use crate::hardware;
use crate::stepsize::{Push, StepSize};
use crate::store::Store;
use crate::{Tensor, TensorMut};
use bytemuck::Zeroable;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A handle on weights that several threads read and change without locks.
///
/// Each number is read and written whole, but between reading and writing another thread may write
/// the same number; then one of the two changes is lost. Tables are large and changes are small, so
/// this costs little; but no run is like another.
#[derive(Clone, Debug)]
pub(crate) struct Shared<S: StepSize> {
    numbers: Arc<Numbers>,
    rule: S,
}

/// The bits of the weights, of what is remembered of each, and of all together.
#[derive(Debug)]
struct Numbers {
    values: Vec<AtomicU32>,
    memory: Vec<AtomicU32>,
    bound: AtomicU32,
}

impl<S: StepSize> Shared<S> {
    pub(crate) fn new(values: Vec<f32>, memory: Vec<S::Memory>, bound: f32, rule: S) -> Shared<S> {
        let (values, memory) = (hardware::into_bits(values), hardware::into_bits(memory));
        let bound = AtomicU32::new(bound.to_bits());
        Shared { numbers: Arc::new(Numbers { values, memory, bound }), rule }
    }

    /// Weights, memory and bound, once all other handles are gone.
    ///
    /// # Panics
    ///
    /// If another handle is still around.
    pub(crate) fn into_parts(self) -> (Vec<f32>, Vec<S::Memory>, f32) {
        let numbers = Arc::try_unwrap(self.numbers).expect("all threads have ended");
        let bound = f32::from_bits(numbers.bound.into_inner());
        (hardware::from_bits(numbers.values), hardware::from_bits(numbers.memory), bound)
    }

    /// Lets `change` work on what is remembered of one weight.
    #[inline]
    fn with_memory<T>(&mut self, index: usize, change: impl FnOnce(&S, &mut S::Memory) -> T) -> T {
        let mut memory = self.memory(index);
        let result = change(&self.rule, &mut memory);
        self.set_memory(index, memory);
        result
    }
}

#[inline]
fn load(bits: &AtomicU32) -> f32 {
    f32::from_bits(bits.load(Ordering::Relaxed))
}

#[inline]
fn store(bits: &AtomicU32, number: f32) {
    bits.store(number.to_bits(), Ordering::Relaxed);
}

impl<S: StepSize> Store<S> for Shared<S> {
    fn len(&self) -> usize {
        self.numbers.values.len()
    }

    #[inline]
    fn rule(&self) -> &S {
        &self.rule
    }

    #[inline]
    fn value(&self, index: usize) -> f32 {
        load(&self.numbers.values[index])
    }

    #[inline]
    fn expect_value(&self, index: usize) {
        hardware::prefetch(&self.numbers.values, index);
    }

    #[inline]
    fn expect_push(&self, index: usize) {
        hardware::prefetch(&self.numbers.values, index);
        let size = size_of::<S::Memory>() / size_of::<f32>();
        hardware::prefetch(&self.numbers.memory, index * size);
    }

    #[inline]
    fn add(&mut self, index: usize, step: f32) {
        let value = &self.numbers.values[index];
        store(value, load(value) + step);
    }

    #[inline]
    fn memory(&self, index: usize) -> S::Memory {
        let size = size_of::<S::Memory>() / size_of::<f32>();
        let bits = &self.numbers.memory[index * size..(index + 1) * size];
        let mut memory = S::Memory::zeroed();
        let read: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut memory));
        read.iter_mut().zip(bits).for_each(|(number, bits)| *number = load(bits));
        memory
    }

    #[inline]
    fn set_memory(&mut self, index: usize, memory: S::Memory) {
        let size = size_of::<S::Memory>() / size_of::<f32>();
        let bits = &self.numbers.memory[index * size..(index + 1) * size];
        let written: &[f32] = bytemuck::cast_slice(std::slice::from_ref(&memory));
        written.iter().zip(bits).for_each(|(number, bits)| store(bits, *number));
    }

    #[inline]
    fn measure_one(&mut self, index: usize, push: &Push) -> f32 {
        self.with_memory(index, |rule, memory| rule.measure(memory, push))
    }

    #[inline]
    fn conclude(&mut self, sum: f32) -> f32 {
        let mut bound = load(&self.numbers.bound);
        let concluded = self.rule.conclude(&mut bound, sum);
        store(&self.numbers.bound, bound);
        concluded
    }

    #[inline]
    fn push(&mut self, index: usize, push: &Push, measured: f32) {
        let step = self.with_memory(index, |rule, memory| rule.step(memory, push, measured));
        self.add(index, step);
    }

    #[inline]
    fn note(&mut self, index: usize, push: &Push, measured: f32) {
        self.with_memory(index, |rule, memory| rule.step(memory, push, measured));
    }

    fn settle(&mut self) {}

    fn tensors(&self, _: usize) -> Vec<Tensor<'_>> {
        Vec::new()
    }

    fn tensors_mut(&mut self, _: usize) -> Vec<TensorMut<'_>> {
        Vec::new()
    }
}
