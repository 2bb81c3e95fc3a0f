//! What safe code cannot reach: huge pages, and instructions that not every processor has.
//!
//! The only unsafe code of the crate.
#![allow(unsafe_code)]

use crate::ntuple::{Masks, packed_sum};

/// Tables below this size gain nothing from huge pages.
const HUGE: usize = 4 << 20;

/// A table with `value` in each of `count` places, on huge pages if it is large.
///
/// Random reads in 256 MiB are twice as fast: nearly each needs a look-up of its page otherwise.
pub(crate) fn table<T: Copy>(count: usize, value: T) -> Vec<T> {
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

/// Asks the processor to have the item at hand soon.
#[inline(always)]
pub(crate) fn prefetch<T>(table: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let item = table.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch reads nothing, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(item.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (table, index);
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

    /// The sum of what `value` tells of the index of each tuple on each image.
    #[inline]
    pub(crate) fn sum(
        self,
        tuples: &[Masks],
        images: &[[u64; 2]],
        value: impl Fn(u32) -> f32,
    ) -> f32 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        return unsafe { sum(tuples, images, value) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("there is no proof for {} {} {}", tuples.len(), images.len(), value(0));
    }

    /// Writes the index of each tuple on each image, image by image.
    #[inline]
    pub(crate) fn fill(self, tuples: &[Masks], images: &[[u64; 2]], indices: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        unsafe {
            fill(tuples, images, indices);
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("there is no proof for {} {} {}", tuples.len(), images.len(), indices.len());
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn fill(tuples: &[Masks], images: &[[u64; 2]], indices: &mut [u32]) {
    for (image, indices) in images.iter().zip(indices.chunks_exact_mut(tuples.len())) {
        for (index, tuple) in indices.iter_mut().zip(tuples) {
            *index = extract::<2>(image, tuple);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn sum(tuples: &[Masks], images: &[[u64; 2]], value: impl Fn(u32) -> f32) -> f32 {
    if tuples.iter().all(|tuple| tuple.words[1] == 0) {
        return packed_sum(tuples, images, |image, tuple| value(extract::<1>(image, tuple)));
    }
    packed_sum(tuples, images, |image, tuple| value(extract::<2>(image, tuple)))
}

/// The index of a tuple whose cells lie in the first words.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "bmi2")]
fn extract<const WORDS: usize>(image: &[u64; 2], tuple: &Masks) -> u32 {
    use std::arch::x86_64::_pext_u64;
    let low = _pext_u64(image[0], tuple.words[0]) as u32;
    if WORDS == 1 {
        return tuple.start + low;
    }
    let high = _pext_u64(image[1], tuple.words[1]) as u32;
    tuple.start + (low | high << tuple.shift)
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
