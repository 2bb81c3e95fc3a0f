//! What safe code cannot reach: huge pages, and instructions that not every processor has.
//!
//! The only unsafe code of the crate.
#![allow(unsafe_code)]

use crate::bank::Bank;
use crate::ntuple::Masked;
use bytemuck::Pod;
use std::mem::ManuallyDrop;
use std::sync::atomic::AtomicU32;

/// Tables below this size gain nothing from huge pages.
const HUGE: usize = 4 << 20;

/// A table with `value` in each of `count` places, on huge pages if it is large.
///
/// Random reads in 256 MiB are twice as fast: nearly each needs a look-up of its page otherwise.
pub fn table<T: Copy>(count: usize, value: T) -> Vec<T> {
    let mut table = Vec::with_capacity(count);
    if size_of::<T>() * count >= HUGE {
        advise_huge(&mut table);
    }
    table.resize(count, value);
    table
}

/// Asks the system for huge pages. Small ones work too, only slower: the answer does not matter.
#[cfg(target_os = "linux")]
fn advise_huge<T>(table: &mut Vec<T>) {
    const PAGE: usize = 4096;
    let start = table.as_mut_ptr().cast::<u8>();
    let skip = start.align_offset(PAGE);
    let length = size_of::<T>() * table.capacity();
    // SAFETY: the pages lie within the vector's buffer, and the advice changes no content.
    unsafe {
        libc::madvise(start.add(skip).cast(), length.saturating_sub(skip), libc::MADV_HUGEPAGE)
    };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge<T>(_: &mut Vec<T>) {}

/// The bits of all numbers in a table of `f32` or `[f32; N]`, for several threads to change.
///
/// The table stays where it is: copying one of a gigabyte takes longer than many games.
pub(crate) fn into_bits<T: Pod>(table: Vec<T>) -> Vec<AtomicU32> {
    let parts = bits_in::<T>();
    if parts == 0 {
        return Vec::new();
    }
    let mut table = ManuallyDrop::new(table);
    let (start, length, room) = (table.as_mut_ptr(), table.len(), table.capacity());
    // SAFETY: the buffer is given away, holds `parts` aligned words for each item (`bits_in`), all
    // of them plain numbers (`Pod`), and is freed with the size and alignment it was made with.
    unsafe { Vec::from_raw_parts(start.cast(), length * parts, room * parts) }
}

/// The table that [`into_bits`] made these bits of; empty if its items have no numbers.
pub(crate) fn from_bits<T: Pod>(bits: Vec<AtomicU32>) -> Vec<T> {
    let parts = bits_in::<T>();
    if parts == 0 {
        return Vec::new();
    }
    let mut bits = ManuallyDrop::new(bits);
    let (start, length, room) = (bits.as_mut_ptr(), bits.len(), bits.capacity());
    assert!(length.is_multiple_of(parts) && room.is_multiple_of(parts), "bits of whole items");
    // SAFETY: as above; length and room are those of whole items, and any bits make a `Pod`.
    unsafe { Vec::from_raw_parts(start.cast(), length / parts, room / parts) }
}

/// How many words of 32 bits an item has; it must be made of such words alone.
fn bits_in<T: Pod>() -> usize {
    let alike = align_of::<T>() == align_of::<AtomicU32>();
    assert!(alike && size_of::<T>().is_multiple_of(size_of::<AtomicU32>()), "not made of words");
    size_of::<T>() / size_of::<AtomicU32>()
}

/// Proof that the processor extracts bits by mask in one instruction (BMI2).
///
/// Invariant: only [`BitExtraction::find`] makes one, after asking the processor.
#[derive(Copy, Clone, Debug)]
pub(crate) struct BitExtraction(());

impl BitExtraction {
    /// The proof, if there is one.
    pub(crate) fn find() -> Option<BitExtraction> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi2") {
            return Some(BitExtraction(()));
        }
        None
    }

    /// The sum of the weights of each tuple on each image.
    #[inline]
    pub(crate) fn sum(self, tuples: &Masked, images: &[[u64; 2]], bank: impl Bank) -> f32 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        return unsafe { sum(tuples, images, bank) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("there is no proof for {tuples:?} {} {}", images.len(), bank.value(0));
    }

    /// Writes the index of each tuple on each image, image by image.
    #[inline]
    pub(crate) fn fill(self, tuples: &Masked, images: &[[u64; 2]], indices: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        unsafe {
            fill(tuples, images, indices);
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("there is no proof for {tuples:?} {} {}", images.len(), indices.len());
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn fill(tuples: &Masked, images: &[[u64; 2]], indices: &mut [u32]) {
    use std::arch::x86_64::_pext_u64;
    tuples.fill(images, indices, |word, mask| _pext_u64(word, mask));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn sum(tuples: &Masked, images: &[[u64; 2]], bank: impl Bank) -> f32 {
    use std::arch::x86_64::_pext_u64;
    tuples.sum(images, bank, |word, mask| _pext_u64(word, mask))
}

/// Work that gains from wide vectors. `run` must be compiled into its caller.
pub(crate) trait Work {
    /// Does it.
    fn run(self);
}

/// Does the work with wide vectors where the processor has them (AVX2). The result is the same.
#[inline]
pub(crate) fn run_widely(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { run_with_avx2(work) };
    }
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2(work: impl Work) {
    work.run();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn tables_become_bits_and_tables_again_without_moving() {
        let table: Vec<[f32; 2]> = (0..100).map(|i| [i as f32, -0.5]).collect();
        let (expected, place) = (table.clone(), table.as_ptr() as usize);
        let bits = into_bits(table);
        assert_eq!((bits.len(), bits.as_ptr() as usize), (200, place));
        assert_eq!(f32::from_bits(bits[14].load(Ordering::Relaxed)), 7.0);
        assert_eq!(from_bits::<[f32; 2]>(bits), expected);
    }

    #[test]
    fn tables_of_nothing_have_no_bits() {
        assert!(into_bits(vec![[0.0f32; 0]; 9]).is_empty());
        assert!(from_bits::<[f32; 0]>(Vec::new()).is_empty());
    }
}
