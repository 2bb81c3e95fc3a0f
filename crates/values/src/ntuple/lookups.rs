//! Where in its table each tuple looks, for every symmetric image of the board.

use super::board::{Board, Digit};
use super::book::Book;
use super::change::Change;
use super::packed::Packed;
use crate::Sight;
use crate::active::NEAR;
use ludens_core::{CellLayout, Invalid};
use std::sync::Arc;

/// The look-ups of an n-tuple network: one for each symmetric image and tuple, image by image.
///
/// No two look-ups of one image meet in the same weight, because each tuple has its own table.
///
/// A look-up's index is a number of mixed radix. It has one *digit* for each cell of the tuple or,
/// if the layout knows groups, for the tuple's cells in each group together: then tables have room
/// only for what can occur, and one move changes few digits. If boards come bit by bit, the bits of
/// all digits are interleaved, the lowest of each first.
///
/// All indices of a digit change together, so the tables below are kept by digit.
#[derive(Clone, Debug)]
pub struct Lookups {
    /// Where the table of each look-up's tuple starts.
    starts: Vec<u32>,
    digits: Vec<Digit>,
    tuples: Vec<Vec<u16>>,
    pub(super) packed: Option<Packed>,
    book: Option<Arc<Book>>,
    bank_size: usize,
    /// Weights without a meaning after each table.
    gap: usize,
}

/// The gap between tables of packed boards: as many weights as a cache reads at once.
///
/// Tables are as large as powers of two, and the same place in each would compete for the same few
/// places in a cache: in Othello, half of the reads that miss the second one are due to that.
pub const GAP: u64 = 16;

/// The largest bank of weights: indices are 32 bits wide.
const MAX_BANK: u64 = u32::MAX as u64;

impl Lookups {
    /// The look-ups of `tuples` on boards of this layout.
    ///
    /// A tuple is a set of cells: its index counts them in ascending order.
    ///
    /// # Errors
    ///
    /// If a tuple names no cell or one that does not exist, or if the tables would be too large.
    pub fn new(layout: &CellLayout, mut tuples: Vec<Vec<u16>>) -> Result<Lookups, Invalid> {
        let board = Board::new(layout);
        let gap = if layout.bits > 0 && !layout.planes { GAP } else { 0 };
        let (mut tables, mut parts, mut size) = (Vec::new(), Vec::new(), 0u64);
        for tuple in &mut tuples {
            check(tuple, layout)?;
            tuple.sort_unstable();
            parts.push(board.parts(tuple));
            tables.push(size as u32);
            let states = parts[parts.len() - 1].iter().map(|part| part.steps.len() as u64);
            size += states.product::<u64>() + gap;
            if size > MAX_BANK {
                return Err(Invalid(format!(
                    "the tables of these {} tuples have more than {MAX_BANK} weights",
                    tuples.len()
                )));
            }
        }
        let (mut starts, mut digits) = (Vec::new(), board.digits());
        for symmetry in &layout.symmetries {
            for (parts, &table) in parts.iter().zip(&tables) {
                let look = starts.len() as u32;
                starts.push(table);
                parts.iter().for_each(|part| part.join(&board, symmetry, look, &mut digits));
            }
        }
        if starts.len() <= NEAR {
            digits.iter_mut().for_each(|d| d.near = d.looks.iter().map(|&l| l as u8).collect());
        }
        let packed = Packed::new(layout, &tuples, &tables);
        let bank_size = size as usize;
        let (book, gap) = (None, gap as usize);
        let mut lookups = Lookups { starts, digits, tuples, packed, book, bank_size, gap };
        if lookups.packed.is_none() {
            let states: Vec<usize> = lookups.digits.iter().map(|d| d.steps.len()).collect();
            lookups.book = Book::new(&lookups, &states).map(Arc::new);
        }
        Ok(lookups)
    }

    /// All boards by heart, if they are few.
    #[inline]
    pub(super) fn book(&self) -> Option<&Book> {
        self.book.as_deref()
    }

    /// Whether all boards are known by heart, so that their numbers are enough.
    pub fn knows_boards(&self) -> bool {
        self.book.is_some()
    }

    /// How many look-ups one evaluation makes.
    #[inline]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The cells of each tuple.
    pub fn tuples(&self) -> &[Vec<u16>] {
        &self.tuples
    }

    /// How many tuples there are.
    #[inline]
    pub fn num_tuples(&self) -> usize {
        self.tuples.len()
    }

