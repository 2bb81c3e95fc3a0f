//! N-tuple networks: sums of table look-ups (Bledsoe and Browning 1959; Lucas 2008).

mod board;
mod boards;
mod book;
mod change;
mod course;
mod evaluating;
mod learning;
mod lookups;
mod merged;
mod orbits;
mod packed;
mod repeats;
mod saved;
mod settings;
mod sharing;
mod tuples;

pub(crate) use boards::Boards;
use book::{Book, Reading};
pub use change::Change;
use learning::{Lesson, Marking};
pub use lookups::{GAP, Lookups};
use merged::Merged;
use packed::Packed;
pub use settings::{NTupleSettings, Repeats};
pub use tuples::{lines, random_king_walks, random_points, random_walks};

use crate::bank::Bank;
use crate::hardware;
use crate::net::correct_in_steps;
use crate::shared::Sharing;
use crate::stepsize::StepSize;
use crate::store::Store;
use crate::{
    Active, BoardValues, Course, Lent, Net, Output, Peeks, Sight, Sights, Tensor, TensorMut, Trace,
    TraceSettings, Weights,
};
use ludens_core::{Invalid, Rng};
use std::marker::PhantomData;

/// Banks of so many weights do not stay in the caches.
const FAR: usize = 1 << 22;

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
    /// Whether the weights of each orbit are alike; nothing if they may have changed.
    alike: Option<bool>,
    /// One weight of each orbit, once all of them moved alike; those of the store are then old.
    merged: Option<Merged<S::Memory>>,
    rule: PhantomData<S>,
}

impl<S: StepSize> NTuple<S> {
    /// A network over these look-ups.
    pub fn new(lookups: Lookups, settings: NTupleSettings, rule: S, rng: &mut Rng) -> NTuple<S> {
        let NTupleSettings { banks, output, init, rate, repeats } = settings;
        let weights = Weights::new(banks * lookups.bank_size(), init, rule, rng);
        let (alike, merged, rule) = (None, None, PhantomData);
        NTuple { lookups, weights, banks, output, rate, repeats, alike, merged, rule }
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

    /// The weights of a bank.
    #[inline]
    fn bank(&self, bank: usize) -> W::Bank<'_> {
        self.weights.bank(self.offset(bank), self.lookups.bank_size())
    }

    /// The tuples on packed boards, if their weights do not stay in the caches.
    #[inline]
    fn far(&self) -> Option<&Packed> {
        self.lookups.packed.as_ref().filter(|_| self.lookups.bank_size() >= FAR)
    }

