//! Indices read straight from packed boards.

use super::boards::{Boards, SECOND, SIDE_BY_SIDE, STEP, Sums, Views, WINDOWS, views, windows};
use crate::Sight;
use crate::bank::{Bank, add_lanes};
use crate::hardware::{BitExtraction, Extract, Whole, Work, fetch, run_widely, sum_at, sum_rows};
use ludens_core::CellLayout;
use std::{array, iter};

/// The tuples of a network on boards whose cells are packed into words.
///
/// The indices are the same numbers as those counted digit by digit.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    tuples: Masked,
    /// Masks cover whole pieces of so many bits.
    piece: u32,
    extraction: Option<BitExtraction>,
}

/// Tuples as masks over the words of a board.
///
/// A tuple whose cells lie close together is read from one word: the board is looked at through
/// *windows* of 64 bits that begin every 16 bits.
#[derive(Clone, Debug)]
pub(crate) struct Masked {
    tuples: Vec<Masks>,
    /// The tuples that are read from one window, by window, and those that are not.
    close: Vec<Masks>,
    wide: Vec<Masks>,
    /// Whether all cells lie in the first word.
    one_word: bool,
}

/// Where the cells of a tuple lie.
#[derive(Copy, Clone, Debug)]
struct Masks {
    /// The bits of its cells in its window, or of those in the first word.
    mask: u64,
    /// The bits of its cells in the second word, if no window holds all.
    beyond: u64,
    /// How many bits `mask` has.
    shift: u32,
    /// Where its table starts.
    start: u32,
    /// The window it is read from.
    window: usize,
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
        let masks = |(tuple, &start): (&Vec<u16>, &u32)| Masks::new(layout, tuple, start);
        let tuples: Vec<Masks> = tuples.iter().zip(starts).map(masks).collect();
        let one_word = tuples.iter().all(|tuple| tuple.window == 0 && tuple.beyond == 0);
        let (mut close, wide): (Vec<Masks>, _) = tuples.iter().partition(|tuple| tuple.beyond == 0);
        close.sort_by_key(|tuple| tuple.window);
        let tuples = Masked { tuples, close, wide, one_word };
        let piece = if layout.planes { 1 } else { bits };
        Some(Packed { tuples, piece, extraction: BitExtraction::find() })
    }

    /// Appends the index of each tuple on each image, image by image.
    #[inline]
    pub(super) fn append(&self, images: &[[u64; 2]], indices: &mut Vec<u32>) {
        let from = indices.len();
        indices.resize(from + images.len() * self.tuples.tuples.len(), 0);
        match self.extraction {
            Some(extraction) => {
                extraction.fill(&self.tuples, images, &mut indices[from..], |_| {});
            }
            None => self.fill_piece_by_piece(images, &mut indices[from..]),
        }
    }

    /// The sum of the weights of each tuple on each image; the same on every processor.
    #[inline]
    pub(super) fn sum(&self, images: &[[u64; 2]], bank: impl Bank) -> f32 {
        match self.extraction {
            Some(extraction) => extraction.sum(&self.tuples, images, bank),
            None => self.sum_piece_by_piece(images, bank),
        }
    }

    /// Appends that sum for each of these positions; `boards` holds nothing of worth.
    #[inline]
    pub(super) fn sum_each(
        &self,
        sights: &[Sight],
        bank: impl Bank,
        boards: &mut Boards,
        sums: &mut Vec<f32>,
    ) {
        boards.clear();
        if !sights.iter().all(|sight| boards.push(&sight.images)) {
            return sums.extend(sights.iter().map(|sight| self.sum(&sight.images, bank)));
        }
        match self.extraction {
            Some(extraction) => extraction.sum_all(&self.tuples, boards, bank),
            None => self.tuples.sum_all(boards, bank, self.piece_by_piece()),
        }
        sums.extend(boards.sums());
    }

    /// The same for positions whose indices are known.
    #[inline]
    pub(super) fn sum_announced(&self, sights: &[Sight], bank: impl Bank, sums: &mut Vec<f32>) {
        let (from, tuples) = (sums.len(), self.tuples.tuples.len());
        sums.resize(from + sights.len(), 0.0);
        let boards = sights.iter().map(|sight| &sight.indices[..]);
        run_widely(Adding { tuples, boards, bank, sums: &mut sums[from..] });
    }

    /// The same for one position.
    #[inline]
    pub(super) fn sum_known(&self, indices: &[u32], bank: impl Bank) -> f32 {
        let (mut sum, tuples) = (0.0, self.tuples.tuples.len());
        let (boards, sums) = (iter::once(indices), array::from_mut(&mut sum));
        run_widely(Adding { tuples, boards, bank, sums });
        sum
    }

    /// Writes the index of each tuple on each image, and begins to fetch its weight.
    #[inline]
    pub(super) fn announce(&self, images: &[[u64; 2]], bank: impl Bank, indices: &mut Vec<u32>) {
        indices.resize(images.len() * self.tuples.tuples.len(), 0);
        let (kept, pieces) = (bank.kept(), self.piece_by_piece());
        let announce = |index| fetch(kept, index);
        match self.extraction {
            Some(extraction) => extraction.fill(&self.tuples, images, indices, announce),
            None => self.tuples.fill(images, indices, pieces, announce),
        }
    }

    fn piece_by_piece(&self) -> PieceByPiece {
        PieceByPiece { bits: self.piece }
    }

    fn sum_piece_by_piece(&self, images: &[[u64; 2]], bank: impl Bank) -> f32 {
        self.tuples.sum(images, bank, self.piece_by_piece())
    }

    fn fill_piece_by_piece(&self, images: &[[u64; 2]], indices: &mut [u32]) {
        self.tuples.fill(images, indices, self.piece_by_piece(), |_| {});
    }
}

