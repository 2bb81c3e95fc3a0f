//! Bitboards of 8x8 Othello, two bits per cell, under the eight symmetries.

use ludens_core::square_images;

/// Writes all images of the board with first bits `ones` and second bits `twos`.
#[inline]
pub(super) fn write(ones: u64, twos: u64, images: &mut [[u64; 2]]) {
    let plain = interleaved(ones, twos);
    let crossed = interleaved(transposed(ones), transposed(twos));
    let all = square_images(plain, crossed, upside_down, turned);
    let count = images.len();
    images.copy_from_slice(&all[..count]);
}

#[inline]
fn interleaved(ones: u64, twos: u64) -> [u64; 2] {
    let half = |shift: u32| spread(ones >> shift) | spread(twos >> shift) << 1;
    [half(0), half(32)]
}

/// The lowest 32 bits, each followed by a zero.
#[inline]
fn spread(bits: u64) -> u64 {
    let mut spread = bits & 0xffff_ffff;
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff;
    spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff;
    spread = (spread | spread << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    spread = (spread | spread << 2) & 0x3333_3333_3333_3333;
    (spread | spread << 1) & 0x5555_5555_5555_5555
}

/// Swaps rows and columns; one bit per cell.
#[inline]
fn transposed(mut bits: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let differ = (bits ^ bits >> shift) & mask;
        bits ^= differ ^ differ << shift;
    }
    bits
}

/// Reverses the order of the rows; a row has 16 bits.
#[inline]
fn upside_down([first, last]: [u64; 2]) -> [u64; 2] {
    let rows = |word: u64| {
        let pairs = word.rotate_left(32);
        (pairs & 0x0000_ffff_0000_ffff) << 16 | pairs >> 16 & 0x0000_ffff_0000_ffff
    };
    [rows(last), rows(first)]
}

/// Reverses the order of the cells: a half turn.
#[inline]
fn turned([first, last]: [u64; 2]) -> [u64; 2] {
    let cells = |word: u64| {
        let word = word.swap_bytes();
        let word = (word & 0x0f0f_0f0f_0f0f_0f0f) << 4 | word >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
        (word & 0x3333_3333_3333_3333) << 2 | word >> 2 & 0x3333_3333_3333_3333
    };
    [cells(last), cells(first)]
}
