//! Bitboards of 2048: four bit planes of sixteen bits, first the lowest bit of each cell.

use super::{Game2048, State, swap, transposed};
use ludens_core::{BOARDS_X4, BitboardX4, Bitboards, Packing, Player, square_images};

impl Bitboards for Game2048 {
    #[inline]
    fn packing(&self) -> Option<Packing> {
        Some(Packing { bits_per_cell: 4, bit_planes: true })
    }

    #[inline]
    fn write_bitboards(&self, state: &State, _: Player, images: &mut [[u64; 2]]) {
        let plain = of_cells(state.clamped());
        let all = square_images(plain, crossed(plain), upside_down, turned);
        match images.as_mut_array() {
            Some(images) => *images = all.map(|board| [board, 0]),
            None => images.iter_mut().zip(all).for_each(|(image, board)| *image = [board, 0]),
        }
    }

    #[inline(always)]
    fn write_bitboards_x4(
        &self,
        states: &[State; BOARDS_X4],
        _: Player,
        rows: &mut [BitboardX4],
        _: &mut Vec<[u64; 2]>,
    ) {
        let mut cells = [0; BOARDS_X4];
        cells.iter_mut().zip(states).for_each(|(cells, state)| *cells = state.clamped());
        let plain = cells.map(of_cells);
        let all = square_images(
            plain,
            plain.map(crossed),
            |boards| boards.map(upside_down),
            |boards| boards.map(turned),
        );
        // The second words stay zero.
        match rows.as_mut_array::<8>() {
            Some(rows) => (0..8).for_each(|image| rows[image][0] = all[image]),
            None => rows.iter_mut().zip(all).for_each(|(row, boards)| row[0] = boards),
        }
    }
}

/// The bit planes of a board with four bits per cell.
#[inline(always)]
fn of_cells(cells: u64) -> u64 {
    // Swap bits with cells, first within each row, then among rows.
    transposed(crossed(cells))
}

/// Swaps rows and columns.
#[inline(always)]
fn crossed(planes: u64) -> u64 {
    swap(swap(planes, 0x0a0a_0a0a_0a0a_0a0a, 3), 0x00cc_00cc_00cc_00cc, 6)
}

/// Reverses the order of the rows.
#[inline(always)]
fn upside_down(planes: u64) -> u64 {
    exchange(exchange(planes, 0x00ff_00ff_00ff_00ff, 8), 0x0f0f_0f0f_0f0f_0f0f, 4)
}

/// Reverses the order of the cells: a half turn.
#[inline(always)]
fn turned(planes: u64) -> u64 {
    let rows = upside_down(planes);
    exchange(exchange(rows, 0x3333_3333_3333_3333, 2), 0x5555_5555_5555_5555, 1)
}

/// Swaps the bits under the mask with those `shift` above them, where these are all bits.
///
/// That takes one instruction less than [`swap`].
#[inline(always)]
fn exchange(bits: u64, mask: u64, shift: u32) -> u64 {
    (bits & mask) << shift | bits >> shift & mask
}
