//! The bitboard view: a board in two 64-bit words.

use crate::{CellBoard, Notation, Player};

/// How a game packs its board into two 64-bit words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Bits of a cell.
    pub bits_per_cell: u32,
    /// Whether the words hold bit planes, the lowest bits first, instead of cells.
    ///
    /// With bit planes, boards that differ only in small values use weights that lie close together.
    /// That helps where the weight tables exceed the cache.
    pub bit_planes: bool,
}

impl Packing {
    /// The index of one bit of one cell, on a board of `cells` cells.
    ///
    /// Indices below 64 lie in the first word, the others in the second.
    #[inline]
    pub fn bit_index(self, cells: usize, cell: usize, bit: u32) -> usize {
        if self.bit_planes {
            bit as usize * cells + cell
        } else {
            cell * self.bits_per_cell as usize + bit as usize
        }
    }
}

/// How many boards [`Bitboards::write_bitboards_x4`] encodes side by side.
pub const BOARDS_X4: usize = 4;

/// One symmetric image of four bitboards (structure of arrays): their first words, then their second.
pub type BitboardX4 = [[u64; BOARDS_X4]; 2];

/// Games whose board can be read as a bitboard.
///
/// Every game implements this trait; an empty `impl` declares that it has no packing. A game with a
/// packing has cells of exactly `2^bits_per_cell` values and at most 128 bits in all.
pub trait Bitboards: CellBoard {
    /// The packing, for games that implement the methods below faster than their defaults.
    fn packing(&self) -> Option<Packing> {
        None
    }

    /// Writes the bitboard as `pov` sees it under each symmetry of the layout in turn.
    ///
    /// Image `s` has at cell `i` what the board has at cell `symmetries[s][i]`. If `images` is
    /// shorter than the list of symmetries, only the first images are written.
    ///
    /// Callers must check that the game has a packing; without one, the content of `images` is
    /// unspecified. The default is slow: it builds the layout and reads the cells.
    fn write_bitboards(&self, state: &Self::State, pov: Player, images: &mut [[u64; 2]]) {
        write_from_cells(self, state, pov, images);
    }

    /// Writes the same for four states: row `s` has image `s` of each.
    ///
    /// `scratch` is working memory; its content is ignored and overwritten. `rows` must contain
    /// zeros, or what this game wrote for other states: a game may skip second words that are always
    /// zero.
    ///
    /// Override where four boards take little longer than one, and mark the method
    /// `#[inline(always)]`: callers may be compiled for wide vectors.
    fn write_bitboards_x4(
        &self,
        states: &[Self::State; BOARDS_X4],
        pov: Player,
        rows: &mut [BitboardX4],
        scratch: &mut Vec<[u64; 2]>,
    ) {
        scratch.resize(rows.len(), [0; 2]);
        for (lane, state) in states.iter().enumerate() {
            self.write_bitboards(state, pov, scratch);
            for ([first, second], image) in rows.iter_mut().zip(&*scratch) {
                (first[lane], second[lane]) = (image[0], image[1]);
            }
        }
    }
}

/// Writes the bitboards of the cells, if the game has a packing.
pub(crate) fn write_from_cells<G: Bitboards>(
    game: &G,
    state: &G::State,
    pov: Player,
    images: &mut [[u64; 2]],
) {
    let Some(packing) = game.packing() else { return };
    let layout = game.layout();
    let mut cells = vec![0; layout.num_cells()];
    game.read_cells(state, pov, &mut cells);
    for (image, symmetry) in images.iter_mut().zip(&layout.symmetries) {
        *image = packed(packing, symmetry.iter().map(|&cell| cells[usize::from(cell)]));
    }
}

/// Games with everything that training needs: rules, cells, notation and bitboards.
pub trait TrainableGame: Notation + Bitboards {}

impl<G: Notation + Bitboards> TrainableGame for G {}

/// The bitboard with these cells.
fn packed(packing: Packing, cells: impl ExactSizeIterator<Item = u8>) -> [u64; 2] {
    let (mut words, count) = ([0; 2], cells.len());
    for (cell, value) in cells.enumerate() {
        for bit in (0..packing.bits_per_cell).filter(|bit| value >> bit & 1 == 1) {
            let index = packing.bit_index(count, cell, bit);
            if let Some(word) = words.get_mut(index / 64) {
                *word |= 1 << (index % 64);
            }
        }
    }
    words
}

/// The images of a square bitboard, in the order of [`square_symmetries`](crate::square_symmetries).
///
/// `transposed` is `plain` with rows and columns exchanged; `upside_down` puts the last row first,
/// and `turned` the last cell.
#[inline(always)]
pub fn square_images<B: Copy>(
    plain: B,
    transposed: B,
    upside_down: impl Fn(B) -> B,
    turned: impl Fn(B) -> B,
) -> [B; 8] {
    [
        plain,
        upside_down(transposed),
        turned(plain),
        upside_down(turned(transposed)),
        upside_down(turned(plain)),
        turned(transposed),
        upside_down(plain),
        transposed,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_follow_each_other_without_bit_planes() {
        let packing = Packing { bits_per_cell: 2, bit_planes: false };
        assert_eq!(packed(packing, [1, 2, 3].into_iter()), [0b11_10_01, 0]);
    }

    #[test]
    fn bit_planes_begin_with_the_lowest_bits() {
        let packing = Packing { bits_per_cell: 2, bit_planes: true };
        assert_eq!(packed(packing, [1, 2, 3].into_iter()), [0b110_101, 0]);
    }

    #[test]
    fn the_second_word_holds_what_the_first_cannot() {
        let packing = Packing { bits_per_cell: 2, bit_planes: false };
        let cells: Vec<u8> = (0..64).map(|i| if i == 32 { 2 } else { 0 }).collect();
        assert_eq!(packed(packing, cells.into_iter()), [0, 2]);
    }
}
