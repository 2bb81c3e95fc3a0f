//! Where in its table each tuple looks, for every symmetric image of the board.

use super::bitboard::BitboardTuples;
use super::delta::{BYTE_LOOKUPS, Delta};
use super::digits::{Digit, DigitLayout};
use super::tuples::MAX_TUPLES;
use crate::Encoding;
use ludens_core::{CellLayout, Invalid, Packing};

/// The lookups of an n-tuple network: one for each symmetric image and tuple, image by image.
///
/// Each tuple has its own table, so no two lookups of one image share a weight.
///
/// The index of a lookup is a mixed-radix number. It has one *digit* for each cell of the tuple or,
/// if the layout knows groups, for the tuple's cells in each group together: then tables have room
/// only for what can occur, and one move changes few digits. With bit planes, the bits of all
/// digits are interleaved, the lowest of each first.
#[derive(Clone, Debug)]
pub struct Lookups {
    /// Where the table of each lookup's tuple starts.
    starts: Vec<u32>,
    digits: Vec<Digit>,
    num_tuples: usize,
    pub(super) bitboards: Option<BitboardTuples>,
    set_size: usize,
}

/// Unused weights after each table of cell-packed bitboards: one cache line.
///
/// Tables are powers of two in size, and equal indices in each would compete for the same few cache
/// lines: in Othello, this caused half of the misses of the second-level cache.
const TABLE_GAP: u64 = 16;

/// The largest weight set: features are 32 bits wide.
const MAX_SET_SIZE: u64 = u32::MAX as u64;

impl Lookups {
    /// The lookups of `tuples` on boards of this layout and packing.
    ///
    /// A tuple is a set of cells: its index counts them in ascending order.
    ///
    /// # Errors
    ///
    /// If a tuple has no cell or one that does not exist, or if the tables would be too large.
    pub fn new(
        layout: &CellLayout,
        packing: Option<Packing>,
        mut tuples: Vec<Vec<u16>>,
    ) -> Result<Lookups, Invalid> {
        let count = tuples.len();
        if !(1..=MAX_TUPLES).contains(&count) {
            return Err(Invalid(format!("expected 1 to {MAX_TUPLES} tuples, found {count}")));
        }
        let board = DigitLayout::new(layout, packing);
        let gap = if packing.is_some_and(|packing| !packing.bit_planes) { TABLE_GAP } else { 0 };
        let (mut tables, mut parts, mut size) = (Vec::new(), Vec::new(), 0u64);
        for tuple in &mut tuples {
            check(tuple, layout)?;
            tuple.sort_unstable();
            let (tuple_parts, table) = board.parts(tuple).ok_or_else(|| too_large(count))?;
            tables.push(size as u32);
            size += u64::from(table) + gap;
            parts.push(tuple_parts);
            if size > MAX_SET_SIZE {
                return Err(too_large(count));
            }
        }
        let (mut starts, mut digits) = (Vec::new(), board.digits());
        for symmetry in &layout.symmetries {
            for (parts, &table) in parts.iter().zip(&tables) {
                let lookup = starts.len() as u32;
                starts.push(table);
                parts.iter().for_each(|part| part.attach(&board, symmetry, lookup, &mut digits));
            }
        }
        if starts.len() <= BYTE_LOOKUPS {
            for digit in &mut digits {
                digit.lookup_bytes = digit.lookups.iter().map(|&lookup| lookup as u8).collect();
            }
        }
        let bitboards =
            packing.map(|packing| BitboardTuples::new(layout, packing, &tuples, &tables));
        let (num_tuples, set_size) = (tuples.len(), size as usize);
        Ok(Lookups { starts, digits, num_tuples, bitboards, set_size })
    }

    /// The same with so many copies of all tables in one weight set, one after the other. Features
    /// are those of the first copy; callers move them to others.
    ///
    /// # Errors
    ///
    /// If the tables would be too large.
    pub fn with_copies(mut self, copies: usize) -> Result<Lookups, Invalid> {
        let size = self.set_size as u64 * copies as u64;
        if size > MAX_SET_SIZE {
            let what =
                format!("{copies} copies of the tables have more than {MAX_SET_SIZE} weights");
            return Err(Invalid(what));
        }
        self.set_size = size as usize;
        Ok(self)
    }

    /// How many lookups one evaluation makes.
    #[inline]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// How many tuples there are.
    #[inline]
    pub fn num_tuples(&self) -> usize {
        self.num_tuples
    }

    /// How many weights the tables of one weight set have.
    #[inline]
    pub fn set_size(&self) -> usize {
        self.set_size
    }

    /// Writes the feature of each lookup.
    #[inline]
    pub fn features(&self, position: &Encoding, features: &mut Vec<u32>) {
        if let (Some(bitboards), false) = (&self.bitboards, position.bitboards.is_empty()) {
            features.resize(self.len(), 0);
            return bitboards.features(&position.bitboards, features);
        }
        features.clear();
        features.extend_from_slice(&self.starts);
        for (digit, &state) in self.digits.iter().zip(&position.cells) {
            let strides = &digit.strides[usize::from(state)];
            for (&lookup, &added) in digit.lookups.iter().zip(strides) {
                features[lookup as usize] += added;
            }
        }
    }

    /// Turns the features of the cells `old` into those of `new`.
    pub(super) fn shift(&self, old: &[u8], new: &[u8], features: &mut [u32]) {
        for (digit, (&old, &new)) in old.iter().zip(new).enumerate().take(self.digits.len()) {
            if old != new {
                self.delta(digit, old, new).apply(features);
            }
        }
    }

    /// The change of the features that read `digit` when it changes from `old` to `new`.
    #[inline]
    pub(super) fn delta(&self, digit: usize, old: u8, new: u8) -> Delta<'_> {
        let Digit { lookups, lookup_bytes, strides } = &self.digits[digit];
        let (plus, minus) = (&strides[usize::from(new)], &strides[usize::from(old)]);
        Delta { lookups, lookup_bytes, plus, minus }
    }
}

/// The digit in which two boards differ, if it is exactly one. Compares eight at a time.
#[inline]
pub(super) fn single_change(old: &[u8], new: &[u8]) -> Option<usize> {
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

fn too_large(count: usize) -> Invalid {
    let what = format!("the tables of these {count} tuples have more than");
    Invalid(format!("{what} {MAX_SET_SIZE} weights"))
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
