//! Weights that several threads change at the same time (Hogwild), as their bits.

use crate::indices::Indices;
use bytemuck::Pod;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU32, Ordering};

/// Turns a table of `f32` or `[f32; N]` into one atomic per number, without copying.
pub fn into_atomic<T: Pod>(table: Vec<T>) -> Vec<AtomicU32> {
    let words = words_in::<T>();
    if words == 0 {
        return Vec::new();
    }
    let mut table = ManuallyDrop::new(table);
    let (start, length, capacity) = (table.as_mut_ptr(), table.len(), table.capacity());
    // SAFETY: the buffer is owned by nobody else, consists of `words` aligned words per item, all
    // initialised (`Pod`), and keeps the size and alignment that it was allocated with.
    unsafe { Vec::from_raw_parts(start.cast(), length * words, capacity * words) }
}

/// Reverses [`into_atomic`]; the table is empty if its items are.
pub fn from_atomic<T: Pod>(cells: Vec<AtomicU32>) -> Vec<T> {
    let words = words_in::<T>();
    if words == 0 {
        return Vec::new();
    }
    let (length, capacity) = (cells.len(), cells.capacity());
    let is_whole = length.is_multiple_of(words) && capacity.is_multiple_of(words);
    assert!(is_whole, "cells do not make up whole items");
    let start = ManuallyDrop::new(cells).as_mut_ptr();
    // SAFETY: as above; length and capacity are whole items, and any bits make a `Pod`.
    unsafe { Vec::from_raw_parts(start.cast(), length / words, capacity / words) }
}

/// How many 32-bit words an item has; it must consist of such words.
fn words_in<T: Pod>() -> usize {
    let is_aligned = align_of::<T>() == align_of::<AtomicU32>();
    let is_whole = size_of::<T>().is_multiple_of(size_of::<AtomicU32>());
    assert!(is_aligned && is_whole, "items do not consist of 32-bit words");
    size_of::<T>() / size_of::<AtomicU32>()
}

/// Copies the item at each index to `into`, as far as there is room.
///
/// # Panics
///
/// If an index is out of bounds.
#[inline(always)]
pub fn gather_atomic<M: Pod>(table: &[AtomicU32], indices: Indices<'_>, into: &mut [M]) {
    let words = words_in::<M>();
    if words == 0 {
        return;
    }
    assert!(indices.are_below(table.len() / words), "index out of bounds");
    for (item, &index) in into.iter_mut().zip(indices.as_slice()) {
        let numbers: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(item));
        for (word, number) in numbers.iter_mut().enumerate() {
            // SAFETY: all indices are below the number of whole items.
            let cell = unsafe { table.get_unchecked(index as usize * words + word) };
            *number = f32::from_bits(cell.load(Ordering::Relaxed));
        }
    }
}

/// Adds each step to the weight at its index, and stores the weight's memory.
///
/// # Panics
///
/// If an index is out of bounds, or there are fewer steps or memories than indices.
#[inline(always)]
pub fn scatter_atomic<M: Pod>(
    (weights, memory): (&[AtomicU32], &[AtomicU32]),
    indices: Indices<'_>,
    memories: &[M],
    steps: &[f32],
) {
    let (slice, words) = (indices.as_slice(), words_in::<M>());
    let (memories, steps) = (&memories[..slice.len()], &steps[..slice.len()]);
    let items = memory.len().checked_div(words).unwrap_or(usize::MAX);
    assert!(indices.are_below(items.min(weights.len())), "index out of bounds");
    for ((&index, remembered), &step) in slice.iter().zip(memories).zip(steps) {
        let numbers: &[f32] = bytemuck::cast_slice(std::slice::from_ref(remembered));
        for (word, number) in numbers.iter().enumerate() {
            // SAFETY: all indices are below the number of whole items.
            let cell = unsafe { memory.get_unchecked(index as usize * words + word) };
            cell.store(number.to_bits(), Ordering::Relaxed);
        }
        // SAFETY: all indices are below the number of weights.
        atomic_add(unsafe { weights.get_unchecked(index as usize) }, step);
    }
}

/// Adds to a weight without locking: a simultaneous addition may be lost.
#[inline(always)]
pub fn atomic_add(cell: &AtomicU32, step: f32) {
    let sum = f32::from_bits(cell.load(Ordering::Relaxed)) + step;
    cell.store(sum.to_bits(), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_atomic_and_plain_again_in_place() {
        let table: Vec<[f32; 2]> = (0..100).map(|i| [i as f32, -0.5]).collect();
        let (expected, address) = (table.clone(), table.as_ptr().addr());
        let cells = into_atomic(table);
        assert_eq!((cells.len(), cells.as_ptr().addr()), (200, address));
        assert_eq!(f32::from_bits(cells[14].load(Ordering::Relaxed)), 7.0);
        assert_eq!(from_atomic::<[f32; 2]>(cells), expected);
        assert!(into_atomic(vec![[0.0f32; 0]; 9]).is_empty());
        assert!(from_atomic::<[f32; 0]>(Vec::new()).is_empty());
    }

    #[test]
    #[should_panic(expected = "items do not consist of 32-bit words")]
    fn items_of_other_words_are_refused() {
        into_atomic(vec![0u64]);
    }

    #[test]
    #[should_panic(expected = "cells do not make up whole items")]
    fn incomplete_items_are_refused() {
        from_atomic::<[f32; 2]>(into_atomic(vec![0.0f32; 3]));
    }

    #[test]
    fn items_are_scattered_and_gathered() {
        let (weights, memory) = (into_atomic(vec![0.0f32; 12]), into_atomic(vec![[0.0f32; 2]; 12]));
        let indices = Indices::new(&[11, 0, 3, 4, 5, 6, 7, 8, 9]);
        let (memories, steps): (Vec<_>, Vec<_>) = (1..10).map(|i| ([i as f32; 2], 0.5)).unzip();
        scatter_atomic((&weights, &memory), indices, &memories, &steps);
        atomic_add(&weights[11], 0.25);
        let mut found = [[0.0; 2]; 16];
        gather_atomic(&memory, indices, &mut found);
        assert_eq!(found[..9], memories);
        // Step sizes without memory move weights as well.
        scatter_atomic((&weights, &[]), Indices::new(&[2]), &[[0.0f32; 0]], &[0.75]);
        gather_atomic(&[], Indices::new(&[2]), &mut [[0.0f32; 0]]);
        let (weights, memory) = (from_atomic::<f32>(weights), from_atomic::<[f32; 2]>(memory));
        assert_eq!((weights[11], weights[1], weights[2]), (0.75, 0.0, 0.75));
        assert_eq!((memory[11], memory[1]), ([1.0; 2], [0.0; 2]));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn gather_refuses_an_index_out_of_bounds() {
        let table = into_atomic(vec![0.0f32; 15]);
        gather_atomic(&table, Indices::new(&[3, 7]), &mut [[0.0f32; 2]; 2]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn scatter_refuses_an_index_out_of_bounds() {
        let (weights, memory) = (into_atomic(vec![0.0f32; 9]), into_atomic(vec![[0.0f32; 2]; 8]));
        scatter_atomic((&weights, &memory), Indices::new(&[8]), &[[1.0f32; 2]], &[1.0]);
    }
}
