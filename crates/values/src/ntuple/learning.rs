//! Correcting the weights of an n-tuple network.

use super::{Lookups, NTuple, Repeats};
use crate::bank::{Apart, BankMut};
use crate::hardware::{Places, Work, run_widely};
use crate::stepsize::{Push, StepSize};
use crate::store::Store;
use crate::trace::{Horizon, Mark};
use crate::{Active, TraceKind};

impl<S: StepSize, W: Store<S>> NTuple<S, W> {
    pub(super) fn shared_rate(&self) -> f32 {
        self.rate / self.lookups.len() as f32
    }

    /// Calls `visit` with each weight of all banks that `active` uses, as often as it counts.
    pub(super) fn each_active(&self, active: &Active, mut visit: impl FnMut(usize)) {
        let (offset, tuples) = (self.offset(active.bank), self.lookups.num_tuples());
        let indices = self.indices(active);
        for (look, &index) in indices.iter().enumerate() {
            let earlier = indices[..look].iter().rev().skip(tuples - 1).step_by(tuples);
            if self.repeats == Repeats::Each || !earlier.copied().any(|other| other == index) {
                visit(offset + index as usize);
            }
        }
    }

    /// How many positions a trace holds.
    #[inline]
    fn steps_of(&self, trace: &Horizon) -> usize {
        match self.lookups.book() {
            Some(_) => trace.marks.latest().len(),
            None => trace.entries.len(),
        }
    }

    #[inline(always)]
    fn learn_horizon(&mut self, trace: &Horizon, error: f32) {
        let mut factor = 1.0;
        for age in 0..self.steps_of(trace) {
            let uses = Uses::of(trace, age, &self.lookups, self.repeats);
            let push = Push {
                rate: self.shared_rate(),
                error,
                trace: factor * uses.slope,
                input: if age == 0 { 1.0 } else { 0.0 },
                slope: uses.slope,
            };
            factor *= trace.decay;
            if S::MEASURES || trace.kind == TraceKind::Replacing && age > 0 {
                self.push_singly(trace, age, push);
                continue;
            }
            let (offset, size) = (self.offset(uses.bank), self.lookups.bank_size());
            let rule = self.weights.rule().clone();
            let bank = self.weights.bank_mut(offset, size);
            push_together(bank, &rule, &uses, self.lookups.num_tuples(), &push);
        }
    }

    /// Whether repeated indices are merged before such a trace keeps them.
    #[inline]
    pub(super) fn merges_repeats(&self, trace: &Horizon) -> bool {
        S::COUNTS
            && trace.kind == TraceKind::Accumulating
            && self.repeats == Repeats::Once
            && self.lookups.merges_repeats()
    }

    /// Whether the position that is corrected need not be kept on such a trace.
    #[inline]
    pub(super) fn corrects_alone(&self, trace: &Horizon) -> bool {
        let whole = trace.is_single() && !S::MEASURES;
        whole && !self.lookups.knows_boards() && !self.merges_repeats(trace)
    }

    /// Evaluates a position again and corrects it alone. Returns by how much it was off.
    #[inline]
    pub(super) fn correct_alone(&mut self, active: &mut Active, target: f32) -> f32 {
        let mut error = 0.0;
        run_widely(Correction { net: self, active, target, error: &mut error });
        error
    }

    /// Pushes the weights of one entry of the trace one by one, unless a newer entry replaces them.
    fn push_singly(&mut self, trace: &Horizon, age: usize, push: Push) {
        let (lookups, repeats) = (&self.lookups, self.repeats);
        let uses = move |age| Uses::of(trace, age, lookups, repeats);
        let Uses { bank, places, shares, .. } = uses(age);
        let (indices, offset, tuples) = (places.indices(), self.offset(bank), self.lookups.num_tuples());
        let replaced = |tuple: usize, index: u32| {
            let meets = |newer: Uses<'_>| {
                let mut same = newer.places.indices().iter().skip(tuple).step_by(tuples);
                newer.bank == bank && same.any(|i| *i == index)
            };
            trace.kind == TraceKind::Replacing && (0..age).map(uses).any(meets)
        };
        if S::MEASURES {
            let single = single_pushes(tuples, indices, repeats, push);
            let kept = single.filter(|(tuple, index, _)| !replaced(*tuple, *index));
            let pushes = kept.map(|(_, index, push)| (offset + index as usize, push));
            self.weights.push_all(pushes);
            return;
        }
        for (look, &index) in indices.iter().enumerate() {
            if replaced(look % tuples, index) {
                continue;
            }
            let at = offset + index as usize;
            if shares.get(look) == Some(&0.0) {
                self.weights.note(at, &push, 0.0);
            } else {
                self.weights.push(at, &push, 0.0);
            }
        }
    }
}

/// Pushes all weights that a position uses, those of each image apart if some are there twice.
#[inline(always)]
fn push_together<S: StepSize>(
    mut bank: impl BankMut<S>,
    rule: &S,
    uses: &Uses<'_>,
    tuples: usize,
    push: &Push,
) {
    let Uses { places, shares, counts, repeats, .. } = *uses;
    if S::PLAIN || !repeats {
        return bank.push_alike(rule, places, &Apart { shares, counts, ..Apart::default() }, push);
    }
    let mut shares = shares.chunks_exact(tuples);
    for image in places.chunks(tuples) {
        let shares = shares.next().unwrap_or_default();
        bank.push_alike(rule, image, &Apart { shares, ..Apart::default() }, push);
    }
}