    /// How many weights the tables have in all.
    #[inline]
    pub fn bank_size(&self) -> usize {
        self.bank_size
    }

    /// Writes the index of each look-up.
    #[inline]
    pub fn fill(&self, sight: &Sight, indices: &mut Vec<u32>) {
        indices.clear();
        self.append(sight, indices);
    }

    /// Appends the index of each look-up.
    #[inline]
    pub fn append(&self, sight: &Sight, indices: &mut Vec<u32>) {
        if !sight.images.is_empty() {
            return self.packed().append(&sight.images, indices);
        }
        let from = indices.len();
        indices.extend_from_slice(&self.starts);
        let indices = &mut indices[from..];
        for (digit, &state) in self.digits.iter().zip(&sight.digits) {
            for (&look, &step) in digit.looks.iter().zip(&digit.steps[usize::from(state)]) {
                indices[look as usize] += step;
            }
        }
    }

    /// The tuples on packed boards; they must be packed.
    #[inline]
    pub(super) fn packed(&self) -> &Packed {
        self.packed.as_ref().expect("packed boards have a packed layout")
    }

    /// Turns the indices for the digits `old` into those for `new`.
    pub fn shift(&self, old: &[u8], new: &[u8], indices: &mut [u32]) {
        for (digit, (&old, &new)) in old.iter().zip(new).enumerate().take(self.digits.len()) {
            if old != new {
                self.change(digit, old, new).apply(indices);
            }
        }
    }

    /// How many weights have a meaning: those in the gaps between tables have none.
    pub(super) fn counted_size(&self) -> usize {
        self.bank_size - self.num_tuples() * self.gap
    }

    /// Writes what belongs to each weight of a bank, so many numbers, from where cells counted digit
    /// by digit, without gaps, have it to where it is looked for.
    pub(super) fn place_counted(&self, counted: &[f32], numbers: usize, bank: &mut [f32]) {
        let mut counted = counted.chunks_exact(numbers);
        for (look, (tuple, &start)) in self.tuples.iter().zip(&self.starts).enumerate() {
            let steps: Vec<Vec<u32>> =
                tuple.iter().map(|&cell| self.digits[usize::from(cell)].steps_of(look)).collect();
            let size: usize = steps.iter().map(Vec::len).product();
            for (mut count, from) in counted.by_ref().take(size).enumerate() {
                let mut index = start as usize;
                for steps in &steps {
                    index += steps[count % steps.len()] as usize;
                    count /= steps.len();
                }
                bank[index * numbers..][..numbers].copy_from_slice(from);
            }
        }
    }

    /// What becomes of the indices that read `digit` when it changes from `old` to `new`.
    #[inline]
    pub fn change(&self, digit: usize, old: u8, new: u8) -> Change<'_> {
        let Digit { looks, near, steps } = &self.digits[digit];
        Change { looks, near, plus: &steps[usize::from(new)], minus: &steps[usize::from(old)] }
    }
}

/// The digit in which two boards differ, if it is exactly one. Compares eight at a time.
#[inline]
pub(super) fn only_change(old: &[u8], new: &[u8]) -> Option<usize> {
    let ((olds, old_rest), (news, new_rest)) = (old.as_chunks::<8>(), new.as_chunks::<8>());
    let (mut found, mut count) = (0, 0);
    for (i, (old, new)) in olds.iter().zip(news).enumerate() {
        let differ = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
        if differ != 0 {
            let byte = differ.trailing_zeros() / 8;
            let more = differ & !(0xff << (8 * byte)) != 0;
            (found, count) = (8 * i + byte as usize, count + 1 + usize::from(more));
        }
    }
    for (i, (old, new)) in old_rest.iter().zip(new_rest).enumerate() {
        if old != new {
            (found, count) = (8 * olds.len() + i, count + 1);
        }
    }
    (count == 1).then_some(found)
}

fn check(tuple: &[u16], layout: &CellLayout) -> Result<(), Invalid> {
    let cells = layout.num_cells();
    if tuple.is_empty() {
        return Err(Invalid("a tuple has no cells".into()));
    }
    if let Some(cell) = tuple.iter().find(|&&c| usize::from(c) >= cells) {
        return Err(Invalid(format!(
            "cell {cell} of tuple {tuple:?} is not among 0 to {}",
            cells - 1
        )));
    }
    if (1..tuple.len()).any(|i| tuple[..i].contains(&tuple[i])) {
        return Err(Invalid(format!("a cell occurs twice in tuple {tuple:?}")));
    }
    Ok(())
}
