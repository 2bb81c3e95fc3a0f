//! Weights, and what the step size remembers of each.

use crate::stepsize::{Push, StepSize};
use crate::trace::Dense;
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
    rule: S,
}

impl<S: StepSize> Weights<S> {
    /// `count` weights that were never pushed.
    pub fn new(count: usize, init: Init, rule: S, rng: &mut Rng) -> Weights<S> {
        Weights { values: init.weights(count, rng), memory: vec![rule.start(); count], rule }
    }

    /// Lets the step size measure the push of weight `index`.
    #[inline]
    pub fn measure(&mut self, index: usize, push: &Push) -> f32 {
        self.rule.measure(&mut self.memory[index], push)
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

    /// Corrects every weight with a trace; `rate` tells each weight's share of the rate.
    pub fn learn_dense(&mut self, trace: &Dense, error: f32, rate: impl Fn(usize) -> f32) {
        let push = |index: usize, eligibility: f32| Push {
            rate: rate(index),
            error,
            trace: eligibility,
            input: if trace.slope == 0.0 { 0.0 } else { trace.gradient[index] / trace.slope },
            slope: trace.slope,
        };
        let eligible = || trace.eligibility.iter().enumerate().filter(|(_, e)| **e != 0.0);
        let mut measured = 0.0;
        if S::MEASURES {
            for (index, &e) in eligible() {
                measured += self.measure(index, &push(index, e));
            }
        }
        for (index, &e) in eligible() {
            self.push(index, &push(index, e), measured);
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
        tensors
    }

    fn shapes(&self, bank_size: usize) -> (Vec<usize>, Vec<usize>) {
        let banks = self.values.len() / bank_size;
        let remembered = size_of::<S::Memory>() / size_of::<f32>();
        (vec![banks, bank_size], vec![banks, bank_size, remembered])
    }
}
