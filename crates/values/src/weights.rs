//! Weights, and what the step size remembers of each.

use crate::bank::Own;
use crate::echo::{Echo, Voice};
use crate::hardware;
use crate::shared::Shared;
use crate::stepsize::{Push, StepSize};
use crate::store::Store;
use crate::{Init, Tensor, TensorMut};
use ludens_core::Rng;
use std::borrow::Cow;
use std::sync::Arc;

/// Weights with what the step size remembers of each.
///
/// The memory lies apart: looking up is far more frequent than correcting, and the weights alone
/// fill fewer cache lines.
#[derive(Clone, Debug)]
pub struct Weights<S: StepSize> {
    /// The weights.
    pub values: Vec<f32>,
    memory: Vec<S::Memory>,
    /// What the step size remembers of all weights together.
    bound: [f32; 1],
    rule: S,
    rooms: Rooms,
}

/// Room for copies of the weights, for threads that learn at once; kept, because making room takes
/// long.
#[derive(Debug, Default)]
struct Rooms(Vec<Vec<f32>>);

/// Clones make room of their own.
impl Clone for Rooms {
    fn clone(&self) -> Rooms {
        Rooms::default()
    }
}

impl<S: StepSize> Weights<S> {
    /// `count` weights that were never pushed.
    pub fn new(count: usize, init: Init, rule: S, rng: &mut Rng) -> Weights<S> {
        Weights::from_values(init.weights(count, rng), rule)
    }

    /// These weights, never pushed.
    pub fn from_values(values: Vec<f32>, rule: S) -> Weights<S> {
        let memory = hardware::table(values.len(), rule.start());
        Weights { values, memory, bound: [f32::INFINITY], rule, rooms: Rooms::default() }
    }

    /// Makes room for `count` weights; those that are new have this value.
    pub fn grow(&mut self, count: usize, value: f32) {
        if count > self.values.len() {
            self.values.resize(count, value);
            self.memory.resize(count, self.rule.start());
        }
    }

    /// Hands the weights over to several threads.
    pub(crate) fn share(&mut self) -> Shared<S> {
        let (values, memory) = (std::mem::take(&mut self.values), std::mem::take(&mut self.memory));
        Shared::new(values, memory, self.bound[0], self.rule.clone())
    }

    /// Takes the weights back; nobody else may hold them any more.
    pub(crate) fn reclaim(&mut self, shared: Shared<S>) {
        (self.values, self.memory, self.bound[0]) = shared.into_parts();
        self.memory.resize(self.values.len(), self.rule.start());
    }

    /// Hands the weights over to so many threads, a copy to each.
    pub(crate) fn multiply(&mut self, threads: usize) -> (Vec<Echo<S>>, Arc<[Voice]>) {
        let (Rooms(mut copies), size) = (std::mem::take(&mut self.rooms), self.values.len());
        copies.resize_with(threads - 1, Vec::new);
        for copy in copies.iter_mut().filter(|copy| copy.len() != size) {
            *copy = hardware::table(size, 0.0);
        }
        copy_at_once(&self.values, &mut copies, threads);
        copies.insert(0, std::mem::take(&mut self.values));
        Echo::for_threads(copies, &self.rule)
    }

    /// Takes the weights back; all threads have ended.
    pub(crate) fn gather(&mut self, voices: &[Voice]) {
        let mut copies = voices.iter().map(Voice::take_home);
        self.values = copies.next().expect("a copy for each thread");
        self.rooms = Rooms(copies.collect());
    }

    fn shapes(&self, bank_size: usize) -> (Vec<usize>, Vec<usize>) {
        let banks = self.values.len() / bank_size;
        let remembered = size_of::<S::Memory>() / size_of::<f32>();
        (vec![banks, bank_size], vec![banks, bank_size, remembered])
    }
}

/// Copies all numbers to each of several places, as long; so many threads share the work.
fn copy_at_once(numbers: &[f32], copies: &mut [Vec<f32>], threads: usize) {
    let part = numbers.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for copy in copies {
            for (from, to) in numbers.chunks(part).zip(copy.chunks_mut(part)) {
                scope.spawn(|| to.copy_from_slice(from));
            }
        }
    });
}

impl<S: StepSize> Store<S> for Weights<S> {
    fn len(&self) -> usize {
        self.values.len()
    }

    #[inline]
    fn rule(&self) -> &S {
        &self.rule
    }

    type Bank<'a> = &'a [f32];

    #[inline]
    fn bank(&self, from: usize, size: usize) -> &[f32] {
        &self.values[from..from + size]
    }

    type BankMut<'a> = Own<'a, S::Memory>;

    #[inline]
    fn bank_mut(&mut self, from: usize, size: usize) -> Own<'_, S::Memory> {
        let (values, memory) = (&mut self.values, &mut self.memory);
        Own { values: &mut values[from..][..size], memory: &mut memory[from..][..size] }
    }

    #[inline]
    fn announce(&self, from: usize, indices: &[u32]) {
        if size_of::<S::Memory>() > 0 {
            let memory = &self.memory[from..];
            indices.iter().for_each(|&index| hardware::fetch(memory, index as usize));
        }
    }

    #[inline]
    fn measure_one(&mut self, index: usize, push: &Push) -> f32 {
        self.rule.measure(&mut self.memory[index], push)
    }

    #[inline]
    fn conclude(&mut self, sum: f32) -> f32 {
        self.rule.conclude(&mut self.bound[0], sum)
    }

    #[inline]
    fn push(&mut self, index: usize, push: &Push, measured: f32) {
        self.values[index] += self.rule.step(&mut self.memory[index], push, measured);
    }

    #[inline]
    fn note(&mut self, index: usize, push: &Push, measured: f32) {
        self.rule.step(&mut self.memory[index], push, measured);
    }

    fn settle(&mut self) {
        if S::BATCHED {
            for (value, memory) in self.values.iter_mut().zip(&mut self.memory) {
                *value += self.rule.settle(memory);
            }
        }
    }

    fn tensors(&self, bank_size: usize) -> Vec<Tensor<'_>> {
        let (weights, memory) = self.shapes(bank_size);
        let tensor = |name, shape, data| Tensor { name, shape, data: Cow::Borrowed(data) };
        let mut tensors = vec![tensor("weights", weights, &self.values[..])];
        let data = bytemuck::cast_slice(&self.memory);
        if !data.is_empty() {
            tensors.push(tensor("memory", memory, data));
        }
        if S::BOUNDS {
            tensors.push(tensor("bound", vec![1], &self.bound));
        }
        tensors
    }

    fn tensors_mut(&mut self, bank_size: usize) -> Vec<TensorMut<'_>> {
        let (weights, memory) = self.shapes(bank_size);
        let mut tensors =
            vec![TensorMut { name: "weights", shape: weights, data: &mut self.values }];
        let data = bytemuck::cast_slice_mut(&mut self.memory);
        if !data.is_empty() {
            tensors.push(TensorMut { name: "memory", shape: memory, data });
        }
        if S::BOUNDS {
            tensors.push(TensorMut { name: "bound", shape: vec![1], data: &mut self.bound });
        }
        tensors
    }
}
