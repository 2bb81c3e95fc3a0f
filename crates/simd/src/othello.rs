//! Moves and turned discs of Othello, the four axes of the board side by side.
//!
//! The rules in plain code are those of `ludens-games`, whose tests compare both.

use crate::cpu::Avx2;

/// The straight lines from one cell to the sides of the board, without the cell.
///
/// The first four go towards higher bits by steps of 1, SIZE, SIZE - 1 and SIZE + 1; the others go
/// by the same steps towards lower bits.
#[derive(Copy, Clone, Debug)]
#[repr(align(64))]
pub struct OthelloLines(pub [u64; 8]);

/// What a disc does: the discs that it turns over, and where the opponent may play then.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OthelloMove {
    /// The discs turned over.
    pub turned: u64,
    /// The cells where the opponent may play next.
    pub playable: u64,
}

impl Avx2 {
    /// The cells where `own` may play on a board of SIZE x SIZE cells.
    #[inline(always)]
    pub fn othello_playable<const SIZE: u32>(self, own: u64, other: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` proves that the processor has AVX2.
        return unsafe { x86::playable::<SIZE>(own, other) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("`Avx2::detect` makes none here: {own} {other}")
    }

    /// Puts a disc of `own` on the cell `at`, a single bit, from which `lines` go.
    #[inline(always)]
    pub fn othello_move<const SIZE: u32>(
        self,
        at: u64,
        lines: &OthelloLines,
        own: u64,
        other: u64,
    ) -> OthelloMove {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` proves that the processor has AVX2.
        return unsafe { x86::play::<SIZE>(at, lines, own, other) };
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("`Avx2::detect` makes none here: {at} {lines:?} {own} {other}")
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{OthelloLines, OthelloMove};
    use std::arch::x86_64::*;

    /// The cells with a neighbour on both sides: a run through them stays in its row.
    const fn inner_columns<const SIZE: u32>() -> u64 {
        let inner = (1 << (SIZE - 1)) - 2;
        let (mut columns, mut row) = (0, 0);
        while row < SIZE {
            columns |= inner << (row * SIZE);
            row += 1;
        }
        columns
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn lanes(words: [u64; 4]) -> __m256i {
        let [a, b, c, d] = words.map(u64::cast_signed);
        _mm256_setr_epi64x(a, b, c, d)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn all(word: u64) -> __m256i {
        _mm256_set1_epi64x(word.cast_signed())
    }

    /// The steps of the four axes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn steps<const SIZE: u32>() -> __m256i {
        lanes([1, SIZE, SIZE - 1, SIZE + 1].map(u64::from))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn union(lanes: __m256i) -> u64 {
        let halves =
            _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        let whole = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
        _mm_cvtsi128_si64(whole).cast_unsigned()
    }

    /// Runs of `other` from discs of `own` by Kogge-Stone fills, and the cells behind them.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn playable<const SIZE: u32>(own: u64, other: u64) -> u64 {
        let inner = other & const { inner_columns::<SIZE>() };
        let (through, from) = (lanes([inner, other, inner, inner]), all(own));
        let step = steps::<SIZE>();
        let twice = _mm256_add_epi64(step, step);
        let pairs = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
        let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(from, step));
        up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs, _mm256_sllv_epi64(up, twice)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs, _mm256_sllv_epi64(up, twice)));
        let pairs = _mm256_srlv_epi64(pairs, step);
        let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(from, step));
        down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs, _mm256_srlv_epi64(down, twice)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs, _mm256_srlv_epi64(down, twice)));
        let ends = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
        union(ends) & !(own | other) & (u64::MAX >> (64 - SIZE * SIZE))
    }

    /// Turns what lies between the disc and the nearest cell of each line not of `other`, if that
    /// cell is of `own`.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn play<const SIZE: u32>(
        at: u64,
        lines: &OthelloLines,
        own: u64,
        other: u64,
    ) -> OthelloMove {
        let [a, b, c, d, e, f, g, h] = lines.0;
        let up = turned_up(lanes([a, b, c, d]), all(own), all(other));
        let down = turned_down(lanes([e, f, g, h]), all(own), all(other), steps::<SIZE>());
        let turned = union(_mm256_or_si256(up, down));
        let playable = playable::<SIZE>(other & !turned, own | at | turned);
        OthelloMove { turned, playable }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn turned_up(line: __m256i, own: __m256i, other: __m256i) -> __m256i {
        let zero = _mm256_setzero_si256();
        let stops = _mm256_andnot_si256(other, line);
        let nearest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
        let held = _mm256_and_si256(nearest, own);
        // One less has all bits below; where nothing is held it stays zero.
        let is_free = _mm256_cmpeq_epi64(held, zero);
        let below = _mm256_sub_epi64(_mm256_add_epi64(held, all(u64::MAX)), is_free);
        _mm256_and_si256(line, below)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn turned_down(line: __m256i, own: __m256i, other: __m256i, step: __m256i) -> __m256i {
        // All cells from the nearest stop on.
        let mut beyond = _mm256_andnot_si256(other, line);
        let twice = _mm256_add_epi64(step, step);
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, twice));
        let four_times = _mm256_add_epi64(twice, twice);
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, four_times));
        let nearest = _mm256_andnot_si256(_mm256_srlv_epi64(beyond, step), beyond);
        let held = _mm256_and_si256(nearest, own);
        let is_free = _mm256_cmpeq_epi64(held, _mm256_setzero_si256());
        _mm256_andnot_si256(is_free, _mm256_andnot_si256(beyond, line))
    }
}
