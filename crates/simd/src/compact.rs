//! Stream compaction: moving selected items to the front.

/// Moves the indices whose mark is below `limit` to the front, in their order.
///
/// Writes mark + 1 to the same places of `beside` and returns how many there are. What follows
/// them is unspecified.
///
/// # Panics
///
/// If the slices differ in length.
#[inline(always)]
pub fn compact_below(limit: i32, marks: &[i32], indices: &mut [u32], beside: &mut [f32]) -> usize {
    let is_even = marks.len() == indices.len() && marks.len() == beside.len();
    assert!(is_even, "slices differ in length");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has AVX2 and POPCNT; the slices are of one length.
        return unsafe { compact_avx2(limit, marks, indices, beside) };
    }
    compact_rest(limit, marks, indices, beside, (0, 0))
}

/// Continues after the first `seen` items, of which `kept` are below the limit.
#[inline(always)]
fn compact_rest(
    limit: i32,
    marks: &[i32],
    indices: &mut [u32],
    beside: &mut [f32],
    (seen, mut kept): (usize, usize),
) -> usize {
    for (at, &mark) in marks.iter().enumerate().skip(seen) {
        (indices[kept], beside[kept]) = (indices[at], 1.0 + mark as f32);
        kept += usize::from(mark < limit);
    }
    kept
}

/// Compacts eight items at a time.
///
/// # Safety
///
/// The slices must be of one length.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn compact_avx2(
    limit: i32,
    marks: &[i32],
    indices: &mut [u32],
    beside: &mut [f32],
) -> usize {
    use ludens_core::SET_BITS;
    use std::arch::x86_64::*;
    let (eights, _) = marks.as_chunks::<8>();
    let (mut kept, limits, one) = (0, _mm256_set1_epi32(limit), _mm256_set1_ps(1.0));
    for (nth, marks) in eights.iter().enumerate() {
        // SAFETY: eight items are read from `8 * nth` on, where `marks` has eight and the other
        // slices as many; eight are written from `kept` on, which is at most `8 * nth`. A row of
        // `SET_BITS` has eight bytes. No access needs alignment.
        unsafe {
            let marks = _mm256_loadu_si256(marks.as_ptr().cast());
            let below = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(limits, marks)));
            let order = _mm_loadl_epi64(SET_BITS[below as usize & 255].as_ptr().cast());
            let order = _mm256_cvtepu8_epi32(order);
            let eight = _mm256_loadu_si256(indices.as_ptr().add(8 * nth).cast());
            let eight = _mm256_permutevar8x32_epi32(eight, order);
            _mm256_storeu_si256(indices.as_mut_ptr().add(kept).cast(), eight);
            let next = _mm256_add_ps(_mm256_cvtepi32_ps(marks), one);
            let next = _mm256_permutevar8x32_ps(next, order);
            _mm256_storeu_ps(beside.as_mut_ptr().add(kept), next);
            kept += below.count_ones() as usize;
        }
    }
    compact_rest(limit, marks, indices, beside, (8 * eights.len(), kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_below_the_limit_move_to_the_front() {
        for count in [0, 1, 7, 8, 9, 16, 250] {
            for seed in 0..50u32 {
                let mark = |at: u32| (at * 7 + seed * at * at) as i32 % 13;
                let marks: Vec<i32> = (0..count).map(mark).collect();
                let expected: Vec<u32> = (0..count).filter(|&at| mark(at) < 9).collect();
                let next: Vec<f32> = expected.iter().map(|&at| 1.0 + mark(at) as f32).collect();
                let start = || ((0..count).collect::<Vec<u32>>(), vec![0.0; marks.len()]);
                let (mut indices, mut beside) = start();
                let kept = compact_below(9, &marks, &mut indices, &mut beside);
                assert_eq!((&indices[..kept], &beside[..kept]), (&expected[..], &next[..]));
                let (mut indices, mut beside) = start();
                let kept = compact_rest(9, &marks, &mut indices, &mut beside, (0, 0));
                assert_eq!((&indices[..kept], &beside[..kept]), (&expected[..], &next[..]));
            }
        }
    }

    #[test]
    #[should_panic(expected = "slices differ in length")]
    fn slices_of_different_length_are_refused() {
        compact_below(1, &[0; 8], &mut [0; 9], &mut [0.0; 9]);
    }
}
