//! Reading and changing weights at given indices, checked once for all of them.

use bytemuck::Pod;

/// Indices with an upper bound that is known once for all of them.
///
/// Invariant: all are less than `bound`.
#[derive(Copy, Clone, Debug)]
pub struct Indices<'a> {
    indices: &'a [u32],
    bound: usize,
}

impl<'a> Indices<'a> {
    /// Finds the bound of these indices.
    #[inline(always)]
    pub fn new(indices: &'a [u32]) -> Indices<'a> {
        let max = indices.iter().fold(0, |max, &index| max.max(index));
        Indices { indices, bound: if indices.is_empty() { 0 } else { max as usize + 1 } }
    }

    /// The indices themselves.
    #[inline(always)]
    pub fn as_slice(self) -> &'a [u32] {
        self.indices
    }

    /// Cuts them into chunks of `size`; the last one may be shorter.
    #[inline(always)]
    pub fn chunks(self, size: usize) -> impl Iterator<Item = Indices<'a>> {
        self.indices.chunks(size).map(move |indices| Indices { indices, ..self })
    }

    /// Whether all are less than `len`.
    #[inline(always)]
    pub(crate) fn are_below(self, len: usize) -> bool {
        self.bound <= len
    }
}

/// Adds `step` to the weight at each index.
///
/// # Panics
///
/// If an index is out of bounds.
#[inline(always)]
pub fn add_at(weights: &mut [f32], indices: Indices<'_>, step: f32) {
    assert!(indices.are_below(weights.len()), "index out of bounds");
    // SAFETY: all indices are below the length.
    let mut add = |&i: &u32| unsafe { *weights.get_unchecked_mut(i as usize) += step };
    let (eights, rest) = indices.indices.as_chunks::<8>();
    for eight in eights {
        eight.iter().for_each(&mut add);
    }
    rest.iter().for_each(add);
}

/// Copies the item at each index to the front of `into`.
///
/// # Panics
///
/// If an index is out of bounds, or `into` is shorter than the indices.
#[inline(always)]
pub fn gather<T: Pod>(table: &[T], indices: Indices<'_>, into: &mut [T]) {
    assert!(indices.are_below(table.len()), "index out of bounds");
    let into = &mut into[..indices.indices.len()];
    #[cfg(target_arch = "x86_64")]
    if size_of::<T>() == size_of::<u64>() && std::arch::is_x86_feature_detected!("avx2") {
        let (table, into) = (table.as_ptr().cast(), into.as_mut_ptr().cast());
        // SAFETY: the processor has AVX2; items are 64 plain bits; all indices are below the
        // table's length, and `into` is as long as the indices.
        return unsafe { gather_u64(table, indices.indices, into) };
    }
    for (item, &index) in into.iter_mut().zip(indices.indices) {
        // SAFETY: all indices are below the length.
        *item = unsafe { *table.get_unchecked(index as usize) };
    }
}

/// Gathers items of 64 bits with vector stores: vector loads after scalar stores would stall.
///
/// # Safety
///
/// `table` must be readable at all indices and `into` writable at as many; neither needs more
/// than byte alignment.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn gather_u64(table: *const u64, indices: &[u32], into: *mut u64) {
    use std::arch::x86_64::{_mm256_set_pd, _mm256_storeu_pd};
    // SAFETY: the caller promises that all indices are readable.
    let load = |index: u32| unsafe { table.add(index as usize).read_unaligned() };
    let (eights, rest) = indices.as_chunks::<8>();
    for (nth, eight) in eights.iter().enumerate() {
        for half in [0, 4] {
            let [a, b, c, d] = std::array::from_fn(|i| f64::from_bits(load(eight[half + i])));
            let into = into.wrapping_add(8 * nth + half).cast();
            // SAFETY: the caller promises room for all indices; the store needs no alignment.
            unsafe { _mm256_storeu_pd(into, _mm256_set_pd(d, c, b, a)) };
        }
    }
    let from = indices.len() - rest.len();
    for (nth, &index) in rest.iter().enumerate() {
        // SAFETY: the caller promises room for all indices.
        unsafe { into.add(from + nth).write_unaligned(load(index)) };
    }
}

/// Adds each step to the weight at its index, and stores the weight's memory.
///
/// # Panics
///
/// If an index is out of bounds, or there are fewer steps or memories than indices.
#[inline(always)]
pub fn scatter<M: Pod>(
    (weights, memory): (&mut [f32], &mut [M]),
    indices: Indices<'_>,
    memories: &[M],
    steps: &[f32],
) {
    let (memories, steps) = (&memories[..indices.indices.len()], &steps[..indices.indices.len()]);
    assert!(indices.are_below(weights.len().min(memory.len())), "index out of bounds");
    let (eights, rest) = indices.indices.as_chunks::<8>();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sum_at;

    #[test]
    fn parts_of_indices_keep_their_bound() {
        let (weights, indices) = ([1.0f32, 2.0, 4.0, 8.0], [3, 0, 1, 2, 3]);
        let sums = Indices::new(&indices).chunks(2).map(|part| sum_at(&weights, part.as_slice()));
        assert_eq!(sums.collect::<Vec<_>>(), [9.0, 6.0, 8.0]);
        let first = Indices::new(&indices[1..]).chunks(3).next().unwrap();
        assert!(first.are_below(4) && !first.are_below(3) && Indices::new(&[]).are_below(0));
    }

    #[test]
    fn steps_are_added_at_every_index() {
        let mut weights = vec![0.0; 10];
        for indices in [&[1, 1, 2, 3, 4, 5, 6, 7, 0][..], &[9, 6], &[]] {
            add_at(&mut weights, Indices::new(indices), 0.5);
        }
        assert_eq!(weights, [0.5, 1.0, 0.5, 0.5, 0.5, 0.5, 1.0, 0.5, 0.0, 0.5]);
    }

    #[test]
    fn items_are_scattered_and_gathered() {
        let indices = Indices::new(&[11, 0, 3, 4, 5, 6, 7, 8, 9]);
        check::<1>(indices);
        check::<2>(indices);
        check::<3>(indices);
    }

    /// The table starts at an odd word, where items of 64 bits are not aligned.
    fn check<const N: usize>(indices: Indices<'_>)
    where
        [f32; N]: Pod,
    {
        let (mut weights, mut words) = ([0.0; 12], vec![0.0; 12 * N + 1]);
        let memory: &mut [[f32; N]] = bytemuck::cast_slice_mut(&mut words[1..]);
        let (memories, steps): (Vec<_>, Vec<_>) = (1..10).map(|i| ([i as f32; N], 0.5)).unzip();
        scatter((&mut weights, memory), indices, &memories, &steps);
        let mut found = [[0.0; N]; 16];
        gather(memory, indices, &mut found);
        assert_eq!(found[..9], memories);
        assert_eq!((weights[11], weights[1]), (0.5, 0.0));
        assert_eq!((memory[11], memory[1]), ([1.0; N], [0.0; N]));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn add_at_refuses_an_index_out_of_bounds() {
        add_at(&mut [0.0; 10], Indices::new(&[3, 10]), 0.5);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn gather_refuses_an_index_out_of_bounds() {
        gather(&[[0.0f32; 2]; 8], Indices::new(&[3, 8]), &mut [[0.0; 2]; 8]);
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn gather_refuses_a_short_destination() {
        gather(&[[0.0f32; 2]; 8], Indices::new(&[3, 7]), &mut [[0.0; 2]; 1]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn scatter_refuses_an_index_out_of_bounds() {
        scatter((&mut [0.0; 9], &mut [0.0; 8]), Indices::new(&[8]), &[1.0], &[1.0]);
    }
}