/// What a position of a trace uses.
struct Uses<'a> {
    bank: usize,
    slope: f32,
    places: Places<'a>,
    /// How far each of them moves its weight; nothing if all move alike.
    shares: &'a [f32],
    /// How often each of them is used; nothing if that is once.
    counts: &'a [f32],
    /// Whether some index is there twice.
    repeats: bool,
}

impl Uses<'_> {
    /// As a position tells itself.
    #[inline(always)]
    fn by(active: &Active) -> Uses<'_> {
        let Active { bank, slope, indices, shares, counts, repeats, .. } = active;
        let (bank, slope, repeats, places) = (*bank, *slope, *repeats, Places::new(indices));
        Uses { bank, slope, places, shares, counts, repeats }
    }

    /// As marked so many steps before the newest, or by heart.
    #[inline(always)]
    fn of<'a>(trace: &'a Horizon, age: usize, lookups: &'a Lookups, repeats: Repeats) -> Uses<'a> {
        let Some(book) = lookups.book() else {
            return Uses::by(&trace.entries[age]);
        };
        let Mark { bank, board, slope } = trace.marks.back(age);
        let (places, shares) = (Places::new(book.indices(board)), book.shares(board));
        let moving = if repeats == Repeats::Each { &[][..] } else { shares };
        let (bank, repeats) = (bank as usize, !shares.is_empty());
        Uses { bank, slope, places, shares: moving, counts: &[], repeats }
    }
}

/// What is to be learned from the latest positions.
pub(super) struct Lesson<'a, S: StepSize, W: Store<S>> {
    pub(super) net: &'a mut NTuple<S, W>,
    pub(super) horizon: &'a Horizon,
    pub(super) error: f32,
}

impl<S: StepSize, W: Store<S>> Work for Lesson<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        self.net.learn_horizon(self.horizon, self.error);
    }
}

/// A position that alone answers for its error.
pub(super) struct Correction<'a, S: StepSize, W: Store<S>> {
    pub(super) net: &'a mut NTuple<S, W>,
    pub(super) active: &'a mut Active,
    pub(super) target: f32,
    pub(super) error: &'a mut f32,
}

impl<S: StepSize, W: Store<S>> Work for Correction<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        let Correction { net, active, target, error } = self;
        let Active { bank, indices, shares, repeats, sum, value, slope, is_base, .. } = active;
        let places = Places::new(indices);
        *sum = net.sum_in(*bank, places);
        (*value, *slope) = net.output.value_and_slope(*sum);
        (*error, *is_base) = (target - *value, false);
        if !(S::PLAIN && net.repeats == Repeats::Each) {
            *repeats = net.lookups.mark_repeats(indices, shares);
            if net.repeats == Repeats::Each {
                shares.clear();
            }
        }
        let (rate, tuples, rule) =
            (net.shared_rate(), net.lookups.num_tuples(), net.weights.rule().clone());
        let (bank, slope, repeats) = (*bank, *slope, *repeats);
        let uses = Uses { bank, slope, places, shares, counts: &[], repeats };
        let push = Push { rate, error: *error, trace: slope, input: 1.0, slope };
        let (offset, size) = (net.offset(bank), net.lookups.bank_size());
        push_together(net.weights.bank_mut(offset, size), &rule, &uses, tuples, &push);
    }
}

/// A position whose repeated indices are to be found.
pub(super) struct Marking<'a> {
    pub(super) lookups: &'a Lookups,
    pub(super) entry: &'a mut Active,
    pub(super) repeats: Repeats,
    /// Whether they are merged.
    pub(super) merges: bool,
}

impl Work for Marking<'_> {
    #[inline(always)]
    fn run(self) {
        let Active { indices, shares, counts, repeats, met, .. } = self.entry;
        if self.merges {
            *repeats = false;
            shares.clear();
            return self.lookups.merge_repeats(indices, counts, met);
        }
        *repeats = self.lookups.mark_repeats(indices, shares);
        if self.repeats == Repeats::Each {
            shares.clear();
        }
    }
}

/// Each tuple and index once, with a push that counts the repeats if they count.
///
/// A step size that measures must see each weight once: it rescales what it measured.
fn single_pushes(
    tuples: usize,
    indices: &[u32],
    repeats: Repeats,
    push: Push,
) -> impl Iterator<Item = (usize, u32, Push)> + Clone {
    let images = move |tuple: usize| indices.iter().skip(tuple).step_by(tuples);
    (0..tuples).flat_map(move |tuple| {
        let first =
            move |(i, index): &(usize, &u32)| !images(tuple).take(*i).any(|other| other == *index);
        images(tuple).enumerate().filter(first).map(move |(_, &index)| {
            let count = match repeats {
                Repeats::Once => 1.0,
                Repeats::Each => images(tuple).filter(|other| **other == index).count() as f32,
            };
            let (trace, input) = (count * push.trace, count * push.input);
            (tuple, index, Push { trace, input, ..push })
        })
    })
}
