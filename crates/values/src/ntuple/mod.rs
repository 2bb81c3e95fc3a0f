//! N-tuple networks: sums of table look-ups (Bledsoe and Browning 1959; Lucas 2008).

mod lookups;
mod tuples;

pub use lookups::Lookups;
pub use tuples::{random_points, random_walks};

use crate::shared::Shared;
use crate::stepsize::{Push, StepSize};
use crate::store::Store;
use crate::trace::Horizon;
use crate::{
    Active, Init, Net, Output, Sight, Tensor, TensorMut, Trace, TraceKind, TraceSettings, Weights,
};
use ludens_core::{Invalid, Rng};
use std::marker::PhantomData;
use std::sync::Arc;

/// A sum of table look-ups over small sets of cells.
///
/// Each tuple has one table, which all symmetric images of the board share. The learning rate is
/// shared between all look-ups, so that a rate of one mends the whole error of a linear net.
#[derive(Clone, Debug)]
pub struct NTuple<S: StepSize, W: Store<S> = Weights<S>> {
    lookups: Lookups,
    weights: W,
    banks: usize,
    output: Output,
    rate: f32,
    repeats: Repeats,
    rule: PhantomData<S>,
}

/// What happens when the symmetric images of a board meet in the same weight of a tuple.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Each counts in the value; the weight moves once (Konen and Bagheri 2020).
    Once,
    /// Each counts in the value, and the weight moves for each.
    Each,
}

/// How an n-tuple network is made.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NTupleSettings {
    /// Sets of weights.
    pub banks: usize,
    /// What becomes of the sum.
    pub output: Output,
    /// What weights are at first.
    pub init: Init,
    /// The learning rate (alpha).
    pub rate: f32,
    /// What repeated indices mean.
    pub repeats: Repeats,
}

impl<S: StepSize> NTuple<S> {
    /// A network over these look-ups.
    pub fn new(lookups: Lookups, settings: NTupleSettings, rule: S, rng: &mut Rng) -> NTuple<S> {
        let NTupleSettings { banks, output, init, rate, repeats } = settings;
        let weights = Weights::new(banks * lookups.bank_size(), init, rule, rng);
        NTuple { lookups, weights, banks, output, rate, repeats, rule: PhantomData }
    }
}

impl<S: StepSize, W: Store<S>> NTuple<S, W> {
    /// The look-ups.
    pub fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    /// Where the weights of a bank start.
    #[inline]
    fn offset(&self, bank: usize) -> usize {
        bank * self.lookups.bank_size()
    }

    /// Writes sum, value and slope from the indices.
    fn evaluate(&self, active: &mut Active) -> f32 {
        let offset = self.offset(active.bank);
        let sum = active.indices.iter().map(|&i| self.weights.value(offset + i as usize)).sum();
        self.conclude(sum, active)
    }

    fn conclude(&self, sum: f32, active: &mut Active) -> f32 {
        active.sum = sum;
        (active.value, active.slope) = self.output.value_and_slope(sum);
        active.value
    }

    fn shared_rate(&self) -> f32 {
        self.rate / self.lookups.len() as f32
    }

    fn learn_horizon(&mut self, trace: &Horizon, error: f32) {
        let mut factor = 1.0;
        for age in 0..trace.entries.len() {
            let entry = &trace.entries[age];
            let newer = trace.entries.range(..age);
            let replaced = |tuple: usize, index: u32| {
                let images = self.lookups.images(tuple);
                trace.kind == TraceKind::Replacing
                    && newer
                        .clone()
                        .any(|n| n.bank == entry.bank && n.indices[images.clone()].contains(&index))
            };
            let push = Push {
                rate: self.shared_rate(),
                error,
                trace: factor * entry.slope,
                input: if age == 0 { 1.0 } else { 0.0 },
                slope: entry.slope,
            };
            let offset = self.offset(entry.bank);
            factor *= trace.decay;
            if S::MEASURES {
                let single = single_pushes(&self.lookups, &entry.indices, self.repeats, push);
                let kept = single.filter(|(tuple, index, _)| !replaced(*tuple, *index));
                let pushes = kept.map(|(_, index, push)| (offset + index as usize, push));
                self.weights.push_all(pushes);
                continue;
            }
            for tuple in 0..self.lookups.num_tuples() {
                let images = &entry.indices[self.lookups.images(tuple)];
                for (i, &index) in images.iter().enumerate() {
                    if replaced(tuple, index) {
                        continue;
                    }
                    let at = offset + index as usize;
                    if self.repeats == Repeats::Once && images[..i].contains(&index) {
                        self.weights.note(at, &push, 0.0);
                    } else {
                        self.weights.push(at, &push, 0.0);
                    }
                }
            }
        }
    }

    /// Calls `visit` with each weight of all banks that `active` uses, as often as it counts.
    fn each_active(&self, active: &Active, mut visit: impl FnMut(usize)) {
        let offset = self.offset(active.bank);
        for tuple in 0..self.lookups.num_tuples() {
            let images = &active.indices[self.lookups.images(tuple)];
            for (i, &index) in images.iter().enumerate() {
                if self.repeats == Repeats::Each || !images[..i].contains(&index) {
                    visit(offset + index as usize);
                }
            }
        }
    }
}

