//! Boards whose weights are fetched before they are needed.

use super::{Masked, Packed};
use crate::Sights;
use crate::bank::{Bank, add_lanes};
use crate::hardware::{Extract, Work, fetch, run_widely, sum_at, sum_boards};
use crate::ntuple::boards::SIDE_BY_SIDE;
use ludens_core::{ABREAST, Abreast};
use std::array;

impl Packed {
    /// Writes the index of each tuple on each image of these boards, and begins to fetch its
    /// weight.
    #[inline(always)]
    pub(in crate::ntuple) fn announce(&self, sights: &mut Sights, bank: impl Bank) {
        let Sights { count, images, indices, .. } = sights;
        let needed = *count * self.looks;
        if indices.len() < needed {
            indices.resize(needed, 0);
        }
        let (kept, indices, pieces) = (bank.kept(), &mut indices[..needed], self.piece_by_piece());
        let announce = |index| fetch(kept, index);
        match self.extraction {
            Some(extraction) => extraction.fill_all(&self.tuples, images, indices, announce),
            None => self.tuples.fill_all(images, indices, pieces, announce),
        }
    }

    /// Writes the sum of the weights of each of these boards, whose indices are known.
    #[inline]
    pub(in crate::ntuple) fn sum_announced(
        &self,
        indices: &[u32],
        bank: impl Bank,
        sums: &mut [f32],
    ) {
        run_widely(Adding { packed: self, indices, bank, sums });
    }

    /// The same for one board.
    #[inline(always)]
    pub(in crate::ntuple) fn sum_known(&self, indices: &[u32], bank: impl Bank) -> f32 {
        let mut sum = 0.0;
        Adding { packed: self, indices, bank, sums: array::from_mut(&mut sum) }.run();
        sum
    }
}

impl Masked {
    /// Writes the index of each tuple on each image, board by board, and tells `visit` of it.
    #[inline(always)]
    pub(crate) fn fill_all(
        &self,
        images: &[Abreast],
        indices: &mut [u32],
        bits: impl Extract,
        visit: impl Fn(u32),
    ) {
        match self.tuples.len() {
            4 if self.is_simple() => return self.fill_firsts::<4>(images, indices, bits, visit),
            8 if self.is_simple() => return self.fill_firsts::<8>(images, indices, bits, visit),
            _ => {}
        }
        let rows = indices.chunks_exact_mut(self.tuples.len());
        for (nth, row) in rows.enumerate() {
            let (board, image) = (nth / self.images, nth % self.images);
            let abreast = &images[board / ABREAST * self.images + image];
            self.fill(&[abreast.map(|words| words[board % ABREAST])], row, bits);
            row.iter().for_each(|&index| visit(index));
        }
    }

    /// Whether boards have eight images, and all cells lie in their first words.
    #[inline(always)]
    fn is_simple(&self) -> bool {
        self.one_word && self.images == SIDE_BY_SIDE
    }

    /// The same for `N` tuples on such boards.
    #[inline(always)]
    fn fill_firsts<const N: usize>(
        &self,
        images: &[Abreast],
        indices: &mut [u32],
        bits: impl Extract,
        visit: impl Fn(u32),
    ) {
        let Some(tuples) = self.tuples.first_chunk::<N>() else { return };
        // Apart, so that they stay in registers.
        let (masks, starts) = (tuples.map(|tuple| tuple.mask), tuples.map(|tuple| tuple.start));
        let (boards, _) = indices.as_chunks_mut::<N>().0.as_chunks_mut::<SIDE_BY_SIDE>();
        let (blocks, _) = images.as_chunks::<SIDE_BY_SIDE>();
        for (nth, rows) in boards.iter_mut().enumerate() {
            let (block, lane) = (&blocks[nth / ABREAST], nth % ABREAST);
            for (row, [firsts, _]) in rows.iter_mut().zip(block) {
                for i in 0..N {
                    let index = starts[i] + bits.extract(firsts[lane], masks[i]) as u32;
                    // In this order: compilers put off telling otherwise, and run out of registers.
                    visit(index);
                    row[i] = index;
                }
            }
        }
    }
}

/// Adding up the weights of some boards whose indices are known, image by image.
struct Adding<'a, B> {
    packed: &'a Packed,
    indices: &'a [u32],
    bank: B,
    sums: &'a mut [f32],
}

impl<B: Bank> Work for Adding<'_, B> {
    #[inline(always)]
    fn run(self) {
        let Adding { packed, indices, bank, sums } = self;
        match (packed.tuples.tuples.len(), packed.tuples.images) {
            (4, SIDE_BY_SIDE) => {
                let boards = indices.as_chunks().0.as_chunks::<SIDE_BY_SIDE>().0;
                sum_boards(bank, boards, |[a, b, c, d]| (a + c) + (b + d), sums);
            }
            (8, SIDE_BY_SIDE) => {
                let boards = indices.as_chunks().0.as_chunks::<SIDE_BY_SIDE>().0;
                sum_boards(bank, boards, add_lanes, sums);
            }
            _ => {
                for (indices, sum) in indices.chunks_exact(packed.looks).zip(sums) {
                    *sum = sum_at(bank, indices);
                }
            }
        }
    }
}