/// Moves bits together piece by piece; masks cover whole pieces of so many bits.
#[derive(Copy, Clone)]
struct PieceByPiece {
    bits: u32,
}

impl Extract for PieceByPiece {
    fn extract(self, word: u64, mut mask: u64) -> u64 {
        let (mut extracted, mut place) = (0, 0);
        while mask != 0 {
            let piece = ((1 << self.bits) - 1) << mask.trailing_zeros();
            extracted |= (word & piece) >> mask.trailing_zeros() << place;
            (mask, place) = (mask & !piece, place + self.bits);
        }
        extracted
    }
}

impl Masks {
    fn new(layout: &CellLayout, tuple: &[u16], start: u32) -> Masks {
        let bits = tuple.iter().flat_map(|&cell| (0..layout.bits).map(move |bit| (cell, bit)));
        let place = |(cell, bit): (u16, u32)| layout.packed_bit(usize::from(cell), bit);
        let all = bits.fold(0u128, |all, bit| all | 1 << place(bit));
        let holds = |window: &u32| {
            all >> (window * STEP) << (window * STEP) == all
                && all >> (window * STEP) <= u128::from(u64::MAX)
        };
        let window = (0..WINDOWS).find(holds);
        let from = window.unwrap_or(0) * STEP;
        let (mask, beyond) = ((all >> from) as u64, if window.is_some() { 0 } else { all >> 64 });
        let (shift, window) = (mask.count_ones(), window.unwrap_or(0) as usize);
        Masks { mask, beyond: beyond as u64, shift, start, window }
    }

    /// The index in the tuple's table, read from its window and the second word.
    #[inline(always)]
    fn index(&self, window: u64, second: u64, bits: impl Extract) -> u32 {
        let index = bits.extract(window, self.mask);
        if self.beyond == 0 {
            return index as u32;
        }
        (index | bits.extract(second, self.beyond) << self.shift) as u32
    }
}

/// Adds the weights of `T` tuples that are read from the same window, on each image of some boards,
/// to the sum of that image; boards come as the views of their images.
#[inline(always)]
fn add_close<'a, const T: usize, const N: usize>(
    tuples: &[Masks; T],
    bank: impl Bank,
    boards: impl Iterator<Item = (&'a Views<N>, &'a mut Sums<N>)>,
    bits: impl Extract,
) {
    let banks = tuples.map(|tuple| bank.after(tuple.start));
    let tables: [_; T] = array::from_fn(|nth| Whole::new(&banks[nth], tuples[nth].mask));
    for (views, sums) in boards {
        let view = &views[tuples[0].window & 7];
        for (&word, sum) in view.iter().zip(sums) {
            *sum = tables.iter().fold(*sum, |sum, table| sum + bits.look(table, word));
        }
    }
}

/// The same for a tuple that reads the second word besides its window.
#[inline(always)]
fn add_wide<'a, const N: usize>(
    tuple: &Masks,
    bank: impl Bank,
    boards: impl Iterator<Item = (&'a Views<N>, &'a mut Sums<N>)>,
    bits: impl Extract,
) {
    let table = bank.after(tuple.start);
    for (views, sums) in boards {
        let (view, seconds) = (&views[tuple.window & 7], &views[SECOND]);
        for lane in 0..N {
            sums[lane] += table.value(tuple.index(view[lane], seconds[lane], bits));
        }
    }
}

impl Masked {
    /// Writes the index of each tuple on each image, image by image, and tells `visit` of it.
    #[inline(always)]
    pub(crate) fn fill(
        &self,
        images: &[[u64; 2]],
        indices: &mut [u32],
        bits: impl Extract,
        visit: impl Fn(u32),
    ) {
        match self.tuples.len() {
            4 if self.one_word => return self.fill_from_words::<4>(images, indices, bits, visit),
            8 if self.one_word => return self.fill_from_words::<8>(images, indices, bits, visit),
            _ => {}
        }
        if let Ok(images) = images.try_into() {
            return self.fill_side_by_side(images, indices, bits, visit);
        }
        for (image, indices) in images.iter().zip(indices.chunks_exact_mut(self.tuples.len())) {
            let windows = windows(image);
            for (index, tuple) in indices.iter_mut().zip(&self.tuples) {
                let window = windows[tuple.window & 7];
                *index = tuple.start + tuple.index(window, image[1], bits);
                visit(*index);
            }
        }
    }

