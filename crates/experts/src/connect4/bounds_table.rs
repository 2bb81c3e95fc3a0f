//! The transposition table of score bounds, shared by all threads.

use super::{bits, position};
use ludens_simd::CacheLines;
use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A fixed amount of memory for bounds of positions; the costliest of a line survive.
///
/// A 64-byte line holds eight entries. One multiplication maps the 49 bits of a key one to one;
/// the upper bits of the product choose the line and the lower ones are kept as tag, so two
/// positions are never taken for each other:
///
/// ```text
///  63              20 19     15 14    12 11       6 5        0
/// | tag              | work    | best   | low + 32 | high + 32 |
/// ```
///
/// Entries are read and written whole, so threads may share a table without locks.
pub struct BoundsTable {
    lines: CacheLines,
    log_lines: u32,
}

/// The two tables of a search: a large one, and a small one for positions with many stones and for
/// openings.
///
/// Positions with many stones recur soon or never, so a table that fits into the processor's cache
/// is enough. 1 MiB for them reduces the time for random positions with 8 stones from 0.42 to 0.26
/// s. Openings that lead into a book are few: the system need not provide a large table for them,
/// which takes longer than their search.
pub(crate) struct BoundsTables<'a>([&'a BoundsTable; 64]);

impl<'a> BoundsTables<'a> {
    /// A good size for the near table.
    pub(crate) const NEAR_BYTES: usize = 1 << 20;
    /// The most stones of a position in the far table.
    const LAST_FAR: usize = 26;

    /// Uses the far table for positions with at least `first_far` and not too many stones.
    pub(crate) fn new(far: &'a BoundsTable, near: &'a BoundsTable, first_far: usize) -> Self {
        let is_far = |stones| (first_far..=Self::LAST_FAR).contains(&stones);
        Self(std::array::from_fn(|stones| if is_far(stones) { far } else { near }))
    }

    /// The table for positions with so many stones.
    #[inline(always)]
    pub(crate) fn of(&self, stones: i32) -> &'a BoundsTable {
        self.0[stones as usize % 64]
    }

    /// Finds where a position belongs and has it fetched.
    #[inline(always)]
    pub(crate) fn slot(&self, mover: u64, taken: u64, stones: i32) -> TableSlot {
        self.of(stones).slot(table_key(mover, taken, stones))
    }
}

/// The bounds of a position's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The score is at least this.
    pub(crate) low: i32,
    /// The score is at most this.
    pub(crate) high: i32,
    /// The move that was best when the bounds were found: an index into the search's columns.
    pub(crate) best: usize,
}

/// The slot of a position in the table.
#[derive(Clone, Copy, Default)]
pub(crate) struct TableSlot {
    line: usize,
    tag: u64,
}

/// With more stones a search meets hardly any mirror images, and looking for them takes time.
const MIRRORED_STONES: i32 = 14;
const KEY_BITS: u32 = 49;
const TAG_SHIFT: u32 = 20;
const WORK_SHIFT: u32 = 15;
const BEST_SHIFT: u32 = 12;
const LOW_SHIFT: u32 = 6;
/// Makes a bound, at least -21 and at most 21, a positive number of six bits.
const OFFSET: i32 = 32;
/// Below 2^5 lines a tag would not fit over the other fields.
const MIN_LOG_LINES: u32 = 6;
const MAX_LOG_LINES: u32 = 32;

impl BoundsTable {
    /// Reserves the largest power of two of at most `bytes`, and at least 4 KiB.
    ///
    /// # Errors
    ///
    /// If the system has not so much memory.
    pub fn new(bytes: usize) -> io::Result<Self> {
        let lines = (bytes / 64).max(1);
        let log_lines = lines.ilog2().clamp(MIN_LOG_LINES, MAX_LOG_LINES);
        Ok(Self { lines: CacheLines::zeroed(log_lines)?, log_lines })
    }

    /// Whether nothing has been put into the table.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        let lines = (0..1 << self.log_lines).map(|index| self.lines.get(index));
        lines.flat_map(|line| &line.0).all(|word| word.load(Relaxed) == 0)
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        64 << self.log_lines
    }

    /// Finds where a key belongs and prefetches it.
    ///
    /// This takes the mean of random positions with 12 stones from 49 to 38 ms (64 MiB table).
    #[inline(always)]
    pub(crate) fn slot(&self, key: u64) -> TableSlot {
        // 2^64 over the golden ratio: odd, and every bit of the key reaches the upper bits.
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & ((1 << KEY_BITS) - 1);
        let tag_bits = KEY_BITS - self.log_lines;
        let slot =
            TableSlot { line: (mixed >> tag_bits) as usize, tag: mixed & ((1 << tag_bits) - 1) };
        self.lines.prefetch(slot.line);
        slot
    }

    /// The bounds of the position in this slot, if the table has them.
    #[inline(always)]
    pub(crate) fn get(&self, slot: TableSlot) -> Option<Bounds> {
        let words = &self.lines.get(slot.line).0;
        let found = words.iter().map(|word| word.load(Relaxed)).find(|&e| holds(e, slot))?;
        Some(Bounds {
            low: (found >> LOW_SHIFT & 63) as i32 - OFFSET,
            high: (found & 63) as i32 - OFFSET,
            best: (found >> BEST_SHIFT & 7) as usize,
        })
    }

    /// Remembers bounds that took `nodes`, at least one, to find.
    #[inline(always)]
    pub(crate) fn put(&self, slot: TableSlot, bounds: Bounds, nodes: u64) {
        let work = u64::from(nodes.ilog2().min(31));
        let entry = slot.tag << TAG_SHIFT
            | work << WORK_SHIFT
            | (bounds.best as u64) << BEST_SHIFT
            | ((bounds.low + OFFSET) as u64) << LOW_SHIFT
            | (bounds.high + OFFSET) as u64;
        self.word_for(slot).store(entry, Relaxed);
    }

    /// The position's own slot, or else the one that took the least work.
    #[inline(always)]
    fn word_for(&self, slot: TableSlot) -> &AtomicU64 {
        let words = &self.lines.get(slot.line).0;
        let mut cheapest = &words[0];
        let mut least = u64::MAX;
        for word in words {
            let entry = word.load(Relaxed);
            if holds(entry, slot) {
                return word;
            }
            let work = if entry == 0 { 0 } else { 1 + (entry >> WORK_SHIFT & 31) };
            if work < least {
                least = work;
                cheapest = word;
            }
        }
        cheapest
    }
}

/// The key the table knows a position by; with few stones, mirror images share it.
#[inline(always)]
pub(crate) fn table_key(mover: u64, taken: u64, stones: i32) -> u64 {
    let key = position::key(mover, taken);
    if stones > MIRRORED_STONES {
        key
    } else {
        key.min(position::key(bits::mirrored(mover), bits::mirrored(taken)))
    }
}

/// An empty slot is zero; an entry is not, because `high` is above -32.
#[inline(always)]
fn holds(entry: u64, slot: TableSlot) -> bool {
    entry >> TAG_SHIFT == slot.tag && entry != 0
}
