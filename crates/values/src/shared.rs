//! Weights that several threads change at once.

use crate::bank::{BankMut, Common};
use crate::echo::Echo;
use crate::hardware;
use crate::stepsize::{Push, StepSize};
use crate::store::Store;
use crate::{Tensor, TensorMut, Weights};
use ludens_core::Invalid;
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

    /// Lets `work` change what is remembered of one weight, and move it by what it answers second.
    #[inline]
    fn at<T>(&mut self, index: usize, work: impl FnOnce(&S, &mut S::Memory) -> (T, f32)) -> T {
        let rule = self.rule.clone();
        let mut bank = self.bank_mut(index, 1);
        let mut memory = BankMut::<S>::memory(&bank, 0);
        let (result, step) = work(&rule, &mut memory);
        BankMut::<S>::change(&mut bank, 0, memory, step);
        result
    }
}

impl<S: StepSize> Store<S> for Shared<S> {
    fn len(&self) -> usize {
        self.numbers.values.len()
    }

    #[inline]
    fn rule(&self) -> &S {
        &self.rule
    }

    type Bank<'a> = &'a [AtomicU32];

    #[inline]
    fn bank(&self, from: usize, size: usize) -> &[AtomicU32] {
        &self.numbers.values[from..from + size]
    }

    type BankMut<'a> = Common<'a>;

    #[inline]
    fn bank_mut(&mut self, from: usize, size: usize) -> Common<'_> {
        let Numbers { values, memory, .. } = &*self.numbers;
        let each = size_of::<S::Memory>() / size_of::<f32>();
        let memory = &memory[from * each..][..size * each];
        Common { values: &values[from..][..size], memory }
    }

    #[inline]
    fn measure_one(&mut self, index: usize, push: &Push) -> f32 {
        self.at(index, |rule, memory| (rule.measure(memory, push), 0.0))
    }

    #[inline]
    fn conclude(&mut self, sum: f32) -> f32 {
        let mut bound = f32::from_bits(self.numbers.bound.load(Ordering::Relaxed));
        let concluded = self.rule.conclude(&mut bound, sum);
        self.numbers.bound.store(bound.to_bits(), Ordering::Relaxed);
        concluded
    }

    #[inline]
    fn push(&mut self, index: usize, push: &Push, measured: f32) {
        self.at(index, |rule, memory| ((), rule.step(memory, push, measured)));
    }

    #[inline]
    fn note(&mut self, index: usize, push: &Push, measured: f32) {
        self.at(index, |rule, memory| (rule.step(memory, push, measured), 0.0));
    }

    fn settle(&mut self) {}

    fn tensors(&self, _: usize) -> Vec<Tensor<'_>> {
        Vec::new()
    }

    fn tensors_mut(&mut self, _: usize) -> Vec<TensorMut<'_>> {
        Vec::new()
    }
}

/// Lending weights to several threads, and taking them back.
pub(crate) trait Sharing<S: StepSize>: Sized {
    /// Lets each thread work with a handle on all weights, or with a copy where copies are wanted.
    ///
    /// # Errors
    ///
    /// If the weights are a copy themselves.
    fn lend(&mut self, threads: usize, copies: bool, work: &dyn Lending<S>) -> Result<(), Invalid>;
}

/// Threads that work with weights of others.
pub(crate) trait Lending<S: StepSize> {
    /// Lets so many work with this handle.
    fn share(&self, shared: &Shared<S>, threads: usize);

    /// Lets each work with one of these copies.
    fn echo(&self, copies: Vec<Echo<S>>);
}

impl<S: StepSize> Sharing<S> for Weights<S> {
    fn lend(&mut self, threads: usize, copies: bool, work: &dyn Lending<S>) -> Result<(), Invalid> {
        if copies {
            let (copies, voices) = self.multiply(threads);
            work.echo(copies);
            self.gather(&voices);
        } else {
            let shared = self.share();
            work.share(&shared, threads);
            self.reclaim(shared);
        }
        Ok(())
    }
}

/// What is shared already is shared further.
impl<S: StepSize> Sharing<S> for Shared<S> {
    fn lend(&mut self, threads: usize, _: bool, work: &dyn Lending<S>) -> Result<(), Invalid> {
        work.share(self, threads);
        Ok(())
    }
}

impl<S: StepSize> Sharing<S> for Echo<S> {
    fn lend(&mut self, _: usize, _: bool, _: &dyn Lending<S>) -> Result<(), Invalid> {
        Err(Invalid("a copy of weights is not shared further".into()))
    }
}
