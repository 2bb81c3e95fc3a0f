//! Evaluating positions with an n-tuple network.

use super::orbits::sum_alike;
use super::{NTuple, lookups};
use crate::active::NEAR;
use crate::bank::{Bank, keep_near};
use crate::hardware::{Places, sum_at};
use crate::stepsize::StepSize;
use crate::store::Store;
use crate::{Active, Peeks, Sight, vector};

impl<S: StepSize, W: Store<S>> NTuple<S, W> {
    /// Writes sum, value and slope from the indices.
    #[inline]
    pub(super) fn evaluate(&self, active: &mut Active) -> f32 {
        if self.lookups.book().is_some() {
            let value = self.board_value(active.bank, active.board);
            return self.keep_value(value, active);
        }
        self.evaluate_by_indices(active)
    }

    /// The same for nets that do not know all boards by heart.
    #[inline(always)]
    pub(super) fn evaluate_by_indices(&self, active: &mut Active) -> f32 {
        active.is_base = false;
        let (bank, indices) = (active.bank, &active.indices);
        let sum = match self.far() {
            Some(packed) => packed.sum_known(Places::new(indices), self.bank(bank)),
            None => sum_at(self.bank(bank), indices),
        };
        self.conclude(sum, active)
    }

    /// The sum of the weights of a bank in these places.
    #[inline(always)]
    pub(super) fn sum_in(&self, bank: usize, places: Places<'_>) -> f32 {
        match self.far() {
            Some(packed) => packed.sum_known(places, self.bank(bank)),
            None => sum_at(self.bank(bank), places.indices()),
        }
    }

    /// The value of the board with this number.
    #[inline]
    fn board_value(&self, bank: usize, board: u32) -> f32 {
        match self.merged() {
            Some(merged) => merged.value(bank, board),
            None => self.output.value(self.board_sum(bank, board)),
        }
    }

    /// The sum of the weights of the board with this number.
    #[inline]
    pub(super) fn board_sum(&self, bank: usize, board: u32) -> f32 {
        let book = self.lookups.book().expect("boards with numbers are known by heart");
        if let Some(merged) = self.merged() {
            return sum_alike(self.lookups.len(), merged.weight(bank, board));
        }
        match self.orbits() {
            Some(orbits) => book.sum_alike(board, orbits, self.bank(bank)),
            None => book.sum(board, self.bank(bank)),
        }
    }

    #[inline]
    pub(super) fn keep_value(&self, value: f32, active: &mut Active) -> f32 {
        (active.value, active.slope) = (value, self.output.slope(value));
        value
    }

    /// Writes what came of a board that was the `nth` of the latest look at several.
    #[inline]
    pub(super) fn recollect_board(&self, peeks: &Peeks, nth: usize, active: &mut Active) {
        let value = match self.merged() {
            Some(merged) => merged.value(active.bank, active.board),
            None => peeks.values[nth],
        };
        self.keep_value(value, active);
    }

    /// The same, and keeps the weights for neighbours.
    #[inline]
    pub(super) fn evaluate_base(&self, active: &mut Active) -> f32 {
        let Active { bank, indices, weights, near, .. } = active;
        let bank = self.bank(*bank);
        let sum = if indices.len() <= NEAR {
            near.resize(NEAR, (0, 0.0));
            keep_near(bank, indices, near)
        } else {
            weights.clear();
            weights.extend(indices.iter().map(|&index| bank.value(index)));
            vector::sum(weights)
        };
        active.is_base = true;
        self.conclude(sum, active)
    }

    #[inline]
    pub(super) fn conclude(&self, sum: f32, active: &mut Active) -> f32 {
        active.sum = sum;
        (active.value, active.slope) = self.output.value_and_slope(sum);
        active.value
    }

    /// Writes what came of the `nth` position of the latest look at several.
    #[inline]
    pub(super) fn recollect(&self, peeks: &Peeks, nth: usize, active: &mut Active) {
        (active.sum, active.value) = (peeks.sums[nth], peeks.values[nth]);
        active.slope = self.output.slope(active.value);
    }

    /// The sum of a position close to `from`.
    #[inline]
    pub(super) fn peek_sum(&self, from: &Active, sight: &Sight, scratch: &mut Active) -> f32 {
        if let Some(book) = self.lookups.book() {
            return self.board_sum(from.bank, book.number(sight));
        }
        let changed = lookups::only_change(&from.sight.digits, &sight.digits);
        if let Some(digit) = changed.filter(|_| from.is_base) {
            let (old, new) = (from.sight.digits[digit], sight.digits[digit]);
            let (bank, change) = (self.bank(from.bank), self.lookups.change(digit, old, new));
            return from.sum + change.difference(bank, from);
        }
        scratch.copy_from(from);
        self.advance_indices(sight, scratch);
        sum_at(self.bank(from.bank), &scratch.indices)
    }

    /// Makes the indices those of a position close to that of `active`.
    #[inline]
    pub(super) fn advance_indices(&self, sight: &Sight, active: &mut Active) {
        if let Some(book) = self.lookups.book() {
            active.board = book.number(sight);
            return;
        }
        if self.lookups.packed.is_some() {
            return self.lookups.fill(sight, &mut active.indices);
        }
        if active.indices.len() == self.lookups.len() {
            self.lookups.shift(&active.sight.digits, &sight.digits, &mut active.indices);
        } else {
            self.lookups.fill(sight, &mut active.indices);
        }
        active.sight.copy_from(sight);
    }
}
