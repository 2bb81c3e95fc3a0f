//! Correcting the weights of an n-tuple network.

use super::{Lookups, NTuple, Repeats};
use crate::bank::{Apart, BankMut, fits_one_block};
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
            let uses = Uses::of(trace, age, &self.lookups);
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
            push_together(bank, &rule, &uses, &push, self.lookups.num_tuples(), self.repeats);
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
        let uses = move |age| Uses::of(trace, age, lookups);
        let Uses { bank, places, firsts, .. } = uses(age);
        let (indices, offset, tuples) =
            (places.indices(), self.offset(bank), self.lookups.num_tuples());
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
            if repeats == Repeats::Once && firsts.get(look) == Some(&0.0) {
                self.weights.note(at, &push, 0.0);
            } else {
                self.weights.push(at, &push, 0.0);
            }
        }
    }
}

/// Pushes all weights that a position uses.
///
/// Where some are there twice, the first of each are pushed side by side, then the others one by one:
/// each remembers all its pushes, and moves with all or with the first alone.
#[inline(always)]
fn push_together<S: StepSize>(
    mut bank: impl BankMut<S>,
    rule: &S,
    uses: &Uses<'_>,
    push: &Push,
    tuples: usize,
    repeats: Repeats,
) {
    let Uses { places, firsts, counts, .. } = *uses;
    let all_move = repeats == Repeats::Each;
    if firsts.is_empty() || S::PLAIN {
        let shares = if all_move { &[][..] } else { firsts };
        return bank.push_alike(rule, places, &Apart { shares, counts, ..Apart::default() }, push);
    }
    if !fits_one_block(firsts.len()) {
        let mut firsts = firsts.chunks_exact(tuples);
        for image in places.chunks(tuples) {
            let firsts = firsts.next().unwrap_or_default();
            let shares = if all_move { &[][..] } else { firsts };
            bank.push_alike(rule, image, &Apart { shares, ..Apart::default() }, push);
        }
        return;
    }
    // Others reckon like their firsts and remember the same, but do not move yet.
    bank.push_alike(rule, places, &Apart { shares: firsts, ..Apart::default() }, push);
    let share = if all_move { 1.0 } else { 0.0 };
    for (&index, &first) in places.indices().iter().zip(firsts) {
        if first == 0.0 {
            bank.push(rule, index, push, share);
        }
    }
}

/// What a position of a trace uses.
struct Uses<'a> {
    bank: usize,
    slope: f32,
    places: Places<'a>,
    /// One for each of them, but zero where it is there already; nothing if none is there twice.
    firsts: &'a [f32],
    /// How often each of them is used; nothing if that is once.
    counts: &'a [f32],
}

impl Uses<'_> {
    /// As a position tells itself.
    #[inline(always)]
    fn by(active: &Active) -> Uses<'_> {
        let Active { bank, slope, indices, firsts, counts, .. } = active;
        Uses { bank: *bank, slope: *slope, places: Places::new(indices), firsts, counts }
    }

    /// As marked so many steps before the newest, or by heart.
    #[inline(always)]
    fn of<'a>(trace: &'a Horizon, age: usize, lookups: &'a Lookups) -> Uses<'a> {
        let Some(book) = lookups.book() else {
            return Uses::by(&trace.entries[age]);
        };
        let Mark { bank, board, slope } = trace.marks.back(age);
        let (places, firsts) = (Places::new(book.indices(board)), book.firsts(board));
        Uses { bank: bank as usize, slope, places, firsts, counts: &[] }
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
        let Active { bank, indices, firsts, sum, value, slope, is_base, .. } = active;
        let places = Places::new(indices);
        *sum = net.sum_in(*bank, places);
        (*value, *slope) = net.output.value_and_slope(*sum);
        (*error, *is_base) = (target - *value, false);
        if !(S::PLAIN && net.repeats == Repeats::Each) {
            net.lookups.mark_firsts(indices, firsts);
        }
        let (bank, slope, rate) = (*bank, *slope, net.shared_rate());
        let uses = Uses { bank, slope, places, firsts, counts: &[] };
        let push = Push { rate, error: *error, trace: slope, input: 1.0, slope };
        let (offset, size) = (net.offset(bank), net.lookups.bank_size());
        let (tuples, rule) = (net.lookups.num_tuples(), net.weights.rule().clone());
        let bank = net.weights.bank_mut(offset, size);
        push_together(bank, &rule, &uses, &push, tuples, net.repeats);
    }
}

/// A position whose repeated indices are to be found.
pub(super) struct Marking<'a> {
    pub(super) lookups: &'a Lookups,
    pub(super) entry: &'a mut Active,
    /// Whether they are merged.
    pub(super) merges: bool,
}

impl Work for Marking<'_> {
    #[inline(always)]
    fn run(self) {
        let Active { indices, firsts, counts, met, .. } = self.entry;
        if self.merges {
            firsts.clear();
            return self.lookups.merge_repeats(indices, counts, met);
        }
        self.lookups.mark_firsts(indices, firsts);
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
