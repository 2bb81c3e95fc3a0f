//! Large tables on huge pages, and prefetching.

use bytemuck::Pod;

/// Tables below this many bytes gain nothing from huge pages.
const HUGE: usize = 4 << 20;

/// Bytes of an AVX2 vector.
const VECTOR_BYTES: usize = 32;

/// Makes a table of `count` times `value`, on huge pages if it is large.
///
/// Random reads in 256 MiB are twice as fast then: nearly each of them misses the TLB otherwise.
/// Smaller tables are aligned to vectors if the allocator has such an address at hand. Large ones of
/// zeros take memory only where they are written.
pub fn huge_table<T: Pod>(count: usize, value: T) -> Vec<T> {
    let is_large = size_of::<T>() * count >= HUGE;
    if is_large && bytemuck::bytes_of(&value).iter().all(|byte| *byte == 0) {
        let mut table = bytemuck::zeroed_vec(count);
        advise_huge(&mut table);
        return table;
    }
    let mut table = if is_large {
        let mut table = Vec::with_capacity(count);
        advise_huge(&mut table);
        table
    } else {
        aligned_vec(count)
    };
    table.resize(count, value);
    table
}

/// Allocates a few times and keeps an aligned one; sizes differ so that addresses do.
fn aligned_vec<T>(count: usize) -> Vec<T> {
    let extra = |nth| nth * VECTOR_BYTES / 2 / size_of::<T>().max(1);
    let mut found: [Vec<T>; 4] = std::array::from_fn(|nth| Vec::with_capacity(count + extra(nth)));
    let is_aligned = |found: &Vec<T>| found.as_ptr().addr().is_multiple_of(VECTOR_BYTES);
    let best = found.iter().position(is_aligned).unwrap_or(0);
    std::mem::take(&mut found[best])
}

/// Asks the system for huge pages. It may refuse: small ones work too.
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

/// Prefetches the item at this index, which need not exist.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    let item = slice.as_ptr().wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing and never faults, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(item.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_every_size_consist_of_their_value() {
        for count in (0..300).chain([16_001, HUGE / 4 - 1, HUGE / 4]) {
            assert_eq!(huge_table(count, 0.5f32), vec![0.5; count]);
        }
        assert_eq!(huge_table(1_000, ()).len(), 1_000);
    }

    #[test]
    fn any_index_may_be_prefetched() {
        [0, 2, 3, usize::MAX].into_iter().for_each(|index| prefetch(&[1.0f32; 3], index));
    }
}
