//! One weight for all that are alike, and what each board is worth.

use super::book::Book;
use super::orbits::{Orbits, sum_alike, sum_each_alike};
use super::{Lookups, NTuple, Repeats};
use crate::bank::{Bank, BankMut};
use crate::hardware::{Work, run_widely};
use crate::stepsize::{LANES, Push, StepSize};
use crate::store::Store;
use crate::trace::{Horizon, Mark};
use crate::{Output, Trace, TraceKind};

/// For each bank and orbit, the weight that stands for all of it, what is remembered of that weight,
/// and the value of the boards that use it.
///
/// Boards are evaluated far more often than weights move, so that the value is worked out when they
/// do.
#[derive(Clone, Debug)]
pub(super) struct Merged<M> {
    weights: Vec<(f32, M)>,
    values: Vec<f32>,
}

impl<M> Merged<M> {
    #[inline(always)]
    fn place(orbits: &Orbits, bank: usize, board: u32) -> usize {
        bank * orbits.len() + orbits.places()[board as usize] as usize
    }

    /// The value of a board.
    #[inline(always)]
    pub(super) fn value(&self, orbits: &Orbits, bank: usize, board: u32) -> f32 {
        self.values[Self::place(orbits, bank, board)]
    }

    /// The weight of a board.
    #[inline(always)]
    pub(super) fn weight(&self, orbits: &Orbits, bank: usize, board: u32) -> f32 {
        self.weights[Self::place(orbits, bank, board)].0
    }

    /// The value of each orbit.
    #[inline]
    pub(super) fn values(&self, orbits: &Orbits, bank: usize) -> &[f32] {
        &self.values[bank * orbits.len()..][..orbits.len()]
    }
}

/// What is to be learned from the latest positions.
struct Lesson<'a, S: StepSize> {
    merged: &'a mut Merged<S::Memory>,
    orbits: &'a Orbits,
    rule: S,
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
        let (orbit, slope) = (self.orbits.places()[mark.board as usize] as usize, mark.slope);
        let place = mark.bank as usize * self.orbits.len() + orbit;
        let Lesson { rate, error, .. } = *self;
        let push = Push { rate, error, trace: factor * slope, input, slope };
        let (weight, memory) = &mut self.merged.weights[place];
        *weight += self.rule.step(memory, &push, 0.0);
        for _ in 1..self.orbits.times(orbit) {
            let step = self.rule.step(memory, &push, 0.0);
            if self.repeats == Repeats::Each {
                *weight += step;
            }
        }
        place
    }

    /// The same for the newest position alone.
    #[inline]
    fn learn_newest(mut self) {
        let Some(newest) = self.marks.last() else { return };
        let place = self.push(newest, 1.0, 1.0);
        let sum = sum_alike(self.looks, self.merged.weights[place].0);
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
                *sum = self.merged.weights[place].0;
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
    pub(super) fn merged(&self) -> Option<(&Merged<S::Memory>, &Orbits)> {
        self.merged.as_ref().zip(self.lookups.book().and_then(Book::orbits))
    }

    /// Merges the weights of each orbit if they are alike, and stay so when this trace moves them.
    /// Tells whether they are merged.
    #[inline]
    pub(super) fn merge_for(&mut self, trace: &Trace) -> bool {
        let alike = !S::MEASURES
            && !S::BATCHED
            && matches!(trace, Trace::Horizon(horizon) if horizon.kind == TraceKind::Accumulating);
        if self.merged.is_none() && self.alike == Some(false) {
            return false;
        }
        self.merged.is_some() && alike || self.merge_if(alike)
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
        let mut weights = Vec::with_capacity(self.banks * orbits.len());
        for from in (0..self.banks).map(|bank| bank * size) {
            let firsts = || orbits.all().map(|orbit| orbit[0]);
            let bank = self.weights.bank(from, size);
            let values: Vec<f32> = firsts().map(|first| bank.value(first)).collect();
            let bank = self.weights.bank_mut(from, size);
            weights.extend(values.into_iter().zip(firsts().map(|first| bank.memory(first))));
        }
        let value = |(weight, _): &(f32, _)| output.value(sum_alike(looks, *weight));
        let values = weights.iter().map(value).collect();
        self.merged = Some(Merged { weights, values });
    }

    /// Corrects the positions on the trace.
    #[inline]
    pub(super) fn learn_merged(&mut self, trace: &Horizon, error: f32) {
        let (rate, looks) = (self.shared_rate(), self.lookups.len());
        let (repeats, output) = (self.repeats, self.output);
        let (marks, decay) = (trace.marks.latest(), trace.decay);
        let orbits = self.lookups.book().and_then(Book::orbits);
        let (merged, orbits) = self.merged.as_mut().zip(orbits).expect("weights are merged");
        let rule = self.weights.rule().clone();
        let lesson =
            Lesson { merged, orbits, rule, repeats, output, looks, marks, decay, error, rate };
        if marks.len() == 1 { lesson.learn_newest() } else { run_widely(lesson) }
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
        for (orbit, &(weight, memory)) in orbits.all().zip(weights) {
            orbit.iter().for_each(|&index| bank.put(index, memory, weight));
        }
    }
}
