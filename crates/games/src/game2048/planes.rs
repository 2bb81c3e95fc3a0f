//! The board bit by bit: four times sixteen bits, first the lowest bit of each cell.

use super::{swap, transposed};

/// The bits of four bits a cell.
#[inline(always)]
pub(super) fn of_cells(cells: u64) -> u64 {
    // Within each row, then among rows, bits take the place of cells.
    transposed(crossed(cells))
}

/// Rows and columns exchanged.
#[inline(always)]
pub(super) fn crossed(planes: u64) -> u64 {
    swap(swap(planes, 0x0a0a_0a0a_0a0a_0a0a, 3), 0x00cc_00cc_00cc_00cc, 6)
}

/// The last row first.
#[inline(always)]
pub(super) fn upside_down(planes: u64) -> u64 {
    exchange(exchange(planes, 0x00ff_00ff_00ff_00ff, 8), 0x0f0f_0f0f_0f0f_0f0f, 4)
}

/// The last cell first.
#[inline(always)]
pub(super) fn turned(planes: u64) -> u64 {
    let rows = upside_down(planes);
    exchange(exchange(rows, 0x3333_3333_3333_3333, 2), 0x5555_5555_5555_5555, 1)
}

/// The bits under the mask, and those so far above them, in each other's place, where these are all:
/// one instruction less than [`swap`].
#[inline(always)]
fn exchange(bits: u64, mask: u64, shift: u32) -> u64 {
    (bits & mask) << shift | bits >> shift & mask
}
