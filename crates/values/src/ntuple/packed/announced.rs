//! Boards whose weights are fetched before they are needed.
//!
//! The places of weights are counted within the table of their tuple where there are four or eight
//! tuples and boards are simple: what is known of a table then stays in registers. Otherwise they are
//! indices.

use super::{Masked, Packed};
use crate::Sights;
use crate::bank::{Bank, add_lanes};
use crate::hardware::{Extract, Places, fetch, sum_at, sum_boards, sum_tables};
use crate::ntuple::boards::SIDE_BY_SIDE;
use ludens_core::{ABREAST, Abreast};
use std::array;

/// The places of the weights of one board of `N` tuples.
type Looks<const N: usize> = [[u32; N]; SIDE_BY_SIDE];

/// Each image of up to four simple boards.
type Block = [Abreast; SIDE_BY_SIDE];

/// The tables of `N` tuples on simple boards. Together, so that they stay in registers.
struct Tables<B, const N: usize> {
    masks: [u64; N],
    banks: [B; N],
}

impl<B: Bank, const N: usize> Tables<B, N> {
    #[inline(always)]
    fn new(tuples: &Masked, bank: B) -> Tables<B, N> {
        let masks = array::from_fn(|i| tuples.tuples[i].mask);
        Tables { masks, banks: tuples.starts().map(|start| bank.after(start)) }
    }

    /// Writes the place of each tuple's weight on each image of up to four boards, and begins to fetch
    /// it.
    #[inline(always)]
    fn announce(&self, images: &Block, boards: &mut [Looks<N>], bits: impl Extract) {
        for (lane, rows) in boards.iter_mut().enumerate() {
            for (row, [firsts, _]) in rows.iter_mut().zip(images) {
                let word = firsts[lane % ABREAST];
                for (i, found) in row.iter_mut().enumerate() {
                    let place = bits.extract(word, self.masks[i]) as usize;
                    // In this order: compilers put off fetching otherwise, and run out of registers.
                    fetch(self.banks[i].kept(), place);
                    *found = place as u32;
                }
            }
        }
    }
}

impl Packed {
    /// Writes the place of each tuple's weight on each image of these boards, and begins to fetch it.
    #[inline(always)]
    pub(in crate::ntuple) fn announce(&self, sights: &mut Sights, bank: impl Bank) {
        let Sights { count, images, places, .. } = sights;
        let needed = *count * self.looks;
        if places.len() < needed {
            places.resize(needed, 0);
        }
        let places = &mut places[..needed];
        match self.wide {
            Some(wide) => self.tuples.announce(images, places, bank, wide),
            None => self.tuples.announce(images, places, bank, self.piece_by_piece()),
        }
    }

    /// Writes the sum of the weights of each of these boards, whose places are known.
    #[inline(always)]
    pub(in crate::ntuple) fn sum_announced(
        &self,
        places: &[u32],
        bank: impl Bank,
        sums: &mut [f32],
    ) {
        match self.tuples.simple() {
            4 => sum_tables(Tables::new(&self.tuples, bank).banks, boards(places), add_four, sums),
            8 => sum_tables(Tables::new(&self.tuples, bank).banks, boards(places), add_lanes, sums),
            _ => {
                for (indices, sum) in places.chunks_exact(self.looks).zip(sums) {
                    *sum = sum_at(bank, indices);
                }
            }
        }
    }

    /// Both, for at most four boards; there is a sum for each.
    #[inline(always)]
    pub(in crate::ntuple) fn look(&self, sights: &mut Sights, bank: impl Bank, sums: &mut [f32]) {
        match self.tuples.simple() {
            4 => self.look_simply::<_, 4>(sights, bank, add_four, sums),
            8 => self.look_simply::<_, 8>(sights, bank, add_lanes, sums),
            _ => {
                self.announce(sights, bank);
                self.sum_announced(&sights.places, bank, sums);
            }
        }
    }

    /// The same on simple boards.
    #[inline(always)]
    fn look_simply<B: Bank, const N: usize>(
        &self,
        sights: &mut Sights,
        bank: B,
        add: impl Fn([f32; N]) -> f32,
        sums: &mut [f32],
    ) {
        let places = &mut sights.places;
        let Some(images) = sights.images.first_chunk() else { return };
        if places.len() < ABREAST * self.looks {
            places.resize(ABREAST * self.looks, 0);
        }
        let boards = &mut places.as_chunks_mut::<N>().0.as_chunks_mut().0[..sums.len()];
        let tables = Tables::new(&self.tuples, bank);
        match self.wide {
            Some(wide) => tables.announce(images, boards, wide),
            None => tables.announce(images, boards, self.piece_by_piece()),
        }
        sum_tables(tables.banks, boards, add, sums);
    }