/// Each tuple and index once, with a push that counts the repeats if they count.
///
/// A step size that measures must see each weight once: it rescales what it measured.
fn single_pushes<'a>(
    lookups: &'a Lookups,
    indices: &'a [u32],
    repeats: Repeats,
    push: Push,
) -> impl Iterator<Item = (usize, u32, Push)> + Clone + 'a {
    (0..lookups.num_tuples()).flat_map(move |tuple| {
        let images = &indices[lookups.images(tuple)];
        let first = |(i, index): &(usize, &u32)| !images[..*i].contains(index);
        images.iter().enumerate().filter(first).map(move |(_, &index)| {
            let count = match repeats {
                Repeats::Once => 1.0,
                Repeats::Each => images.iter().filter(|other| **other == index).count() as f32,
            };
            let (trace, input) = (count * push.trace, count * push.input);
            (tuple, index, Push { trace, input, ..push })
        })
    })
}

impl<S: StepSize, W: Store<S> + Sharing<S>> Net for NTuple<S, W> {
    fn banks(&self) -> usize {
        self.banks
    }

    fn bank_size(&self) -> usize {
        self.lookups.bank_size()
    }

    fn activate(&self, sight: &Sight, bank: usize, active: &mut Active) -> f32 {
        active.bank = bank;
        active.sight.copy_from(sight);
        self.lookups.fill(&sight.digits, &mut active.indices);
        self.evaluate(active)
    }

    fn advance(&self, sight: &Sight, active: &mut Active) -> f32 {
        if active.indices.len() != self.lookups.len() {
            return self.activate(sight, active.bank, active);
        }
        self.lookups.shift(&active.sight.digits, &sight.digits, &mut active.indices);
        active.sight.copy_from(sight);
        self.evaluate(active)
    }

    fn peek(&self, from: &Active, sight: &Sight, scratch: &mut Active) -> f32 {
        match self.lookups.only_change(&from.sight.digits, &sight.digits) {
            Some(digit) => {
                let offset = self.offset(from.bank);
                let weight = |index: u32| self.weights.value(offset + index as usize);
                let (old, new) = (from.sight.digits[digit], sight.digits[digit]);
                let mut sum = from.sum;
                self.lookups.visit_changes(digit, old, new, &from.indices, |before, after| {
                    sum += weight(after) - weight(before);
                });
                self.output.value(sum)
            }
            None => {
                scratch.copy_from(from);
                self.advance(sight, scratch)
            }
        }
    }

    fn refresh(&self, active: &mut Active) -> f32 {
        self.evaluate(active)
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        Ok(Trace::new(settings, self.weights.len()))
    }

    fn mark(&self, active: &Active, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => horizon.push(active),
            Trace::Sparse(sparse) => {
                sparse.fade(active.slope);
                self.each_active(active, |index| sparse.mark(index as u32, 1.0));
            }
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.slope = active.slope;
                self.add_gradient(active, 1.0, &mut dense.gradient);
                dense.mark();
            }
        }
    }

    fn learn(&mut self, trace: &Trace, error: f32) {
        match trace {
            Trace::Horizon(horizon) => self.learn_horizon(horizon, error),
            Trace::Sparse(sparse) => {
                let rate = self.shared_rate();
                self.weights.learn_sparse(sparse, error, rate);
            }
            Trace::Dense(dense) => {
                let rate = self.shared_rate();
                self.weights.learn_dense(dense, error, |_| rate);
            }
        }
    }

    fn share(
        &mut self,
        threads: usize,
        work: &(dyn Fn(usize, Arc<dyn Net>) + Sync),
    ) -> Result<(), Invalid> {
        let shared = self.weights.lend();
        let handle = NTuple {
            lookups: self.lookups.clone(),
            weights: shared.clone(),
            banks: self.banks,
            output: self.output,
            rate: self.rate,
            repeats: self.repeats,
            rule: PhantomData,
        };
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let net: Arc<dyn Net> = Arc::new(handle.clone());
                scope.spawn(move || work(thread, net));
            }
        });
        drop(handle);
        self.weights.take_back(shared);
        Ok(())
    }

    fn add_gradient(&self, active: &Active, factor: f32, out: &mut [f32]) {
        self.each_active(active, |index| out[index] += factor * active.slope);
    }

    fn end_batch(&mut self) {
        self.weights.settle();
    }

    fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    fn rate(&self) -> f32 {
        self.rate
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.lookups.bank_size())
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.weights.tensors_mut(self.lookups.bank_size())
    }
}

/// Lending weights to several threads, and taking them back.
trait Sharing<S: StepSize> {
    fn lend(&mut self) -> Shared<S>;
    fn take_back(&mut self, shared: Shared<S>);
}

impl<S: StepSize> Sharing<S> for Weights<S> {
    fn lend(&mut self) -> Shared<S> {
        self.share()
    }

    fn take_back(&mut self, shared: Shared<S>) {
        self.reclaim(shared);
    }
}

/// What is shared already is shared further.
impl<S: StepSize> Sharing<S> for Shared<S> {
    fn lend(&mut self) -> Shared<S> {
        self.clone()
    }

    fn take_back(&mut self, _: Shared<S>) {}
}

#[cfg(test)]
mod tests;
