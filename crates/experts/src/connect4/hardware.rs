//! What safe code cannot reach: huge pages, early fetches, wide instructions.
//!
//! The only unsafe code of the crate. Measured on random positions with 12 stones (one core of an
//! AMD EPYC, 64 MiB table): early fetches take the mean from 49 to 38 ms, wide instructions from
//! 39 to 31 ms.
#![allow(unsafe_code)]

use super::search::{NullWindowSearch, SearchNode};
use memmap2::MmapMut;
use std::io;
use std::sync::atomic::AtomicU64;

/// Words of one cache line.
#[repr(align(64))]
pub(crate) struct CacheLine(pub(crate) [AtomicU64; 8]);

/// A fixed number of cache lines, all zero at first.
pub(crate) struct CacheLines {
    map: MmapMut,
    mask: usize,
}

impl CacheLines {
    /// Reserves 2^`log_count` lines; the system hands out the memory when it is first touched.
    ///
    /// # Errors
    ///
    /// If the system has not so much memory.
    pub(crate) fn zeroed(log_count: u32) -> io::Result<Self> {
        let count = 1usize << log_count;
        let map = MmapMut::map_anon(count * size_of::<CacheLine>())?;
        // Small pages work too, only slower: the answer does not matter.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, mask: count - 1 })
    }

    /// The line with this number, counted modulo the number of lines.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> &CacheLine {
        // SAFETY: the map is page-aligned, zeroed, `mask + 1` lines long and lives as long as
        // `self`; it is only ever used through shared references to atomic words.
        unsafe { &*self.start().add(index & self.mask) }
    }

    /// Prefetches the cache line.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line = self.start().wrapping_add(index & self.mask);
            // SAFETY: a prefetch reads nothing, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    #[inline(always)]
    fn start(&self) -> *const CacheLine {
        self.map.as_ptr().cast()
    }
}

/// The instructions a search is compiled to.
pub(crate) trait InstructionSet: Copy {
    /// Answers like [`NullWindowSearch::step`].
    fn descend(self, search: &mut NullWindowSearch<'_>, node: SearchNode, beta: i32) -> i32;
}

/// Instructions every processor of the target has.
#[derive(Clone, Copy)]
pub(crate) struct BaselineInstructions;

impl InstructionSet for BaselineInstructions {
    fn descend(self, search: &mut NullWindowSearch<'_>, node: SearchNode, beta: i32) -> i32 {
        search.step(self, node, beta)
    }
}

/// Proof that this processor has the instructions [`descend_avx2`] is compiled to.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl InstructionSet for Avx2 {
    #[inline(always)]
    fn descend(self, search: &mut NullWindowSearch<'_>, node: SearchNode, beta: i32) -> i32 {
        // SAFETY: a `Avx2` is only made by `detect`, which has seen every feature.
        unsafe { descend_avx2(self, search, node, beta) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn descend_avx2(
    width: Avx2,
    search: &mut NullWindowSearch<'_>,
    node: SearchNode,
    beta: i32,
) -> i32 {
    search.step(width, node, beta)
}

/// Starts a search with the best instructions of this processor.
pub(crate) fn descend(search: &mut NullWindowSearch<'_>, node: SearchNode, beta: i32) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = Avx2::detect() {
        return wide.descend(search, node, beta);
    }
    BaselineInstructions.descend(search, node, beta)
}
