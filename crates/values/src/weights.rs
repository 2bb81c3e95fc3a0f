//! Weights, and what the step size remembers of each.

use crate::stepsize::{Push, StepSize};
use crate::trace::{Dense, Sparse};
use crate::{Init, Tensor, TensorMut};
use ludens_core::Rng;

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
}

impl<S: StepSize> Weights<S> {
    /// `count` weights that were never pushed.
    pub fn new(count: usize, init: Init, rule: S, rng: &mut Rng) -> Weights<S> {
        Weights::from_values(init.weights(count, rng), rule)
    }

    /// These weights, never pushed.
    pub fn from_values(values: Vec<f32>, rule: S) -> Weights<S> {
        let memory = vec![rule.start(); values.len()];
        Weights { values, memory, bound: [f32::INFINITY], rule }
    }

    /// Makes room for `count` weights; those that are new have this value.
    pub fn grow(&mut self, count: usize, value: f32) {
        if count > self.values.len() {
            self.values.resize(count, value);
            self.memory.resize(count, self.rule.start());
        }
    }

    /// Lets the step size measure the pushes of one correction, each of the weight with that index.
    #[inline]
    pub fn measure(&mut self, pushes: impl Iterator<Item = (usize, Push)>) -> f32 {
        if !S::MEASURES {
            return 0.0;
        }
        let sum = pushes.map(|(i, push)| self.measure_one(i, &push)).sum();
        self.conclude(sum)
    }

    /// Lets the step size measure the push of one weight.
    #[inline]
    pub fn measure_one(&mut self, index: usize, push: &Push) -> f32 {
        self.rule.measure(&mut self.memory[index], push)
    }

    /// What each push of a correction gets to know of the sum of all that was measured.
    #[inline]
    pub fn conclude(&mut self, sum: f32) -> f32 {
        self.rule.conclude(&mut self.bound[0], sum)
    }

    /// Pushes weight `index`.
    #[inline]
    pub fn push(&mut self, index: usize, push: &Push, measured: f32) {
        self.values[index] += self.rule.step(&mut self.memory[index], push, measured);
    }

    /// Lets the step size remember a push without moving weight `index`.
    #[inline]
    pub fn note(&mut self, index: usize, push: &Push, measured: f32) {
        self.rule.step(&mut self.memory[index], push, measured);
    }

    /// Pushes each of these weights; none may occur twice.
    #[inline]
    pub fn push_all(&mut self, pushes: impl Iterator<Item = (usize, Push)> + Clone) {
        let measured = self.measure(pushes.clone());
        for (index, push) in pushes {
            self.push(index, &push, measured);
        }
    }

    /// Corrects every weight used lately.
    pub fn learn_sparse(&mut self, trace: &Sparse, error: f32, rate: f32) {
        let slope = trace.slope;
        let push = |&index: &u32| {
            let (trace, input) = (trace.eligibility[index as usize], trace.input(index));
            (index as usize, Push { rate, error, trace, input, slope })
        };
        let eligible = trace.used.iter().map(push).filter(|(_, push)| push.trace != 0.0);
        self.push_all(eligible);
    }

    /// Corrects every weight with a trace; `rate` tells each weight's share of the rate.
    pub fn learn_dense(&mut self, trace: &Dense, error: f32, rate: impl Fn(usize) -> f32) {
        let push = |index: usize, eligibility: f32| Push {
            rate: rate(index),
            error,
            trace: eligibility,
            input: if trace.slope == 0.0 { 0.0 } else { trace.gradient[index] / trace.slope },
            slope: trace.slope,
        };
        let eligible = trace.eligibility.iter().enumerate().filter(|(_, e)| **e != 0.0);
        self.push_all(eligible.map(|(index, &e)| (index, push(index, e))));
    }

    /// Lets a step size that works in batches move the weights.
    pub fn settle(&mut self) {
        if S::BATCHED {
            for (value, memory) in self.values.iter_mut().zip(&mut self.memory) {
                *value += self.rule.settle(memory);
            }
        }
    }

    /// The weights and the memory, in banks of `bank_size` weights.
    pub fn tensors(&self, bank_size: usize) -> Vec<Tensor<'_>> {
        let (weights, memory) = self.shapes(bank_size);
        let mut tensors = vec![Tensor { name: "weights", shape: weights, data: &self.values }];
        let data = bytemuck::cast_slice(&self.memory);
        if !data.is_empty() {
            tensors.push(Tensor { name: "memory", shape: memory, data });
        }
        if S::BOUNDS {
            tensors.push(Tensor { name: "bound", shape: vec![1], data: &self.bound });
        }
        tensors
    }

    /// The same, for loading.
    pub fn tensors_mut(&mut self, bank_size: usize) -> Vec<TensorMut<'_>> {
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

    fn shapes(&self, bank_size: usize) -> (Vec<usize>, Vec<usize>) {
        let banks = self.values.len() / bank_size;
        let remembered = size_of::<S::Memory>() / size_of::<f32>();
        (vec![banks, bank_size], vec![banks, bank_size, remembered])
    }
}