    /// The same tuple by tuple, so that what is known of a tuple is read once for all images.
    #[inline(always)]
    fn fill_side_by_side(
        &self,
        images: &[[u64; 2]; SIDE_BY_SIDE],
        indices: &mut [u32],
        bits: impl Extract,
        visit: impl Fn(u32),
    ) {
        let (views, mut rows) = (views(images), indices.chunks_exact_mut(self.tuples.len()));
        let mut rows: [&mut [u32]; SIDE_BY_SIDE] =
            array::from_fn(|_| rows.next().unwrap_or_default());
        for (nth, tuple) in self.tuples.iter().enumerate() {
            let view = &views[tuple.window & 7];
            let mut found = [0; SIDE_BY_SIDE];
            if tuple.beyond == 0 {
                for lane in 0..SIDE_BY_SIDE {
                    found[lane] = bits.extract(view[lane], tuple.mask) as u32;
                }
            } else {
                for lane in 0..SIDE_BY_SIDE {
                    found[lane] = tuple.index(view[lane], views[SECOND][lane], bits);
                }
            }
            for (row, index) in rows.iter_mut().zip(found) {
                row[nth] = tuple.start + index;
                visit(row[nth]);
            }
        }
    }

    /// The same for `N` tuples whose cells lie in the first word.
    #[inline(always)]
    fn fill_from_words<const N: usize>(
        &self,
        images: &[[u64; 2]],
        indices: &mut [u32],
        bits: impl Extract,
        visit: impl Fn(u32),
    ) {
        let Some(tuples) = self.tuples.first_chunk::<N>() else { return };
        let (rows, _) = indices.as_chunks_mut::<N>();
        for (row, image) in rows.iter_mut().zip(images) {
            for i in 0..N {
                row[i] = tuples[i].start + bits.extract(image[0], tuples[i].mask) as u32;
                visit(row[i]);
            }
        }
    }

    /// The sum of the weights of each tuple on each image: tuple by tuple, in a lane for each image.
    #[inline(always)]
    pub(crate) fn sum(&self, images: &[[u64; 2]], bank: impl Bank, bits: impl Extract) -> f32 {
        let mut sums = [0.0; SIDE_BY_SIDE];
        let (blocks, rest) = images.as_chunks::<SIDE_BY_SIDE>();
        for block in blocks {
            sums = self.add(block, bank, bits, sums);
        }
        for (image, sum) in rest.iter().zip(&mut sums) {
            [*sum] = self.add(array::from_ref(image), bank, bits, [*sum]);
        }
        add_lanes(sums)
    }

    /// The same for several boards, a few tuples at a time: what boards have in common is still in
    /// the fastest cache when the next one asks for it.
    #[inline(always)]
    pub(crate) fn sum_all(&self, boards: &mut Boards, bank: impl Bank, bits: impl Extract) {
        for alike in self.close.chunk_by(|one, other| one.window == other.window) {
            let (fours, rest) = alike.as_chunks::<4>();
            let (twos, rest) = rest.as_chunks::<2>();
            fours.iter().for_each(|tuples| add_close(tuples, bank, boards.each(), bits));
            twos.iter().for_each(|tuples| add_close(tuples, bank, boards.each(), bits));
            rest.iter().for_each(|tuple| add_close(&[*tuple], bank, boards.each(), bits));
        }
        for tuple in &self.wide {
            add_wide(tuple, bank, boards.each(), bits);
        }
    }

    /// Adds the weights of each tuple on each of `N` images to the sum of that image.
    #[inline(always)]
    fn add<const N: usize>(
        &self,
        images: &[[u64; 2]; N],
        bank: impl Bank,
        bits: impl Extract,
        mut sums: [f32; N],
    ) -> [f32; N] {
        let views = views(images);
        for tuple in &self.close {
            add_close(&[*tuple], bank, iter::once((&views, &mut sums)), bits);
        }
        for tuple in &self.wide {
            add_wide(tuple, bank, iter::once((&views, &mut sums)), bits);
        }
        sums
    }
}

/// Adding up the weights of some boards whose indices are known, image by image.
struct Adding<'a, I, B> {
    tuples: usize,
    boards: I,
    bank: B,
    sums: &'a mut [f32],
}

impl<'a, I: Iterator<Item = &'a [u32]>, B: Bank> Work for Adding<'_, I, B> {
    #[inline(always)]
    fn run(self) {
        let Adding { tuples, boards, bank, sums } = self;
        for (indices, sum) in boards.zip(sums) {
            *sum = match tuples {
                4 => {
                    let [a, b, c, d] = sum_rows(bank, indices.as_chunks::<4>().0);
                    (a + c) + (b + d)
                }
                8 => add_lanes(sum_rows(bank, indices.as_chunks::<8>().0)),
                _ => sum_at(bank, indices),
            };
        }
    }
}

#[cfg(test)]
mod tests;
