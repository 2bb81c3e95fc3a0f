//! Sums of weights at given indices, checked once for all of them.

use crate::indices::Indices;
use crate::math::sum_by;
use std::sync::atomic::{AtomicU32, Ordering};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for std::sync::atomic::AtomicU32 {}
}

/// A weight as stored: a plain number, or the bits of one that threads share.
pub trait WeightCell: sealed::Sealed {
    /// Reads the weight.
    fn load(&self) -> f32;
}

impl WeightCell for f32 {
    #[inline(always)]
    fn load(&self) -> f32 {
        *self
    }
}

impl WeightCell for AtomicU32 {
    #[inline(always)]
    fn load(&self) -> f32 {
        f32::from_bits(AtomicU32::load(self, Ordering::Relaxed))
    }
}

/// Whether all indices are certainly below `len`; false negatives are possible.
///
/// No index is greater than the bitwise or of all, which SSE2 computes faster than a maximum.
#[inline(always)]
fn certainly_below(indices: &[u32], len: usize) -> bool {
    (indices.iter().fold(0, |bits, index| bits | index) as usize) < len
}

/// Sums the weights at these indices, in eight lanes.
///
/// # Panics
///
/// If an index is out of bounds.
#[inline(always)]
pub fn sum_at<C: WeightCell>(weights: &[C], indices: &[u32]) -> f32 {
    if certainly_below(indices, weights.len()) {
        // SAFETY: all indices are below the length.
        return sum_by(indices, |i| unsafe { weights.get_unchecked(i as usize) }.load());
    }
    sum_few_at(weights, indices)
}

/// The same sum with a check for each index: faster where few indices were just written one by one,
/// because a vector load would wait for the stores.
///
/// # Panics
///
/// If an index is out of bounds.
#[inline(always)]
pub fn sum_few_at<C: WeightCell>(weights: &[C], indices: &[u32]) -> f32 {
    sum_by(indices, |i| weights[i as usize].load())
}

/// Sums `ROWS` rows of `N` weights by column, and combines the sums with `add`.
///
/// # Panics
///
/// If an index is out of bounds, or there are fewer rows.
#[inline(always)]
pub fn sum_rows<C: WeightCell, const N: usize, const ROWS: usize>(
    weights: &[C],
    indices: Indices<'_>,
    add: impl Fn([f32; N]) -> f32,
) -> f32 {
    assert!(indices.are_below(weights.len()), "index out of bounds");
    let rows = indices.as_slice().as_chunks::<N>().0.first_chunk::<ROWS>().expect("too few rows");
    // SAFETY: all indices are below the length.
    add(sum_columns(rows, |_, i| unsafe { weights.get_unchecked(i as usize) }.load()))
}

/// Writes such a sum for each board; every column has its own table.
///
/// # Panics
///
/// If an index is out of bounds.
#[inline(always)]
pub fn sum_tables<C: WeightCell, const N: usize, const ROWS: usize>(
    tables: [&[C]; N],
    boards: &[[[u32; N]; ROWS]],
    add: impl Fn([f32; N]) -> f32,
    sums: &mut [f32],
) {
    let shortest = tables.iter().map(|table| table.len()).min().unwrap_or_default();
    let boards_and_sums = boards.iter().zip(sums);
    if certainly_below(boards.as_flattened().as_flattened(), shortest) {
        for (rows, sum) in boards_and_sums {
            *sum = add(sum_columns(rows, |column, i| {
                // SAFETY: all indices are below the length of the shortest table.
                unsafe { tables[column].get_unchecked(i as usize) }.load()
            }));
        }
        return;
    }
    for (rows, sum) in boards_and_sums {
        *sum = add(sum_columns(rows, |column, i| tables[column][i as usize].load()));
    }
}

#[inline(always)]
fn sum_columns<const N: usize, const ROWS: usize>(
    rows: &[[u32; N]; ROWS],
    read: impl Fn(usize, u32) -> f32,
) -> [f32; N] {
    let mut sums = [0.0; N];
    for row in rows {
        for column in 0..N {
            sums[column] += read(column, row[column]);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::into_atomic;

    const WEIGHTS: [f32; 7] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

    /// Tells the columns apart.
    fn weighted([a, b, c]: [f32; 3]) -> f32 {
        a + 10.0 * b + 100.0 * c
    }

    #[test]
    fn weights_are_summed_by_column() {
        let indices = [1, 2, 3, 0, 0, 1];
        let sum = sum_rows::<_, 3, 2>(&WEIGHTS, Indices::new(&indices), weighted);
        assert_eq!(sum, 421.0);
        // The bitwise or of 2 and 5 is out of bounds: each index is checked then.
        assert_eq!([sum_at(&WEIGHTS, &[1; 9]), sum_at(&WEIGHTS, &[2, 5])], [9.0, 7.0]);
        assert_eq!(sum_at(&into_atomic(WEIGHTS.to_vec()), &[1; 9]), 9.0);
    }

    #[test]
    fn every_column_may_have_its_own_table() {
        let tables = [&WEIGHTS[..], &WEIGHTS[1..], &WEIGHTS[2..]];
        let sums = |rows: [[u32; 3]; 2]| {
            let mut sums = [0.0; 2];
            sum_tables(tables, &[[[0; 3]; 2], rows], weighted, &mut sums);
            sums
        };
        assert_eq!(sums([[1, 2, 3], [0, 0, 1]]), [420.0, 841.0]);
        assert_eq!(sums([[2, 4, 4], [0, 0, 0]]), [420.0, 862.0]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn sum_at_refuses_an_index_out_of_bounds() {
        sum_at(&WEIGHTS, &[3, 7]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn sum_rows_refuses_an_index_out_of_bounds() {
        sum_rows::<_, 2, 1>(&WEIGHTS, Indices::new(&[3, 7]), |[a, b]| a + b);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn sum_tables_refuses_an_index_out_of_bounds() {
        sum_tables([&WEIGHTS[..], &WEIGHTS[1..]], &[[[3, 6]]], |[a, b]| a + b, &mut [0.0]);
    }
}
