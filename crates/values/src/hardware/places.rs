//! Weights at indices that are all known to be there, so that none is looked at for itself.

use crate::bank::{Bank, sum_by};
use bytemuck::Pod;

/// Rows of indices, as many in each.
///
/// Invariant: all are less than `below`.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    indices: Vec<u32>,
    width: usize,
    below: usize,
}

impl Rows {
    /// Rows of so many of these indices.
    pub(crate) fn new(indices: Vec<u32>, width: usize) -> Rows {
        let below = Places::new(&indices).below;
        Rows { indices, width, below }
    }

    /// The row with this number.
    #[inline]
    pub(crate) fn row(&self, number: u32) -> &[u32] {
        &self.indices[number as usize * self.width..][..self.width]
    }

    /// The sum of the weights that a row names.
    ///
    /// # Panics
    ///
    /// If there is not a weight for each index of all rows.
    #[inline(always)]
    pub(crate) fn sum<B: Bank>(&self, number: u32, bank: B) -> f32 {
        let kept = bank.kept();
        assert!(self.below <= kept.len(), "a weight for each index");
        // SAFETY: all indices are below the length.
        sum_by(self.row(number), |i| B::read(unsafe { kept.get_unchecked(i as usize) }))
    }

    /// Writes the sum of each of these rows; rows of a usual width in loops of their own.
    ///
    /// # Panics
    ///
    /// If there is not a weight for each index of all rows.
    #[inline(always)]
    pub(crate) fn sum_each<B: Bank>(&self, numbers: &[u32], bank: B, sums: &mut [f32]) {
        match self.width {
            8 => self.sum_wide::<B, 8>(numbers, bank, sums),
            12 => self.sum_wide::<B, 12>(numbers, bank, sums),
            _ => {
                for (&number, sum) in numbers.iter().zip(sums) {
                    *sum = self.sum(number, bank);
                }
            }
        }
    }

    #[inline(always)]
    fn sum_wide<B: Bank, const N: usize>(&self, numbers: &[u32], bank: B, sums: &mut [f32]) {
        let (kept, (rows, _)) = (bank.kept(), self.indices.as_chunks::<N>());
        assert!(self.below <= kept.len(), "a weight for each index");
        for (&number, sum) in numbers.iter().zip(sums) {
            let row = &rows[number as usize];
            // SAFETY: all indices are below the length.
            *sum = sum_by(row, |i| B::read(unsafe { kept.get_unchecked(i as usize) }));
        }
    }
}

/// Whether all indices are below `size`, told without looking at each: a no may be wrong.
///
/// The greatest of them takes longer to find where no more than the x86-64 basics is known.
#[inline(always)]
fn surely_below(indices: &[u32], size: usize) -> bool {
    // No index is greater than the bits of all of them together.
    (indices.iter().fold(0, |bits, index| bits | index) as usize) < size
}

/// The sum of the weights at these indices.
///
/// # Panics
///
/// If one is not there.
#[inline(always)]
pub(crate) fn sum_at<B: Bank>(bank: B, indices: &[u32]) -> f32 {
    let kept = bank.kept();
    if surely_below(indices, kept.len()) {
        // SAFETY: all indices are below the length.
        return sum_by(indices, |i| B::read(unsafe { kept.get_unchecked(i as usize) }));
    }
    sum_by(indices, |index| bank.value(index))
}

/// What `add` makes of the sums of the weights in each place of `ROWS` rows of `N` indices.
///
/// # Panics
///
/// If an index is not there, or there are fewer rows.
#[inline(always)]
pub(crate) fn sum_boards<B: Bank, const N: usize, const ROWS: usize>(
    bank: B,
    places: Places<'_>,
    add: impl Fn([f32; N]) -> f32,
) -> f32 {
    let kept = bank.kept();
    assert!(places.are_below(kept.len()), "a weight for each index");
    let rows = places.indices.as_chunks::<N>().0.first_chunk::<ROWS>().expect("as many rows");
    // SAFETY: all indices are below the length.
    add(sum_rows_by(rows, |_, i| B::read(unsafe { kept.get_unchecked(i as usize) })))
}

/// Writes the same for each of these boards, whose weights in each place have a table of their own.
///
/// # Panics
///
/// If an index is not there.
#[inline(always)]
pub(crate) fn sum_tables<B: Bank, const N: usize, const ROWS: usize>(
    tables: [B; N],
    boards: &[[[u32; N]; ROWS]],
    add: impl Fn([f32; N]) -> f32,
    sums: &mut [f32],
) {
    let (shortest, boards_and_sums) =
        (tables.iter().map(|table| table.kept().len()).min(), boards.iter().zip(sums));
    if surely_below(boards.as_flattened().as_flattened(), shortest.unwrap_or_default()) {
        // SAFETY: all indices are below the lengths.
        let read = |place: usize, i: u32| {
            B::read(unsafe { tables[place].kept().get_unchecked(i as usize) })
        };
        for (rows, sum) in boards_and_sums {
            *sum = add(sum_rows_by(rows, read));
        }
        return;
    }
    for (rows, sum) in boards_and_sums {
        *sum = add(sum_rows_by(rows, |place, index| tables[place].value(index)));
    }
}

#[inline(always)]
fn sum_rows_by<const N: usize, const ROWS: usize>(
    rows: &[[u32; N]; ROWS],
    read: impl Fn(usize, u32) -> f32,
) -> [f32; N] {
    let mut sums = [0.0; N];
    for row in rows {
        for place in 0..N {
            sums[place] += read(place, row[place]);
        }
    }
    sums
}

