//! Numbers that several threads change at the same time, as their bits, in places that are all known
//! to be there.

use super::{Places, bits_in};
use bytemuck::Pod;
use std::sync::atomic::{AtomicU32, Ordering};

/// Copies what the table holds in each of these places; there is room.
///
/// # Panics
///
/// If one is not there.
#[inline(always)]
pub(crate) fn gather_bits<M: Pod>(table: &[AtomicU32], places: Places<'_>, into: &mut [M]) {
    let parts = bits_in::<M>();
    if parts == 0 {
        return;
    }
    assert!(places.are_below(table.len() / parts), "a place for each index");
    for (room, &index) in into.iter_mut().zip(places.indices()) {
        let numbers: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(room));
        for (part, number) in numbers.iter_mut().enumerate() {
            // SAFETY: all indices are below the number of whole items.
            let bits = unsafe { table.get_unchecked(index as usize * parts + part) };
            *number = f32::from_bits(bits.load(Ordering::Relaxed));
        }
    }
}

/// Adds each step to the weight in its place, and keeps there what is to be remembered.
///
/// # Panics
///
/// If a place is not there, or there are fewer steps or memories.
#[inline(always)]
pub(crate) fn scatter_bits<M: Pod>(
    (weights, memory): (&[AtomicU32], &[AtomicU32]),
    places: Places<'_>,
    memories: &[M],
    steps: &[f32],
) {
    let (indices, parts) = (places.indices(), bits_in::<M>());
    let (memories, steps) = (&memories[..indices.len()], &steps[..indices.len()]);
    let items = memory.len().checked_div(parts).unwrap_or(usize::MAX);
    assert!(places.are_below(items.min(weights.len())), "a place for each index");
    for ((&index, remembered), &step) in indices.iter().zip(memories).zip(steps) {
        let numbers: &[f32] = bytemuck::cast_slice(std::slice::from_ref(remembered));
        for (part, number) in numbers.iter().enumerate() {
            // SAFETY: all indices are below the number of whole items.
            let bits = unsafe { memory.get_unchecked(index as usize * parts + part) };
            bits.store(number.to_bits(), Ordering::Relaxed);
        }
        // SAFETY: all indices are below the number of weights.
        add_to_bits(unsafe { weights.get_unchecked(index as usize) }, step);
    }
}

/// Adds to a number; what others add at the same moment may be lost.
#[inline(always)]
pub(crate) fn add_to_bits(bits: &AtomicU32, step: f32) {
    let sum = f32::from_bits(bits.load(Ordering::Relaxed)) + step;
    bits.store(sum.to_bits(), Ordering::Relaxed);
}
