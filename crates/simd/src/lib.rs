//! Hot kernels of Ludens, and all of its unsafe code behind safe interfaces.
//!
//! Every kernel computes the same bits on every processor: sums are kept in a fixed number of
//! lanes, products are never fused with sums, and `exp` and `tanh` are our own.
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod atomic;
mod bits;
mod compact;
mod cpu;
#[cfg(feature = "faults")]
mod failing_allocator;
mod indices;
mod math;
mod memory;
mod othello;
mod signals;
mod transposition;
mod unique_arc;
mod weights;

pub use atomic::{atomic_add, from_atomic, gather_atomic, into_atomic, scatter_atomic};
pub use bits::{ExtractBits, FullTable, PortableBits};
pub use compact::compact_below;
pub use cpu::{Avx2, Kernel, Recurse, Recursive, dispatch_recursive, dispatch_simd, dispatch_with};
#[cfg(feature = "faults")]
pub use failing_allocator::FailingAllocator;
pub use indices::{Indices, add_at, gather, scatter};
pub use math::{LANES, add_scaled, dot, exp, sigmoid_all, sum_lanes, tanh, tanh_all};
pub use memory::{huge_table, prefetch};
pub use othello::{OthelloLines, OthelloMove};
pub use signals::is_ignored;
pub use transposition::{CacheLine, CacheLines};
pub use unique_arc::UniqueArc;
pub use weights::{WeightCell, sum_at, sum_few_at, sum_rows, sum_tables};