/// Adds `step` to the weight at each of these indices.
///
/// # Panics
///
/// If one is not there.
#[inline(always)]
pub(crate) fn add_at(weights: &mut [f32], places: Places<'_>, step: f32) {
    assert!(places.are_below(weights.len()), "a weight for each index");
    // SAFETY: all indices are below the length.
    let mut add = |&i: &u32| unsafe { *weights.get_unchecked_mut(i as usize) += step };
    let (eights, rest) = places.indices.as_chunks::<8>();
    for eight in eights {
        eight.iter().for_each(&mut add);
    }
    rest.iter().for_each(add);
}

/// Indices of which is known what they are less than, so that none is looked at for itself.
///
/// Invariant: all are less than `below`.
#[derive(Copy, Clone, Debug)]
pub struct Places<'a> {
    indices: &'a [u32],
    below: usize,
}

impl<'a> Places<'a> {
    /// These indices.
    #[inline(always)]
    pub(crate) fn new(indices: &'a [u32]) -> Places<'a> {
        let most = indices.iter().fold(0, |most, &index| most.max(index));
        Places { indices, below: if indices.is_empty() { 0 } else { most as usize + 1 } }
    }

    /// Whether all are less than `size`.
    #[inline(always)]
    pub(super) fn are_below(self, size: usize) -> bool {
        self.below <= size
    }

    /// The same, so many at a time.
    #[inline(always)]
    pub(crate) fn chunks(self, size: usize) -> impl Iterator<Item = Places<'a>> {
        self.indices.chunks(size).map(move |indices| Places { indices, below: self.below })
    }

    /// The first so many of them, and the others.
    #[inline(always)]
    pub(crate) fn split_at(self, count: usize) -> (Places<'a>, Places<'a>) {
        let (these, others) = self.indices.split_at(count);
        (Places { indices: these, ..self }, Places { indices: others, ..self })
    }

    /// The indices.
    #[inline(always)]
    pub(crate) fn indices(self) -> &'a [u32] {
        self.indices
    }
}

/// Copies what the table holds in each of these places; there is room.
///
/// # Panics
///
/// If one is not there.
#[inline(always)]
pub(crate) fn gather<T: Pod>(table: &[T], places: Places<'_>, into: &mut [T]) {
    assert!(places.are_below(table.len()), "a place for each index");
    let into = &mut into[..places.indices.len()];
    #[cfg(target_arch = "x86_64")]
    if size_of::<T>() == size_of::<f64>() && std::arch::is_x86_feature_detected!("avx2") {
        let (table, into) = (table.as_ptr().cast(), into.as_mut_ptr().cast());
        // SAFETY: the processor has AVX2; items are plain bits, as long as assumed; all indices are
        // below the length, and there is as much room as there are indices.
        return unsafe { gather_words(table, places.indices, into) };
    }
    for (room, &index) in into.iter_mut().zip(places.indices) {
        // SAFETY: all indices are below the length.
        *room = unsafe { *table.get_unchecked(index as usize) };
    }
}

/// The same for items of 64 bits, four at a time: what is written in one go can be read so at once.
///
/// # Safety
///
/// Items must be there for all indices, and room for as many. No alignment is asked for.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn gather_words(table: *const f64, indices: &[u32], into: *mut f64) {
    use std::arch::x86_64::*;
    let (eights, rest) = indices.as_chunks::<8>();
    // SAFETY: as promised.
    unsafe {
        for (nth, eight) in eights.iter().enumerate() {
            for half in [0, 4] {
                let at = |i: usize| table.add(eight[half + i] as usize);
                let low = _mm_loadh_pd(_mm_loadl_pd(_mm_setzero_pd(), at(0)), at(1));
                let high = _mm_loadh_pd(_mm_loadl_pd(_mm_setzero_pd(), at(2)), at(3));
                _mm256_storeu_pd(into.add(8 * nth + half), _mm256_set_m128d(high, low));
            }
        }
        let from = indices.len() - rest.len();
        for (nth, &index) in rest.iter().enumerate() {
            into.add(from + nth).write_unaligned(table.add(index as usize).read_unaligned());
        }
    }
}

/// Adds each step to the weight in its place, and keeps there what is to be remembered.
///
/// # Panics
///
/// If a place is not there, or there are fewer steps or memories.
#[inline(always)]
pub(crate) fn scatter<M: Pod>(
    (weights, memory): (&mut [f32], &mut [M]),
    places: Places<'_>,
    memories: &[M],
    steps: &[f32],
) {
    let indices = places.indices;
    let (memories, steps) = (&memories[..indices.len()], &steps[..indices.len()]);
    assert!(places.are_below(weights.len().min(memory.len())), "a place for each index");
    let (eights, rest) = indices.as_chunks::<8>();
    let ((memory_eights, memory_rest), (step_eights, step_rest)) =
        (memories.as_chunks::<8>(), steps.as_chunks::<8>());
    let mut put = |index: u32, remembered: M, step: f32| {
        // SAFETY: all indices are below both lengths.
        unsafe {
            *memory.get_unchecked_mut(index as usize) = remembered;
            *weights.get_unchecked_mut(index as usize) += step;
        }
    };
    for ((eight, memories), steps) in eights.iter().zip(memory_eights).zip(step_eights) {
        (0..8).for_each(|i| put(eight[i], memories[i], steps[i]));
    }
    for ((&index, &remembered), &step) in rest.iter().zip(memory_rest).zip(step_rest) {
        put(index, remembered, step);
    }
}