    /// The weights that a position uses.
    #[inline]
    fn indices<'a>(&'a self, active: &'a Active) -> &'a [u32] {
        self.lookups.book().map_or(&active.indices, |book| book.indices(active.board))
    }
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
        active.indices.clear();
        self.advance(sight, active)
    }

    fn needs_base(&self) -> bool {
        self.lookups.packed.is_none() && self.lookups.book().is_none()
    }

    fn advance(&self, sight: &Sight, active: &mut Active) -> f32 {
        self.advance_indices(sight, active);
        if self.needs_base() { self.evaluate_base(active) } else { self.evaluate(active) }
    }

    fn peek(&self, from: &Active, sight: &Sight, scratch: &mut Active) -> f32 {
        if sight.images.is_empty() {
            return self.output.value(self.peek_sum(from, sight, scratch));
        }
        self.activate(sight, from.bank, scratch)
    }

    fn is_far(&self) -> bool {
        self.far().is_some()
    }

    fn announce(&self, bank: usize, sights: &mut Sights) {
        hardware::run_widely(course::Announcing { net: self, bank, sights });
    }

    fn peek_announced(&self, bank: usize, sights: &Sights, peeks: &mut Peeks) {
        let Peeks { sums, values, .. } = peeks;
        if sums.len().min(values.len()) < sights.count {
            sums.resize(sights.count, 0.0);
            values.resize(sights.count, 0.0);
        }
        let (sums, values) = (&mut sums[..sights.count], &mut values[..sights.count]);
        let places = &sights.places[..sights.count * self.lookups.len()];
        hardware::run_widely(course::Adding { net: self, bank, places, sums });
        values.copy_from_slice(sums);
        self.output.value_all(values);
    }

    fn recall_announced(
        &self,
        bank: usize,
        sights: &Sights,
        peeks: &Peeks,
        nth: usize,
        active: &mut Active,
    ) {
        active.bank = bank;
        self.lookups.packed().recall(&sights.places, nth, &mut active.indices);
        self.weights.announce(self.offset(bank), &active.indices);
        self.recollect(peeks, nth, active);
    }

    fn answers_alone(&self, trace: &Trace) -> bool {
        matches!(trace, Trace::Horizon(horizon) if self.corrects_alone(horizon))
    }

    fn look_on(&self, course: &mut Course) {
        hardware::run_with(self.lookups.packed().wide(), course::Looking { net: self, course });
    }

    fn go_on(&mut self, course: &mut Course, nth: usize, target: Option<f32>) -> f32 {
        let mut error = 0.0;
        let wide = self.lookups.packed().wide();
        hardware::run_with(
            wide,
            course::Going { net: self, course, nth, target, error: &mut error },
        );
        error
    }

    fn peek_all(&self, from: &Active, sights: &[Sight], peeks: &mut Peeks) {
        let Peeks { scratch, boards, sums, values } = peeks;
        sums.clear();
        let bank = self.bank(from.bank);
        if let Some(packed) = &self.lookups.packed {
            packed.sum_each(sights, bank, boards, sums);
        } else if let Some(book) = self.lookups.book() {
            let board = |sight| self.board_sum(from.bank, book.number(sight));
            sums.extend(sights.iter().map(board));
        } else {
            sums.extend(sights.iter().map(|sight| self.peek_sum(from, sight, scratch)));
        }
        values.clone_from(sums);
        self.output.value_all(values);
    }

    fn recall(
        &self,
        from: &mut Active,
        sight: &Sight,
        peeks: &Peeks,
        nth: usize,
        active: &mut Active,
    ) {
        if self.needs_base() {
            // Here, not in the copy: the next position to start from needs the same change.
            self.advance_indices(sight, from);
            from.is_base = false;
            active.copy_from(from);
            return self.recollect(peeks, nth, active);
        }
        active.bank = from.bank;
        if let Some(book) = self.lookups.book() {
            active.board = book.number(sight);
            return self.recollect_board(peeks, nth, active);
        } else {
            self.advance_indices(sight, active);
        }
        self.recollect(peeks, nth, active);
    }

    fn peek_boards(&self, bank: usize, boards: &[u32], peeks: &mut Peeks) {
        if let Some(merged) = self.merged() {
            let value = |&board| merged.value(bank, board);
            peeks.values.clear();
            return peeks.values.extend(boards.iter().map(value));
        }
        let book = self.lookups.book().expect("boards with numbers are known by heart");
        let (bank, orbits, output) = (self.bank(bank), self.orbits(), self.output);
        hardware::run_widely(Reading { book, orbits, bank, output, boards, peeks });
    }

    fn recall_board(
        &self,
        bank: usize,
        board: u32,
        peeks: &Peeks,
        nth: usize,
        active: &mut Active,
    ) {
        (active.bank, active.board) = (bank, board);
        self.recollect_board(peeks, nth, active);
    }

    fn board_place(&self, board: u32) -> u32 {
        let orbits = self.lookups.book().and_then(Book::orbits);
        orbits.map_or(board, |orbits| orbits.place(board))
    }

    fn board_values(&self, bank: usize) -> Option<BoardValues<'_>> {
        let (merged, output) = (self.merged()?, self.output);
        Some(BoardValues { values: merged.values(bank), output })
    }

    fn refresh(&self, active: &mut Active) -> f32 {
        self.evaluate(active)
    }

    fn addends(&self, active: &Active) -> Vec<f32> {
        if let Some(merged) = self.merged() {
            return vec![merged.weight(active.bank, active.board); self.lookups.len()];
        }
        let bank = self.bank(active.bank);
        self.indices(active).iter().map(|&index| bank.value(index)).collect()
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        Ok(Trace::new(settings, self.weights.len()))
    }

    fn mark(&self, active: &Active, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => {
                if self.lookups.knows_boards() {
                    return horizon.push_board(active);
                }
                let merges = self.merges_repeats(horizon);
                let entry = horizon.push_indices(active, &active.indices);
                if !(S::PLAIN && self.repeats == Repeats::Each) {
                    hardware::run_widely(Marking { lookups: &self.lookups, entry, merges });
                }
            }
            Trace::Sparse(sparse) => {
                sparse.fade(active.slope);
                let offset = self.offset(active.bank) as u32;
                let indices = self.indices(active);
                if self.repeats == Repeats::Each || !self.lookups.has_repeats(indices) {
                    sparse.mark_all(offset, indices);
                } else {
                    self.each_active(active, |index| sparse.mark(index as u32, 1.0));
                }
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
        let merged = self.merge_for(trace);
        match trace {
            Trace::Horizon(horizon) if merged => self.learn_merged(horizon, error),
            Trace::Horizon(horizon) => hardware::run_widely(Lesson { net: self, horizon, error }),
            Trace::Sparse(sparse) => {
                let rate = self.shared_rate();
                self.weights.learn_sparse_widely(sparse, error, rate);
            }
            Trace::Dense(dense) => {
                let rate = self.shared_rate();
                self.weights.learn_dense(dense, error, |_| rate);
            }
        }
    }

    fn correct(&mut self, active: &mut Active, trace: &mut Trace, target: f32) -> f32 {
        let merged = self.merge_for(trace);
        match trace {
            Trace::Horizon(horizon) if merged => self.correct_merged(active, horizon, target),
            Trace::Horizon(horizon) if self.corrects_alone(horizon) => {
                trace.clear();
                self.correct_alone(active, target)
            }
            _ => correct_in_steps(self, active, trace, target),
        }
    }

    fn echoes(&self, threads: usize) -> bool {
        sharing::echoes(self, threads)
    }

    fn share(
        &mut self,
        threads: usize,
        work: &(dyn Fn(usize, Lent<dyn Net>) + Sync),
    ) -> Result<(), Invalid> {
        sharing::share(self, threads, work)
    }

    fn divide(
        &mut self,
        work: &(dyn Fn(usize, Lent<dyn Net>) -> Lent<dyn Net> + Sync),
    ) -> Result<(), Invalid> {
        if S::BOUNDS {
            return Err(Invalid(
                "this step size remembers something of all weights together".into(),
            ));
        }
        sharing::divide(self, work);
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

    fn load_counted(&mut self, name: &str, numbers: &[f32]) -> Result<(), usize> {
        self.spread();
        self.alike = None;
        saved::load_counted(&self.lookups, &mut self.weights, name, numbers)
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        let size = self.lookups.bank_size();
        let Some(store) = self.spread_copy() else { return self.weights.tensors(size) };
        store.tensors(size).into_iter().map(Tensor::into_owned).collect()
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.spread();
        self.alike = None;
        self.weights.tensors_mut(self.lookups.bank_size())
    }
}

#[cfg(test)]
mod tests;
