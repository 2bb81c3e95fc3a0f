//! Memory for transposition tables: cache lines on huge pages.

use crate::memory::prefetch;
use memmap2::{MmapMut, MmapRaw};
use std::io;
use std::sync::atomic::AtomicU64;

/// The words of one cache line.
#[derive(Debug)]
#[repr(align(64))]
pub struct CacheLine(pub [AtomicU64; 8]);

/// A fixed number of cache lines, all zero at first.
///
/// Invariant: the map has room for 2^n lines, is aligned to pages and was zeroed, and nothing else
/// refers to it. It is raw: a slice of its bytes would promise that they do not change.
#[derive(Debug)]
pub struct CacheLines {
    map: MmapRaw,
    mask: usize,
}

impl CacheLines {
    /// Reserves 2^`log_count` lines; the system provides pages when they are first touched.
    ///
    /// # Errors
    ///
    /// If the system does not have so much memory.
    pub fn zeroed(log_count: u32) -> io::Result<CacheLines> {
        let count = 1usize.checked_shl(log_count).ok_or(io::ErrorKind::OutOfMemory)?;
        let bytes = count.checked_mul(size_of::<CacheLine>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapRaw::from(MmapMut::map_anon(bytes)?);
        // Small pages work too, only slower: the answer does not matter. Miri has none to ask for.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(CacheLines { map, mask: count - 1 })
    }

    /// Returns the line with this number, modulo the number of lines.
    #[inline(always)]
    pub fn get(&self, index: usize) -> &CacheLine {
        let start = self.map.as_ptr().cast::<CacheLine>();
        // SAFETY: the number is below that of the lines; zeroed bytes are a valid line, and it is
        // only ever used through shared references to atomic words.
        unsafe { &*start.add(index & self.mask) }
    }

    /// Prefetches the line with this number, modulo the number of lines.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        prefetch(std::slice::from_ref(self.get(index)), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn lines_are_zero_at_first_and_numbered_modulo_their_count() {
        let lines = CacheLines::zeroed(6).unwrap();
        for index in 0..64 {
            lines.prefetch(index);
            assert!(lines.get(index).0.iter().all(|word| word.load(Relaxed) == 0));
            lines.get(index + 640).0[7].store(index as u64, Relaxed);
        }
        assert!((0..64).all(|index| lines.get(index).0[7].load(Relaxed) == index as u64));
    }

    #[test]
    fn more_lines_than_memory_are_refused() {
        assert!(
            [58, 62, 64, 70].into_iter().all(|log_count| CacheLines::zeroed(log_count).is_err())
        );
    }
}
