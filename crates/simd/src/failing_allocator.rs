//! An allocator for tests, in which a chosen allocation fails.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// The system's allocator, until the chosen allocation is reached: that one fails.
///
/// A test makes it the allocator of its process:
///
/// ```
/// use ludens_simd::FailingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: FailingAllocator = FailingAllocator::new();
///
/// let ended = ALLOCATOR.count(|| vec![0; 5].len());
/// assert_eq!(ended, (5, 1));
///
/// ALLOCATOR.fail_at(2);
/// let first = Vec::<u8>::new().try_reserve(5);
/// let second = Vec::<u8>::new().try_reserve(5);
/// assert!(first.is_ok() && second.is_err());
/// ```
pub struct FailingAllocator {
    reached: AtomicU64,
    /// The number of the allocation that fails, counted from one; 0 for none.
    chosen: AtomicU64,
}

impl FailingAllocator {
    /// An allocator in which nothing fails yet.
    pub const fn new() -> FailingAllocator {
        FailingAllocator { reached: AtomicU64::new(0), chosen: AtomicU64::new(0) }
    }

    /// From now on the `nth` allocation of this process fails, counted from one.
    pub fn fail_at(&self, nth: u64) {
        self.reached.store(0, Ordering::SeqCst);
        self.chosen.store(nth, Ordering::SeqCst);
    }

    /// Also returns how many allocations the process made meanwhile.
    pub fn count<T>(&self, work: impl FnOnce() -> T) -> (T, u64) {
        let before = self.reached.load(Ordering::SeqCst);
        let result = work();
        (result, self.reached.load(Ordering::SeqCst) - before)
    }

    fn fails(&self) -> bool {
        let nth = self.reached.fetch_add(1, Ordering::SeqCst) + 1;
        nth == self.chosen.load(Ordering::SeqCst)
    }
}

impl Default for FailingAllocator {
    fn default() -> FailingAllocator {
        FailingAllocator::new()
    }
}

// SAFETY: every call is passed on to the system's allocator with the caller's own arguments, or
// answered by null, which the trait defines as failure: the caller keeps what it had.
unsafe impl GlobalAlloc for FailingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout is the one that `System` asks for.
        if self.fails() { ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        if self.fails() { ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the block came from `System`, as all blocks of this allocator do.
        if self.fails() { ptr::null_mut() } else { unsafe { System.realloc(block, layout, size) } }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(block, layout) }
    }
}
