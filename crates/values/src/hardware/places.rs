//! Weights at indices that are all known to be there, so that none is looked at for itself.

use crate::bank::{Bank, sum_by};

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
        let below = indices.iter().max().map_or(0, |&most| most as usize + 1);
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

/// The sum of the weights of each image, whose indices are a row of `N`; those of the ninth are
/// added to the sum of the first, and so on.
///
/// # Panics
///
/// If an index is not there.
#[inline(always)]
pub(crate) fn sum_images<B: Bank, const N: usize>(bank: B, indices: &[u32]) -> [f32; 8] {
    let (kept, (rows, _)) = (bank.kept(), indices.as_chunks::<N>());
    if surely_below(indices, kept.len()) {
        // SAFETY: all indices are below the length.
        return sum_by_image(rows, |i| B::read(unsafe { kept.get_unchecked(i as usize) }));
    }
    sum_by_image(rows, |index| bank.value(index))
}

#[inline(always)]
fn sum_by_image<const N: usize>(rows: &[[u32; N]], read: impl Fn(u32) -> f32) -> [f32; 8] {
    let (mut sums, (blocks, rest)) = ([0.0; 8], rows.as_chunks::<8>());
    for block in blocks {
        for image in 0..8 {
            for &index in &block[image] {
                sums[image] += read(index);
            }
        }
    }
    for (row, sum) in rest.iter().zip(&mut sums) {
        row.iter().for_each(|&index| *sum += read(index));
    }
    sums
}

/// Adds `step` to the weight at each of these indices.
///
/// # Panics
///
/// If one is not there.
#[inline(always)]
pub(crate) fn add_at(weights: &mut [f32], indices: &[u32], step: f32) {
    if surely_below(indices, weights.len()) {
        // SAFETY: all indices are below the length.
        let mut add = |&i: &u32| unsafe { *weights.get_unchecked_mut(i as usize) += step };
        let (eights, rest) = indices.as_chunks::<8>();
        for eight in eights {
            eight.iter().for_each(&mut add);
        }
        return rest.iter().for_each(add);
    }
    indices.iter().for_each(|&index| weights[index as usize] += step);
}

/// Whether all indices are below `size`.
#[inline(always)]
fn all_below(indices: &[u32], size: usize) -> bool {
    let most = indices.iter().fold(0, |most, &index| most.max(index));
    indices.is_empty() || (most as usize) < size
}

/// Copies what the table holds at each of these indices; there is room.
///
/// # Panics
///
/// If one is not there.
#[inline(always)]
pub(crate) fn gather<T: Copy>(table: &[T], indices: &[u32], into: &mut [T]) {
    assert!(all_below(indices, table.len()), "a place for each index");
    // SAFETY: all indices are below the length.
    let take = |i: u32| unsafe { *table.get_unchecked(i as usize) };
    let ((eights, rest), (rooms, _)) = (indices.as_chunks::<8>(), into.as_chunks_mut::<8>());
    for (eight, room) in eights.iter().zip(rooms) {
        for lane in 0..8 {
            room[lane] = take(eight[lane]);
        }
    }
    for (room, &index) in into[indices.len() - rest.len()..].iter_mut().zip(rest) {
        *room = take(index);
    }
}

/// Adds each step to the weight at its index, and puts what is to be remembered in its place.
///
/// # Panics
///
/// If an index is not there, or there are fewer steps or memories.
#[inline(always)]
pub(crate) fn scatter<M: Copy>(
    (weights, memory): (&mut [f32], &mut [M]),
    indices: &[u32],
    memories: &[M],
    steps: &[f32],
) {
    let (memories, steps) = (&memories[..indices.len()], &steps[..indices.len()]);
    assert!(all_below(indices, weights.len().min(memory.len())), "a place for each index");
    for ((&index, &remembered), &step) in indices.iter().zip(memories).zip(steps) {
        // SAFETY: all indices are below both lengths.
        unsafe {
            *memory.get_unchecked_mut(index as usize) = remembered;
            *weights.get_unchecked_mut(index as usize) += step;
        }
    }
}
