//! Rows of weights: added up when a position is evaluated, changed when it is learned.
//!
//! Rows of the usual width of a layer have loops of their own, in which the sums, or what is to be
//! added, stay in registers. Their vectors begin where memory is aligned: one that crosses from one
//! cache line to the next costs twice. All loops give the same bits.

use crate::hardware::{WIDE, Work, run_widely};
use crate::vector::add_scaled;

/// Rows added in one pass, so that a sum is loaded and stored once for all of them.
const BLOCK: usize = 4;

/// Numbers of a wide vector.
const LANES: usize = WIDE / size_of::<f32>();

/// Adds to `sums` the listed rows of `rows`, each as long as `sums`, times their factors.
///
/// The result is that of adding one row after the other.
#[inline]
pub(super) fn add_rows(
    sums: &mut [f32],
    rows: &[f32],
    list: &[u32],
    factor: impl Fn(usize) -> f32,
) {
    run_widely(ByWidth(RowSum { sums, rows, list, factor }));
}

/// Adds to each of the listed rows `numbers`, times `step` and the row's factor.
#[inline]
pub(super) fn add_to_rows(
    rows: &mut [f32],
    list: &[u32],
    factors: &[f32],
    step: f32,
    numbers: &[f32],
) {
    run_widely(ByWidth(RowShift { rows, list, factors, step, numbers }));
}

/// Adds to a row `numbers`, times `factor`.
#[inline]
pub(super) fn add_to_row(row: &mut [f32], factor: f32, numbers: &[f32]) {
    run_widely(RowAddition { row, factor, numbers });
}

/// Work on rows, of a known width and place or of any.
trait OnRows: Sized {
    /// The width of a row, and all rows.
    fn rows(&self) -> (usize, &[f32]);

    /// Does it for rows of `W` numbers, `A + B + A`, of which those in the middle are aligned.
    fn add_cut<const W: usize, const A: usize, const B: usize>(self);

    /// Does it for any rows.
    fn add_any(self);
}

/// Work on rows, by their width and place.
struct ByWidth<R>(R);

impl<R: OnRows> Work for ByWidth<R> {
    #[inline(always)]
    fn run(self) {
        let (width, rows) = self.0.rows();
        match (width, numbers_before_aligned(rows)) {
            (40, 0) => self.0.add_cut::<40, 0, 40>(),
            (40, 4) => self.0.add_cut::<40, 4, 32>(),
            (80, 0) => self.0.add_cut::<80, 0, 80>(),
            (80, 4) => self.0.add_cut::<80, 4, 72>(),
            _ => self.0.add_any(),
        }
    }
}

struct RowSum<'a, F> {
    sums: &'a mut [f32],
    rows: &'a [f32],
    list: &'a [u32],
    factor: F,
}

impl<F: Fn(usize) -> f32> OnRows for RowSum<'_, F> {
    #[inline(always)]
    fn rows(&self) -> (usize, &[f32]) {
        (self.sums.len(), self.rows)
    }

    #[inline(always)]
    fn add_cut<const W: usize, const A: usize, const B: usize>(self) {
        let (rows, _) = self.rows.as_chunks::<W>();
        let mut sums = Cut::<A, B>::of(self.sums);
        for &i in self.list {
            sums.add((self.factor)(i as usize), &Cut::of(&rows[i as usize]));
        }
        sums.write(self.sums);
    }

    #[inline(always)]
    fn add_any(self) {
        let RowSum { sums, rows, list, factor } = self;
        let width = sums.len();
        let row = |i: u32| &rows[i as usize * width..][..width];
        let (blocks, rest) = list.as_chunks::<BLOCK>();
        for block in blocks {
            let [a, b, c, d] = block.map(row);
            let [fa, fb, fc, fd] = block.map(|i| factor(i as usize));
            for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *sum = (((*sum + fa * a) + fb * b) + fc * c) + fd * d;
            }
        }
        for &i in rest {
            add_scaled(sums, factor(i as usize), row(i));
        }
    }
}

struct RowShift<'a> {
    rows: &'a mut [f32],
    list: &'a [u32],
    factors: &'a [f32],
    step: f32,
    numbers: &'a [f32],
}

impl OnRows for RowShift<'_> {
    #[inline(always)]
    fn rows(&self) -> (usize, &[f32]) {
        (self.numbers.len(), self.rows)
    }

    #[inline(always)]
    fn add_cut<const W: usize, const A: usize, const B: usize>(self) {
        let (rows, _) = self.rows.as_chunks_mut::<W>();
        let numbers = Cut::<A, B>::of(self.numbers);
        // Backwards: the last rows were read last and are still near, and the next position reads
        // the first rows first.
        for &i in self.list.iter().rev() {
            let i = i as usize;
            numbers.add_to(&mut rows[i], self.step * self.factors[i]);
        }
    }

    #[inline(always)]
    fn add_any(self) {
        let RowShift { rows, list, factors, step, numbers } = self;
        for &i in list.iter().rev() {
            let row = &mut rows[i as usize * numbers.len()..][..numbers.len()];
            add_scaled(row, step * factors[i as usize], numbers);
        }
    }
}

