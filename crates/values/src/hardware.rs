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
pub(crate) use places::{Places, Rows, add_at, gather, scatter, sum_at, sum_boards};
pub(crate) use vectors::{Arrays, EIGHT, VectorWork, Vectors, run_in_vectors};

use crate::bank::Bank;
use crate::ntuple::{Boards, Masked};
use bytemuck::Pod;
use ludens_core::Abreast;
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

/// Proof that the processor extracts bits by mask in one instruction (BMI2), and counts them so.
///
/// Invariant: only [`BitExtraction::find`] makes one, after asking the processor.
#[derive(Copy, Clone, Debug)]
pub(crate) struct BitExtraction(());

impl BitExtraction {
    /// The proof, if there is one.
    pub(crate) fn find() -> Option<BitExtraction> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            return Some(BitExtraction(()));
        }
        None
    }

    /// The sum of the weights of each tuple on each image.
    #[inline]
    pub(crate) fn sum(self, tuples: &Masked, images: &[[u64; 2]], bank: impl Bank) -> f32 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        return unsafe { sum(self, tuples, images, bank) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("there is no proof for {tuples:?} {} {}", images.len(), bank.value(0));
    }

    /// The same for several boards.
    #[inline]
    pub(crate) fn sum_all(self, tuples: &Masked, boards: &mut Boards, bank: impl Bank) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        unsafe {
            sum_all(self, tuples, boards, bank);
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("no proof for {tuples:?} {boards:?} {}", bank.value(0));
    }

    /// Writes the index of each tuple on each image, image by image.
    #[inline]
    pub(crate) fn fill(self, tuples: &Masked, images: &[[u64; 2]], indices: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        unsafe {
            fill(self, tuples, images, indices);
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("no proof for {tuples:?} {images:?} {indices:?}");
    }

    /// The same for several boards, telling `visit` of each index.
    #[inline]
    pub(crate) fn fill_all(
        self,
        tuples: &Masked,
        images: &[Abreast],
        indices: &mut [u32],
        visit: impl Fn(u32),
    ) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists only where the processor has BMI2.
        unsafe {
            fill_all(self, tuples, images, indices, visit);
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!(
            "no proof for {tuples:?} {images:?} {}",
            indices.iter().map(|&i| visit(i)).count()
        );
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn fill(bits: BitExtraction, tuples: &Masked, images: &[[u64; 2]], indices: &mut [u32]) {
    tuples.fill(images, indices, bits);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn fill_all(
    bits: BitExtraction,
    tuples: &Masked,
    images: &[Abreast],
    indices: &mut [u32],
    visit: impl Fn(u32),
) {
    tuples.fill_all(images, indices, bits, visit);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn sum(bits: BitExtraction, tuples: &Masked, images: &[[u64; 2]], bank: impl Bank) -> f32 {
    tuples.sum(images, bank, bits)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn sum_all(bits: BitExtraction, tuples: &Masked, boards: &mut Boards, bank: impl Bank) {
    tuples.sum_all(boards, bank, bits);
}

#[cfg(target_arch = "x86_64")]
impl Extract for BitExtraction {
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
pub(crate) fn fetch<T>(weights: &[T], index: u32) {
    let place = weights.as_ptr().wrapping_add(index as usize);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: fetching changes nothing and fails nowhere, wherever the place lies.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Work that gains from wide vectors. `run` must be compiled into its caller.
pub trait Work {
    /// Does it.
    fn run(self);
}

/// Does the work with wide vectors where the processor has them (AVX2). The result is the same.
#[inline(always)]
pub fn run_widely(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { run_with_avx2(work) };
    }
    run_plainly(work);
}

/// Apart, so that the question alone is compiled into callers.
#[inline(never)]
fn run_plainly(work: impl Work) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2(work: impl Work) {
    work.run();
}

#[cfg(test)]
mod tests;
