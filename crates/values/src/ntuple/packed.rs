//! Indices read straight from packed boards.

mod announced;

use super::boards::{Boards, SECOND, SIDE_BY_SIDE, STEP, Sums, Views, WINDOWS, views, windows};
use crate::Sight;
use crate::bank::{Bank, add_lanes};
use crate::hardware::{Extract, Whole, Wide, Work};
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
    wide: Option<Wide>,
    /// Look-ups of one board.
    looks: usize,
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
    /// How many images a board has.
    images: usize,
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
        let (images, count) = (layout.symmetries.len(), tuples.len());
        let tuples = Masked { tuples, close, wide, one_word, images };
        let (piece, looks) = (if layout.planes { 1 } else { bits }, images * count);
        Some(Packed { tuples, piece, wide: Wide::find(), looks })
    }

    /// Whether the processor has wide vectors.
    #[inline]
    pub(super) fn wide(&self) -> Option<Wide> {
        self.wide
    }

    /// Appends the index of each tuple on each image, image by image.
    #[inline]
    pub(super) fn append(&self, images: &[[u64; 2]], indices: &mut Vec<u32>) {
        let from = indices.len();
        indices.resize(from + images.len() * self.tuples.tuples.len(), 0);
        let (tuples, indices) = (&self.tuples, &mut indices[from..]);
        match self.wide {
            Some(wide) => wide.run_with_bits(Fill { tuples, images, indices, wide }),
            None => self.fill_piece_by_piece(images, indices),
        }
    }

    /// The sum of the weights of each tuple on each image; the same on every processor.
    #[inline]
    pub(super) fn sum(&self, images: &[[u64; 2]], bank: impl Bank) -> f32 {
        let (tuples, mut sum) = (&self.tuples, 0.0);
        match self.wide {
            Some(wide) => wide.run_with_bits(Sum { tuples, images, bank, wide, sum: &mut sum }),
            None => sum = self.sum_piece_by_piece(images, bank),
        }
        sum
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
        let tuples = &self.tuples;
        match self.wide {
            Some(wide) => wide.run_with_bits(SumAll { tuples, boards, bank, wide }),
            None => tuples.sum_all(boards, bank, self.piece_by_piece()),
        }
        sums.extend(boards.sums());
    }

    fn piece_by_piece(&self) -> PieceByPiece {
        PieceByPiece { bits: self.piece }
    }

    fn sum_piece_by_piece(&self, images: &[[u64; 2]], bank: impl Bank) -> f32 {
        self.tuples.sum(images, bank, self.piece_by_piece())
    }

    fn fill_piece_by_piece(&self, images: &[[u64; 2]], indices: &mut [u32]) {
        self.tuples.fill(images, indices, self.piece_by_piece());
    }
}

/// Writing the index of each tuple on each image.
struct Fill<'a> {
    tuples: &'a Masked,
    images: &'a [[u64; 2]],
    indices: &'a mut [u32],
    wide: Wide,
}

impl Work for Fill<'_> {
    #[inline(always)]
    fn run(self) {
        self.tuples.fill(self.images, self.indices, self.wide);
    }
}

/// Adding up the weights of one board.
struct Sum<'a, B> {
    tuples: &'a Masked,
    images: &'a [[u64; 2]],
    bank: B,
    wide: Wide,
    sum: &'a mut f32,
}

impl<B: Bank> Work for Sum<'_, B> {
    #[inline(always)]
    fn run(self) {
        *self.sum = self.tuples.sum(self.images, self.bank, self.wide);
    }
}

/// Adding up the weights of several boards.
struct SumAll<'a, B> {
    tuples: &'a Masked,
    boards: &'a mut Boards,
    bank: B,
    wide: Wide,
}

impl<B: Bank> Work for SumAll<'_, B> {
    #[inline(always)]
    fn run(self) {
        self.tuples.sum_all(self.boards, self.bank, self.wide);
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
    /// Writes the index of each tuple on each image, image by image.
    #[inline(always)]
    pub(crate) fn fill(&self, images: &[[u64; 2]], indices: &mut [u32], bits: impl Extract) {
        if let Ok(images) = images.try_into() {
            return self.fill_side_by_side(images, indices, bits);
        }
        for (image, indices) in images.iter().zip(indices.chunks_exact_mut(self.tuples.len())) {
            let windows = windows(image);
            for (index, tuple) in indices.iter_mut().zip(&self.tuples) {
                let window = windows[tuple.window & 7];
                *index = tuple.start + tuple.index(window, image[1], bits);
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

#[cfg(test)]
mod tests;
