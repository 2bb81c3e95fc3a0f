//! Where weights are kept.

use crate::bank::{Bank, BankMut};
use crate::hardware::{Work, run_widely};
use crate::stepsize::{Push, StepSize};
use crate::trace::{Dense, Sparse};
use crate::{Tensor, TensorMut};
use std::marker::PhantomData;

/// Where weights are kept, with what the step size remembers of each.
pub trait Store<S: StepSize>: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// How many weights there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How far weights move.
    fn rule(&self) -> &S;

    /// A bank, to be read.
    type Bank<'a>: Bank
    where
        Self: 'a;

    /// The `size` weights that begin at `from`.
    fn bank(&self, from: usize, size: usize) -> Self::Bank<'_>;

    /// A bank, to be changed.
    type BankMut<'a>: BankMut<S>
    where
        Self: 'a;

    /// The `size` weights that begin at `from`, to be changed.
    fn bank_mut(&mut self, from: usize, size: usize) -> Self::BankMut<'_>;

    /// Begins to fetch what is remembered of these weights, counted from `from`.
    fn announce(&self, _from: usize, _indices: &[u32]) {}

    /// Lets the step size measure the push of one weight.
    fn measure_one(&mut self, index: usize, push: &Push) -> f32;

    /// What each push of a correction gets to know of the sum of all that was measured.
    fn conclude(&mut self, sum: f32) -> f32;

    /// Pushes weight `index`.
    fn push(&mut self, index: usize, push: &Push, measured: f32);

    /// Lets the step size remember a push without moving weight `index`.
    fn note(&mut self, index: usize, push: &Push, measured: f32);

    /// Lets a step size that works in batches move the weights.
    fn settle(&mut self);

    /// The weights and the memory, in banks of `bank_size` weights; nothing while they are shared.
    fn tensors(&self, bank_size: usize) -> Vec<Tensor<'_>>;

    /// The same, for loading.
    fn tensors_mut(&mut self, bank_size: usize) -> Vec<TensorMut<'_>>;

    /// Lets the step size measure the pushes of one correction, each of the weight with that index.
    #[inline]
    fn measure(&mut self, pushes: impl Iterator<Item = (usize, Push)>) -> f32 {
        if !S::MEASURES {
            return 0.0;
        }
        let sum = pushes.map(|(i, push)| self.measure_one(i, &push)).sum();
        self.conclude(sum)
    }

    /// Pushes each of these weights; none may occur twice.
    #[inline]
    fn push_all(&mut self, pushes: impl Iterator<Item = (usize, Push)> + Clone) {
        let measured = self.measure(pushes.clone());
        for (index, push) in pushes {
            self.push(index, &push, measured);
        }
    }

    /// Corrects every weight used lately.
    #[inline(always)]
    fn learn_sparse(&mut self, trace: &Sparse, error: f32, rate: f32) {
        if S::MEASURES {
            let slope = trace.slope;
            let push =
                |(index, trace, input)| (index as usize, Push { rate, error, trace, input, slope });
            self.push_all(trace.uses().map(push));
            return;
        }
        let (size, rule) = (self.len(), self.rule().clone());
        self.bank_mut(0, size).learn_sparse(&rule, trace, error, rate);
    }

    /// The same, with wide vectors where the processor has them.
    fn learn_sparse_widely(&mut self, trace: &Sparse, error: f32, rate: f32) {
        let (store, rule) = (self, PhantomData);
        run_widely(Lesson { store, rule, trace, error, rate });
    }

    /// Corrects every weight with a trace; `rate` tells each weight's share of the rate.
    fn learn_dense(&mut self, trace: &Dense, error: f32, rate: impl Fn(usize) -> f32) {
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
}

/// What is to be learned from a sparse trace.
struct Lesson<'a, S, W> {
    store: &'a mut W,
    rule: PhantomData<S>,
    trace: &'a Sparse,
    error: f32,
    rate: f32,
}

impl<S: StepSize, W: Store<S>> Work for Lesson<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        self.store.learn_sparse(self.trace, self.error, self.rate);
    }
}
