//! One weight for all that are alike, and what each board is worth.

use super::book::Book;
use super::orbits::{sum_alike, sum_each_alike};
use super::{Lookups, NTuple, Repeats};
use crate::bank::{Bank, BankMut};
use crate::hardware::{Work, run_widely};
use crate::stepsize::{LANES, Push, StepSize};
use crate::store::Store;
use crate::trace::{Horizon, Mark};
use crate::{Active, Output, Trace, TraceKind};
use std::sync::Arc;

/// For each bank and orbit, the weight that stands for all of it, and the value of the boards that
/// use it.
///
/// Boards are evaluated far more often than weights move, so that the value is worked out when they
/// do.
#[derive(Clone, Debug)]
pub(super) struct Merged<M> {
    /// The orbit of each board.
    places: Arc<[u32]>,
    /// How many orbits there are.
    count: usize,
    weights: Vec<Joint<M>>,
    values: Vec<f32>,
}

/// What the weights of an orbit have in common.
#[derive(Copy, Clone, Debug)]
struct Joint<M> {
    weight: f32,
    /// How often a board uses each of them.
    times: u32,
    memory: M,
}

impl<M> Merged<M> {
    #[inline(always)]
    fn place(&self, bank: usize, board: u32) -> usize {
        bank * self.count + self.places[board as usize] as usize
    }

    /// The value of a board.
    #[inline(always)]
    pub(super) fn value(&self, bank: usize, board: u32) -> f32 {
        self.values[self.place(bank, board)]
    }

    /// The weight of a board.
    #[inline(always)]
    pub(super) fn weight(&self, bank: usize, board: u32) -> f32 {
        self.weights[self.place(bank, board)].weight
    }

    /// The value of each orbit.
    #[inline]
    pub(super) fn values(&self, bank: usize) -> &[f32] {
        &self.values[bank * self.count..][..self.count]
    }
}

/// What is to be learned from the latest positions.
struct Lesson<'a, S: StepSize> {
    merged: &'a mut Merged<S::Memory>,
    rule: &'a S,
    repeats: Repeats,
    output: Output,
    looks: usize,
    /// The newest last.
    marks: &'a [Mark],
    decay: f32,
    error: f32,
    rate: f32,
}

impl<S: StepSize> Lesson<'_, S> {
    /// Pushes the weight of one position. Returns its place.
    #[inline(always)]
    fn push(&mut self, mark: &Mark, factor: f32, input: f32) -> usize {
        let place = self.merged.place(mark.bank as usize, mark.board);
        let Lesson { rate, error, .. } = *self;
        let push = Push { rate, error, trace: factor * mark.slope, input, slope: mark.slope };
        let Joint { weight, times, memory } = &mut self.merged.weights[place];
        *weight += self.rule.step(memory, &push, 0.0);
        match self.repeats {
            Repeats::Once => (1..*times).for_each(|_| _ = self.rule.step(memory, &push, 0.0)),
            Repeats::Each => {
                (1..*times).for_each(|_| *weight += self.rule.step(memory, &push, 0.0));
            }
        }
        place
    }

    /// The same for the newest position alone.
    #[inline(always)]
    fn learn_newest(mut self) {
        let Some(newest) = self.marks.last() else { return };
        let place = self.push(newest, 1.0, 1.0);
        let sum = sum_alike(self.looks, self.merged.weights[place].weight);
        self.merged.values[place] = self.output.value(sum);
    }
}

impl<S: StepSize> Work for Lesson<'_, S> {
    #[inline(always)]
    fn run(mut self) {
        let (mut factor, mut input) = (1.0, 1.0);
        for marks in self.marks.rchunks(LANES) {
            let (mut places, mut sums) = ([0; LANES], [0.0; LANES]);
            for (place, mark) in places.iter_mut().zip(marks.iter().rev()) {
                *place = self.push(mark, factor, input);
                (factor, input) = (factor * self.decay, 0.0);
            }
            let places = &places[..marks.len()];
            for (sum, &place) in sums.iter_mut().zip(places) {
                *sum = self.merged.weights[place].weight;
            }
            sum_each_alike(self.looks, &mut sums);
            for (&place, value) in places.iter().zip(self.output.value_lanes(sums)) {
                self.merged.values[place] = value;
            }
        }
    }
}