    /// The same for one board whose indices are known.
    #[inline(always)]
    pub(in crate::ntuple) fn sum_known(&self, indices: Places<'_>, bank: impl Bank) -> f32 {
        match self.tuples.simple() {
            4 => sum_boards::<_, 4, SIDE_BY_SIDE>(bank, indices, add_four),
            8 => sum_boards::<_, 8, SIDE_BY_SIDE>(bank, indices, add_lanes),
            _ => sum_at(bank, indices.indices()),
        }
    }

    /// Writes the indices of the `nth` of the boards whose places these are.
    #[inline(always)]
    pub(in crate::ntuple) fn recall(&self, places: &[u32], nth: usize, indices: &mut Vec<u32>) {
        let places = &places[nth * self.looks..][..self.looks];
        indices.resize(self.looks, 0);
        match self.tuples.simple() {
            4 => self.tuples.recall::<4>(places, indices),
            8 => self.tuples.recall::<8>(places, indices),
            _ => indices.copy_from_slice(places),
        }
    }
}

#[inline(always)]
fn add_four([a, b, c, d]: [f32; 4]) -> f32 {
    (a + c) + (b + d)
}

/// Places board by board.
#[inline(always)]
fn boards<const N: usize>(places: &[u32]) -> &[Looks<N>] {
    places.as_chunks().0.as_chunks().0
}

impl Masked {
    /// How many tuples there are, if boards have eight images, and all cells lie in their first words;
    /// otherwise none.
    #[inline(always)]
    fn simple(&self) -> usize {
        let simple = self.one_word && self.images == SIDE_BY_SIDE;
        if simple { self.tuples.len() } else { 0 }
    }

    /// Where the tables of the first `N` tuples start.
    #[inline(always)]
    fn starts<const N: usize>(&self) -> [u32; N] {
        array::from_fn(|i| self.tuples[i].start)
    }

    /// Writes the place of each tuple's weight on each image, board by board, and begins to fetch it.
    #[inline(always)]
    fn announce(
        &self,
        images: &[Abreast],
        places: &mut [u32],
        bank: impl Bank,
        bits: impl Extract,
    ) {
        match self.simple() {
            4 => return self.announce_firsts::<4, _>(images, places, bank, bits),
            8 => return self.announce_firsts::<8, _>(images, places, bank, bits),
            _ => {}
        }
        let rows = places.chunks_exact_mut(self.tuples.len());
        for (nth, row) in rows.enumerate() {
            let (board, image) = (nth / self.images, nth % self.images);
            let abreast = &images[board / ABREAST * self.images + image];
            self.fill(&[abreast.map(|words| words[board % ABREAST])], row, bits);
            row.iter().for_each(|&index| fetch(bank.kept(), index as usize));
        }
    }

    /// The same for `N` tuples on simple boards.
    #[inline(always)]
    fn announce_firsts<const N: usize, B: Bank>(
        &self,
        images: &[Abreast],
        places: &mut [u32],
        bank: B,
        bits: impl Extract,
    ) {
        let tables = Tables::<B, N>::new(self, bank);
        let (boards, _) = places.as_chunks_mut::<N>().0.as_chunks_mut::<SIDE_BY_SIDE>();
        let (blocks, _) = images.as_chunks::<SIDE_BY_SIDE>();
        for (boards, block) in boards.chunks_mut(ABREAST).zip(blocks) {
            tables.announce(block, boards, bits);
        }
    }

    /// The indices of a simple board.
    #[inline(always)]
    fn recall<const N: usize>(&self, places: &[u32], indices: &mut [u32]) {
        let (starts, places) = (self.starts::<N>(), places.as_chunks::<N>().0);
        let rows = indices.as_chunks_mut::<N>().0.first_chunk_mut::<SIDE_BY_SIDE>();
        let (Some(rows), Some(places)) = (rows, places.first_chunk::<SIDE_BY_SIDE>()) else {
            return;
        };
        *rows = places.map(|row| array::from_fn(|i| starts[i] + row[i]));
    }
}
