//! Small boards by heart.

use super::Lookups;
use super::orbits::{Orbits, sum_alike, sum_each_alike};
use crate::bank::Bank;
use crate::hardware::{Rows, Work};
use crate::stepsize::LANES;
use crate::{Output, Peeks, Sight};

/// The indices of every board that there can be, for boards that can be few.
#[derive(Clone, Debug)]
pub(super) struct Book {
    /// What each digit adds to the number of the board.
    strides: Vec<u32>,
    looks: usize,
    /// For each board, the index of each look-up.
    rows: Rows,
    /// For each board, what [`Lookups::mark_firsts`] says of its look-ups.
    firsts: Vec<f32>,
    /// For each board, whether some index is there twice.
    repeats: Vec<bool>,
    orbits: Option<Orbits>,
}

/// Most boards, and most indices of all of them together: what caches can hold.
const MOST: usize = 1 << 16;
const MOST_INDICES: usize = 1 << 19;

impl Book {
    /// The indices of all boards with so many states of each digit, unless they are too many.
    pub(super) fn new(lookups: &Lookups, states: &[usize]) -> Option<Book> {
        let (mut boards, mut strides) = (1usize, Vec::new());
        for &states in states {
            strides.push(boards as u32);
            boards = boards.checked_mul(states).filter(|boards| *boards <= MOST)?;
        }
        let looks = lookups.len();
        if boards * looks > MOST_INDICES {
            return None;
        }
        let (mut indices, mut all_firsts, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
        let (mut sight, mut row, mut firsts) = (Sight::default(), Vec::new(), Vec::new());
        for board in 0..boards {
            sight.digits.clear();
            let digit =
                |(stride, states): (&u32, &usize)| (board / *stride as usize % states) as u8;
            sight.digits.extend(strides.iter().zip(states).map(digit));
            lookups.fill(&sight, &mut row);
            repeats.push(lookups.mark_firsts(&row, &mut firsts));
            firsts.resize(looks, 1.0);
            indices.extend_from_slice(&row);
            all_firsts.extend_from_slice(&firsts);
        }
        let (orbits, rows) = (Orbits::new(&indices, looks), Rows::new(indices, looks));
        Some(Book { strides, looks, rows, firsts: all_firsts, repeats, orbits })
    }

    /// The number of a board, unless it comes with its number.
    #[inline]
    pub(super) fn number(&self, sight: &Sight) -> u32 {
        if sight.digits.is_empty() { sight.entry } else { self.count(&sight.digits) }
    }

    fn count(&self, digits: &[u8]) -> u32 {
        self.strides.iter().zip(digits).map(|(stride, &digit)| stride * u32::from(digit)).sum()
    }

    /// The indices of a board.
    #[inline]
    pub(super) fn indices(&self, board: u32) -> &[u32] {
        self.rows.row(board)
    }

    /// The sum of the weights of a board.
    #[inline(always)]
    pub(super) fn sum(&self, board: u32, bank: impl Bank) -> f32 {
        self.rows.sum(board, bank)
    }

    /// The same, if the weights of each orbit are known to be alike.
    #[inline(always)]
    pub(super) fn sum_alike(&self, board: u32, orbits: &Orbits, bank: impl Bank) -> f32 {
        sum_alike(self.looks, orbits.weight(board, bank))
    }

    /// Writes such sums of several boards.
    #[inline(always)]
    fn sum_each_alike<B: Bank>(
        &self,
        boards: &[u32],
        orbits: &Orbits,
        bank: B,
        sums: &mut [f32; LANES],
    ) {
        for (&board, sum) in boards.iter().zip(&mut *sums) {
            *sum = orbits.weight(board, bank);
        }
        sum_each_alike(self.looks, sums);
    }

    /// The weights that boards share, if they share all or none.
    #[inline]
    pub(super) fn orbits(&self) -> Option<&Orbits> {
        self.orbits.as_ref()
    }

    /// Which look-ups of a board are the first of their index; nothing if no index is there twice.
    #[inline]
    pub(super) fn firsts(&self, board: u32) -> &[f32] {
        if !self.repeats[board as usize] {
            return &[];
        }
        &self.firsts[board as usize * self.looks..][..self.looks]
    }
}

/// Boards to be evaluated together.
pub(super) struct Reading<'a, B> {
    pub(super) book: &'a Book,
    /// The orbits, if the weights of each are alike.
    pub(super) orbits: Option<&'a Orbits>,
    pub(super) bank: B,
    pub(super) output: Output,
    pub(super) boards: &'a [u32],
    /// Where sums and values go, in whole lanes.
    pub(super) peeks: &'a mut Peeks,
}

impl<B: Bank> Work for Reading<'_, B> {
    #[inline(always)]
    fn run(self) {
        let Reading { book, orbits, bank, output, boards, peeks } = self;
        let Peeks { sums, values, .. } = peeks;
        let room = boards.len().next_multiple_of(LANES);
        if sums.len().min(values.len()) < room {
            sums.resize(room, 0.0);
            values.resize(room, 0.0);
        }
        let lanes = sums.as_chunks_mut::<LANES>().0.iter_mut();
        let lanes = lanes.zip(values.as_chunks_mut::<LANES>().0);
        for (boards, (sums, values)) in boards.chunks(LANES).zip(lanes) {
            match orbits {
                Some(orbits) => book.sum_each_alike(boards, orbits, bank, sums),
                None => book.rows.sum_each(boards, bank, sums),
            }
            *values = output.value_lanes(*sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{CellLayout, Rng, square_symmetries};

    #[test]
    fn small_boards_are_known_by_heart() {
        let layout = CellLayout::grid(3, 3, 3).with_symmetries(square_symmetries(3));
        let lookups = Lookups::new(&layout, vec![vec![0, 1, 4], vec![2, 5]]).unwrap();
        let (book, rng) = (lookups.book().unwrap(), &mut Rng::seeded(4));
        let (mut indices, mut firsts) = (Vec::new(), Vec::new());
        for _ in 0..300 {
            let digits: Vec<u8> = (0..9).map(|_| rng.below(3) as u8).collect();
            let sight = Sight { digits, ..Sight::default() };
            let board = book.number(&sight);
            lookups.append(&sight, &mut indices);
            assert_eq!(book.indices(board), indices);
            lookups.mark_firsts(&indices, &mut firsts);
            assert_eq!(book.firsts(board), firsts);
            indices.clear();
        }
    }

    #[test]
    fn large_boards_are_not() {
        let layout = CellLayout::grid(4, 4, 3);
        assert!(Lookups::new(&layout, vec![vec![0, 1]]).unwrap().book().is_none());
    }
}