struct RowAddition<'a> {
    row: &'a mut [f32],
    factor: f32,
    numbers: &'a [f32],
}

impl Work for RowAddition<'_> {
    #[inline(always)]
    fn run(self) {
        add_scaled(self.row, self.factor, self.numbers);
    }
}

/// How many numbers lie before the first at which an aligned vector can begin.
///
/// The same in each row, if a row is as long as several vectors.
#[inline(always)]
fn numbers_before_aligned(rows: &[f32]) -> usize {
    rows.as_ptr().align_offset(WIDE)
}

/// A row, cut into `A`, `B` and again `A` numbers, so that the vectors of the middle are aligned.
#[derive(Copy, Clone)]
struct Cut<const A: usize, const B: usize> {
    front: [f32; A],
    middle: [f32; B],
    back: [f32; A],
}

impl<const A: usize, const B: usize> Cut<A, B> {
    /// The numbers that `row` begins with.
    #[inline(always)]
    fn of(row: &[f32]) -> Cut<A, B> {
        let row = &row[..A + B + A];
        Cut { front: part(row, 0), middle: part(row, A), back: part(row, A + B) }
    }

    #[inline(always)]
    fn write(&self, row: &mut [f32]) {
        let row = &mut row[..A + B + A];
        row[..A].copy_from_slice(&self.front);
        row[A..A + B].copy_from_slice(&self.middle);
        row[A + B..].copy_from_slice(&self.back);
    }

    /// Adds these numbers, times `factor`, to those that `row` begins with.
    ///
    /// Vector by vector: a whole row of changed numbers would drive these out of the registers.
    #[inline(always)]
    fn add_to(&self, row: &mut [f32], factor: f32) {
        let row = &mut row[..A + B + A];
        add_scaled(&mut row[..A], factor, &self.front);
        let (vectors, _) = row[A..A + B].as_chunks_mut::<LANES>();
        for (vector, numbers) in vectors.iter_mut().zip(self.middle.as_chunks::<LANES>().0) {
            let mut changed = *vector;
            add_scaled(&mut changed, factor, numbers);
            *vector = changed;
        }
        add_scaled(&mut row[A + B..], factor, &self.back);
    }

    #[inline(always)]
    fn add(&mut self, factor: f32, other: &Cut<A, B>) {
        add_scaled(&mut self.front, factor, &other.front);
        add_scaled(&mut self.middle, factor, &other.middle);
        add_scaled(&mut self.back, factor, &other.back);
    }
}

/// The `N` numbers from `start` on.
#[inline(always)]
fn part<const N: usize>(row: &[f32], start: usize) -> [f32; N] {
    *row[start..].first_chunk().expect("a row has all its parts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::list_nonzero;

    /// Numbers that begin so many places after an aligned one.
    fn numbers_after(places: usize, count: usize) -> (Vec<f32>, usize) {
        let numbers: Vec<f32> = (0..count + 2 * WIDE).map(|i| (i as f32).sin()).collect();
        let start = numbers.as_ptr().align_offset(WIDE) + places;
        (numbers, start)
    }

    const FACTORS: [f32; 11] = [0.3, 0.0, -1.7, 0.2, 0.9, 0.0, 1.1, -0.4, 0.1, 2.0, 0.6];

    /// Calls `check` with rows of several widths, aligned and not, and what to add them to.
    fn each_width(mut check: impl FnMut(&mut [f32], &[u32], Vec<f32>)) {
        let mut list = Vec::new();
        list_nonzero(&FACTORS, &mut list);
        for (width, places) in [3, 40, 80, 81].into_iter().flat_map(|w| (0..8).map(move |p| (w, p)))
        {
            let size = width * FACTORS.len();
            let (mut numbers, start) = numbers_after(places, size);
            let rows = &mut numbers[start..start + size];
            assert_eq!(numbers_before_aligned(rows), (8 - places) % 8);
            check(rows, &list, (0..width).map(|i| (i as f32).cos()).collect());
        }
    }

    #[test]
    fn rows_are_added_one_after_the_other() {
        each_width(|rows, list, mut found| {
            let mut expected = found.clone();
            add_rows(&mut found, rows, list, |i| FACTORS[i]);
            for (row, factor) in rows.chunks(expected.len()).zip(FACTORS) {
                add_scaled(&mut expected, factor, row);
            }
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn numbers_are_added_to_each_row() {
        each_width(|rows, list, numbers| {
            let mut expected = rows.to_vec();
            add_to_rows(rows, list, &FACTORS, 0.7, &numbers);
            for (row, factor) in expected.chunks_mut(numbers.len()).zip(FACTORS) {
                add_scaled(row, 0.7 * factor, &numbers);
            }
            assert_eq!(rows, expected);
        });
    }
}
