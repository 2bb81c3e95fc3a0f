//! What safe code cannot reach: huge pages, and instructions that not every processor has.
//!
//! The only unsafe code of the crate.
#![allow(unsafe_code)]

mod common;
mod keeping;
mod lent;
mod places;
mod vectors;

pub(crate) use common::{add_to_bits, gather_bits, scatter_bits};
pub(crate) use keeping::keep_below;
pub use lent::Lent;
pub(crate) use places::{Places, Rows, add_at, gather, scatter, sum_at, sum_boards, sum_tables};
pub(crate) use vectors::{Arrays, EIGHT, VectorWork, Vectors, run_in_vectors};

use crate::bank::Bank;
use bytemuck::Pod;
use std::mem::ManuallyDrop;
use std::sync::atomic::AtomicU32;

/// Tables below this size gain nothing from huge pages.
const HUGE: usize = 4 << 20;

/// Bytes of a wide vector.
pub(crate) const WIDE: usize = 32;

/// A table with `value` in each of `count` places, on huge pages if it is large.
///
/// Random reads in 256 MiB are twice as fast: nearly each needs a look-up of its page otherwise.
/// Smaller tables begin where a wide vector is aligned, if memory has such a place at hand.
pub fn table<T: Copy>(count: usize, value: T) -> Vec<T> {
    let mut table = if size_of::<T>() * count >= HUGE {
        let mut table = Vec::with_capacity(count);
        advise_huge(&mut table);
        table
    } else {
        aligned_room(count)
    };
    table.resize(count, value);
    table
}

/// Room for so many, which begins where a wide vector is aligned, if such a place is found soon.
///
/// Places that do not fit are held meanwhile, and each is a little larger than the one before, so
/// that the next begins elsewhere.
fn aligned_room<T>(count: usize) -> Vec<T> {
    let room = |more: usize| Vec::with_capacity(count + more * WIDE / 2 / size_of::<T>().max(1));
    let mut held: [Vec<T>; 4] = std::array::from_fn(|_| Vec::new());
    for (more, held) in held.iter_mut().enumerate() {
        let found: Vec<T> = room(more);
        if found.as_ptr().addr().is_multiple_of(WIDE) {
            return found;
        }
        *held = found;
    }
    room(0)
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

/// Moves the bits of a word under a mask together.
pub(crate) trait Extract: Copy {
    /// The bits of `word` under `mask`, moved together.
    fn extract(self, word: u64, mask: u64) -> u64;

    /// The weight in the place that the bits of `word` under the table's mask name.
    #[inline(always)]
    fn look<B: Bank>(self, table: &Whole<'_, B>, word: u64) -> f32 {
        B::read(&table.kept[self.extract(word, table.mask) as usize])
    }
}

/// A table with a place for whatever the bits under a mask can say.
///
/// Invariant: it has at least 2^n places if the mask has n bits.
pub(crate) struct Whole<'a, B: Bank> {
    kept: &'a [B::Kept],
    mask: u64,
}

impl<B: Bank> Whole<'_, B> {
    /// The table that begins with this bank.
    ///
    /// # Panics
    ///
    /// If the bank has fewer places.
    #[inline(always)]
    pub(crate) fn new(bank: &B, mask: u64) -> Whole<'_, B> {
        let (kept, places) = (bank.kept(), 1usize.checked_shl(mask.count_ones()));
        assert!(places.is_some_and(|places| places <= kept.len()), "a place for each");
        Whole { kept, mask }
    }
}

/// Proof that the processor has wide vectors (AVX2) and what else such processors have: it extracts
/// bits by mask in one instruction, and counts them so (BMI1, BMI2, LZCNT, POPCNT).
///
/// Invariant: only [`Wide::find`] makes one, after asking the processor.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Wide(());

impl Wide {
    /// The proof, if there is one.
    #[inline(always)]
    pub(crate) fn find() -> Option<Wide> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            return Some(Wide(()));
        }
        None
    }

    /// Does the work with bits extracted and counted, but without wide vectors: compilers put sums side
    /// by side otherwise that are better left alone.
    #[inline(always)]
    pub(crate) fn run_with_bits(self, work: impl Work) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has all of it.
        unsafe {
            run_with_bmi2(work);
        }
        #[cfg(not(target_arch = "x86_64"))]
        work.run();
    }

    /// Does the work with all of it.
    #[inline(always)]
    pub(crate) fn run(self, work: impl Work) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has all of it.
        unsafe {
            run_with_avx2(work);
        }
        #[cfg(not(target_arch = "x86_64"))]
        work.run();
    }
}

#[cfg(target_arch = "x86_64")]
impl Extract for Wide {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        // SAFETY: `self` exists only where the processor has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn look<B: Bank>(self, table: &Whole<'_, B>, word: u64) -> f32 {
        let place = self.extract(word, table.mask) as usize;
        // SAFETY: n bits moved together are less than 2^n, and the table has as many places.
        B::read(unsafe { table.kept.get_unchecked(place) })
    }
}

/// Begins to fetch the weight at this index, where the processor can be asked to.
#[inline(always)]
pub(crate) fn fetch<T>(weights: &[T], index: usize) {
    let place = weights.as_ptr().wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: fetching changes nothing and fails nowhere, wherever the place lies.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(not(target_arch = "x86_64"))]
impl Extract for Wide {
    fn extract(self, _: u64, _: u64) -> u64 {
        unreachable!("there is no proof")
    }
}

/// Work that gains from wide vectors. `run` must be compiled into its caller.
pub trait Work {
    /// Does it.
    fn run(self);
}

/// Does the work with wide vectors where the processor has them. The result is the same.
#[inline(always)]
pub fn run_widely(work: impl Work) {
    run_with(Wide::find(), work);
}

/// The same for who has asked already.
#[inline(always)]
pub(crate) fn run_with(wide: Option<Wide>, work: impl Work) {
    match wide {
        Some(wide) => wide.run(work),
        None => run_plainly(work),
    }
}

/// Apart, so that the question alone is compiled into callers.
#[inline(never)]
fn run_plainly(work: impl Work) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_with_avx2(work: impl Work) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn run_with_bmi2(work: impl Work) {
    work.run();
}

#[cfg(test)]
mod tests;