impl<S: StepSize, W: Store<S>> NTuple<S, W> {
    /// One weight of each orbit, if they are merged.
    #[inline]
    pub(super) fn merged(&self) -> Option<&Merged<S::Memory>> {
        self.merged.as_ref()
    }

    /// Merges the weights of each orbit if they are alike, and stay so when this trace moves them.
    /// Tells whether they are merged.
    #[inline]
    pub(super) fn merge_for(&mut self, trace: &Trace) -> bool {
        let alike = !S::MEASURES
            && !S::BATCHED
            && matches!(trace, Trace::Horizon(horizon) if horizon.kind == TraceKind::Accumulating);
        match self.merged {
            Some(_) if alike => true,
            None if self.alike == Some(false) => false,
            _ => self.merge_if(alike),
        }
    }

    #[inline(never)]
    fn merge_if(&mut self, wanted: bool) -> bool {
        if self.alike.is_none() {
            self.alike = Some(self.is_alike());
        }
        if wanted && self.orbits().is_some() {
            self.merge();
        } else {
            self.spread();
        }
        self.merged.is_some()
    }

    fn merge(&mut self) {
        let (looks, size, output) = (self.lookups.len(), self.lookups.bank_size(), self.output);
        let Some(orbits) = self.lookups.book().and_then(Book::orbits) else { return };
        let (places, count) = (orbits.places(), orbits.len());
        let mut weights = Vec::with_capacity(self.banks * count);
        for from in (0..self.banks).map(|bank| bank * size) {
            let bank = self.weights.bank(from, size);
            let values: Vec<f32> = orbits.all().map(|(orbit, _)| bank.value(orbit[0])).collect();
            let bank = self.weights.bank_mut(from, size);
            weights.extend(orbits.all().zip(values).map(|((orbit, times), weight)| Joint {
                weight,
                times,
                memory: bank.memory(orbit[0]),
            }));
        }
        let value = |joint: &Joint<_>| output.value(sum_alike(looks, joint.weight));
        let values = weights.iter().map(value).collect();
        self.merged = Some(Merged { places, count, weights, values });
    }

    /// Corrects the positions on the trace; the weights must be merged.
    #[inline(always)]
    pub(super) fn learn_merged(&mut self, trace: &Horizon, error: f32) {
        let (rate, looks) = (self.shared_rate(), self.lookups.len());
        let (repeats, output) = (self.repeats, self.output);
        let (marks, decay) = (trace.marks.latest(), trace.decay);
        let Some(merged) = &mut self.merged else { return };
        let rule = self.weights.rule();
        let lesson = Lesson { merged, rule, repeats, output, looks, marks, decay, error, rate };
        if marks.len() == 1 { lesson.learn_newest() } else { run_widely(lesson) }
    }

    /// Evaluates a position, marks it on the trace, and corrects all on it toward `target`; the
    /// weights must be merged. Returns by how much it was off.
    #[inline]
    pub(super) fn correct_merged(
        &mut self,
        active: &mut Active,
        trace: &mut Horizon,
        target: f32,
    ) -> f32 {
        let Some(merged) = &self.merged else { return 0.0 };
        let error = target - self.keep_value(merged.value(active.bank, active.board), active);
        trace.push_board(active);
        self.learn_merged(trace, error);
        error
    }

    /// Gives each weight of the store its own number again.
    pub(super) fn spread(&mut self) {
        if let Some(merged) = self.merged.take() {
            spread(&merged, &self.lookups, &mut self.weights);
        }
    }

    /// A copy of the store in which each weight has its own number, if they are merged.
    pub(super) fn spread_copy(&self) -> Option<W> {
        let merged = self.merged.as_ref()?;
        let mut store = self.weights.clone();
        spread(merged, &self.lookups, &mut store);
        Some(store)
    }
}

/// Gives each weight of the store the number of its orbit.
fn spread<S: StepSize>(merged: &Merged<S::Memory>, lookups: &Lookups, store: &mut impl Store<S>) {
    let orbits = lookups.book().and_then(Book::orbits).expect("merged weights have orbits");
    let size = lookups.bank_size();
    for (bank, weights) in merged.weights.chunks_exact(orbits.len()).enumerate() {
        let mut bank = store.bank_mut(bank * size, size);
        for ((orbit, _), &Joint { weight, memory, .. }) in orbits.all().zip(weights) {
            orbit.iter().for_each(|&index| bank.put(index, memory, weight));
        }
    }
}
