//! Indices read straight from packed boards.

use crate::hardware::BitExtraction;
use ludens_core::CellLayout;

/// The tuples of a network on boards whose cells are packed into words.
///
/// The indices are the same numbers as those counted digit by digit.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    masks: Vec<Masks>,
    /// For each tuple, the word of each of its cells, and how far that is shifted.
    cells: Vec<Vec<(usize, u32)>>,
    bits: u32,
    extraction: Option<BitExtraction>,
}

/// Where the cells of a tuple lie.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Masks {
    /// Where the table of the tuple starts.
    pub(crate) start: u32,
    /// Bits in the first word.
    pub(crate) shift: u32,
    /// The bits of the tuple's cells in each word.
    pub(crate) words: [u64; 2],
}

impl Packed {
    /// The tuples, each with its cells in ascending order, and where their tables start.
    ///
    /// Nothing if boards of this layout are not packed, or have symbols left over.
    pub(super) fn new(layout: &CellLayout, tuples: &[Vec<u16>], starts: &[u32]) -> Option<Packed> {
        let bits = layout.bits;
        if bits == 0 || layout.values.iter().any(|&values| u32::from(values) != 1 << bits) {
            return None;
        }
        let place = |&cell: &u16| (u32::from(cell) * bits / 64, u32::from(cell) * bits % 64);
        let ones = (1u64 << bits) - 1;
        let mask = |(tuple, &start): (&Vec<u16>, &u32)| {
            let mut words = [0; 2];
            for (word, shift) in tuple.iter().map(place) {
                words[word as usize] |= ones << shift;
            }
            Masks { start, shift: words[0].count_ones(), words }
        };
        let cells = |tuple: &Vec<u16>| {
            tuple.iter().map(place).map(|(word, shift)| (word as usize, shift)).collect()
        };
        Some(Packed {
            masks: tuples.iter().zip(starts).map(mask).collect(),
            cells: tuples.iter().map(cells).collect(),
            bits,
            extraction: BitExtraction::find(),
        })
    }

    /// Appends the index of each tuple on each image, image by image.
    #[inline]
    pub(super) fn append(&self, images: &[[u64; 2]], indices: &mut Vec<u32>) {
        let from = indices.len();
        indices.resize(from + images.len() * self.masks.len(), 0);
        match self.extraction {
            Some(extraction) => extraction.fill(&self.masks, images, &mut indices[from..]),
            None => self.fill_cell_by_cell(images, &mut indices[from..]),
        }
    }

    /// The sum of what `value` tells of the index of each tuple on each image; the same on every
    /// processor. `room` holds nothing of worth before or after.
    #[inline]
    pub(super) fn sum(
        &self,
        images: &[[u64; 2]],
        room: &mut Vec<u32>,
        value: impl Fn(u32) -> f32,
    ) -> f32 {
        if let Some(extraction) = self.extraction {
            return extraction.sum(&self.masks, images, value);
        }
        self.sum_cell_by_cell(images, room, value)
    }

    fn sum_cell_by_cell(
        &self,
        images: &[[u64; 2]],
        room: &mut Vec<u32>,
        value: impl Fn(u32) -> f32,
    ) -> f32 {
        room.resize(self.masks.len(), 0);
        let mut sum = [0.0; 4];
        for image in images {
            self.fill_cell_by_cell(std::slice::from_ref(image), room);
            room.iter().enumerate().for_each(|(i, &index)| sum[i % 4] += value(index));
        }
        (sum[0] + sum[2]) + (sum[1] + sum[3])
    }

    fn fill_cell_by_cell(&self, images: &[[u64; 2]], indices: &mut [u32]) {
        let ones = (1u64 << self.bits) - 1;
        for (image, indices) in images.iter().zip(indices.chunks_exact_mut(self.masks.len())) {
            for ((index, masks), cells) in indices.iter_mut().zip(&self.masks).zip(&self.cells) {
                *index = masks.start;
                for (&(word, shift), place) in cells.iter().zip(0..) {
                    *index += ((image[word] >> shift & ones) as u32) << (place * self.bits);
                }
            }
        }
    }
}

/// The sum over all images and tuples, in four lanes: a fixed order that keeps memory busy.
#[inline(always)]
pub(crate) fn packed_sum(
    tuples: &[Masks],
    images: &[[u64; 2]],
    value: impl Fn(&[u64; 2], &Masks) -> f32,
) -> f32 {
    let (fours, rest) = tuples.as_chunks::<4>();
    let mut sum = [0.0f32; 4];
    for image in images {
        for four in fours {
            for lane in 0..4 {
                sum[lane] += value(image, &four[lane]);
            }
        }
        for (sum, tuple) in sum.iter_mut().zip(rest) {
            *sum += value(image, tuple);
        }
    }
    (sum[0] + sum[2]) + (sum[1] + sum[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sight;
    use crate::ntuple::{Lookups, random_walks};
    use ludens_core::{Rng, square_symmetries};

    /// A random board of this layout, cell by cell and packed.
    fn board(layout: &CellLayout, rng: &mut Rng) -> (Sight, Sight) {
        let values = usize::from(layout.values[0]);
        let digits: Vec<u8> = layout.values.iter().map(|_| rng.below(values) as u8).collect();
        let pack = |symmetry: &Vec<u16>| {
            let mut words = [0u64; 2];
            for (cell, &from) in symmetry.iter().enumerate() {
                let at = cell * layout.bits as usize;
                words[at / 64] |= u64::from(digits[usize::from(from)]) << (at % 64);
            }
            words
        };
        let images = layout.symmetries.iter().map(pack).collect();
        (Sight { digits, ..Sight::default() }, Sight { images, ..Sight::default() })
    }

    #[test]
    fn packed_boards_have_the_indices_of_their_cells_on_every_processor() {
        for (side, bits, length) in [(4, 4, 6), (8, 2, 6), (4, 2, 3)] {
            let layout = CellLayout::grid(side, side, 1 << bits)
                .with_symmetries(square_symmetries(side))
                .with_packing(bits);
            let rng = &mut Rng::seeded(3);
            let tuples = random_walks(&layout, 4, length, rng).unwrap();
            let lookups = Lookups::new(&layout, tuples).unwrap();
            let packed = lookups.packed.as_ref().unwrap();
            for _ in 0..50 {
                let (cells, words) = board(&layout, rng);
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                lookups.fill(&cells, &mut expected);
                lookups.fill(&words, &mut found);
                assert_eq!(found, expected);
                packed.fill_cell_by_cell(&words.images, &mut found);
                assert_eq!(found, expected);
                let value = |index: u32| (index as f32).sin();
                let sum = packed.sum(&words.images, &mut found, value);
                assert_eq!(packed.sum_cell_by_cell(&words.images, &mut found, value), sum);
            }
        }
    }
}
