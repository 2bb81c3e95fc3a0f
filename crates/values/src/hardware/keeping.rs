//! Moving some of many numbers to the front.

/// Moves the indices whose mark is less than `limit` to the front, in their order, and writes one
/// more than its mark beside each. Tells how many these are; what lies behind them is of no worth.
///
/// # Panics
///
/// If there is not a mark and a place beside for each index.
#[inline(always)]
pub(crate) fn keep_below(
    limit: i32,
    marks: &[i32],
    indices: &mut [u32],
    beside: &mut [f32],
) -> usize {
    assert!(marks.len() == indices.len() && marks.len() == beside.len(), "a mark for each");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has AVX2, and counts bits.
        return unsafe { keep_eights(limit, marks, indices, beside) };
    }
    keep_rest(limit, marks, indices, beside, 0, 0)
}

/// Goes on after the first `seen`, of which so many were kept.
#[inline(always)]
fn keep_rest(
    limit: i32,
    marks: &[i32],
    indices: &mut [u32],
    beside: &mut [f32],
    seen: usize,
    mut kept: usize,
) -> usize {
    for (at, &mark) in marks.iter().enumerate().skip(seen) {
        (indices[kept], beside[kept]) = (indices[at], 1.0 + mark as f32);
        kept += usize::from(mark < limit);
    }
    kept
}

/// The same, eight at a time. There are as many of each.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn keep_eights(limit: i32, marks: &[i32], indices: &mut [u32], beside: &mut [f32]) -> usize {
    use ludens_core::SET_BITS;
    use std::arch::x86_64::*;
    let (eights, _) = marks.as_chunks::<8>();
    let (mut kept, limits, one) = (0, _mm256_set1_epi32(limit), _mm256_set1_ps(1.0));
    for (nth, marks) in eights.iter().enumerate() {
        // SAFETY: eight of each are read from `8 * nth` on, where marks has eight, and there are as
        // many of each; and eight of each are written from `kept` on, which is no more.
        unsafe {
            let marks = _mm256_loadu_si256(marks.as_ptr().cast());
            let below = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(limits, marks)));
            let order = _mm_loadl_epi64(SET_BITS[below as usize & 255].as_ptr().cast());
            let order = _mm256_cvtepu8_epi32(order);
            let eight = _mm256_loadu_si256(indices.as_ptr().add(8 * nth).cast());
            let eight = _mm256_permutevar8x32_epi32(eight, order);
            _mm256_storeu_si256(indices.as_mut_ptr().add(kept).cast(), eight);
            let more = _mm256_add_ps(_mm256_cvtepi32_ps(marks), one);
            let more = _mm256_permutevar8x32_ps(more, order);
            _mm256_storeu_ps(beside.as_mut_ptr().add(kept), more);
            kept += below.count_ones() as usize;
        }
    }
    keep_rest(limit, marks, indices, beside, 8 * eights.len(), kept)
}
