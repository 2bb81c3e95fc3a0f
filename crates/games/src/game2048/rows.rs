//! What becomes of a row, for all rows.

use super::{DOWN, LEFT, RIGHT, SIDE, UP, transposed};
use std::sync::LazyLock;

/// For each row of four exponents, the row after sliding, and what is gained.
#[derive(Debug)]
pub(super) struct Rows {
    left: Box<[Slid; ROWS]>,
    right: Box<[Slid; ROWS]>,
}

/// Four bytes, so that the rows of usual games stay in the fastest cache.
#[derive(Copy, Clone, Debug, Default)]
struct Slid {
    /// Wrong where a merged tile has the exponent 16: told by its gain of 2^16 or more.
    after: u16,
    /// A quarter of the gain: every merged tile is at least a 4.
    quarter: u16,
}

/// Four cells of four bits.
const ROWS: usize = 1 << 16;

impl Rows {
    pub(super) fn shared() -> &'static Rows {
        static SHARED: LazyLock<Rows> =
            LazyLock::new(|| Rows { left: table(|row| row), right: table(reversed) });
        &SHARED
    }

    /// The board after sliding, and the sum of the merged tiles. If that is 2^16 or more, a tile
    /// may have been merged that does not fit into four bits, and the board is meaningless.
    #[inline]
    pub(super) fn slide(&self, board: u64, direction: u32) -> (u64, u32) {
        match direction {
            LEFT => slide_rows(&self.left, board),
            RIGHT => slide_rows(&self.right, board),
            UP => slide_columns(&self.left, board),
            DOWN => slide_columns(&self.right, board),
            _ => unreachable!("there are four directions"),
        }
    }

    /// The same for each direction, in the order of their numbers.
    #[inline]
    pub(super) fn slide_all(&self, board: u64) -> [(u64, u32); 4] {
        let crossed = transposed(board);
        let across = |(after, gained): (u64, u32)| (transposed(after), gained);
        [
            across(slide_rows(&self.left, crossed)),
            slide_rows(&self.right, board),
            across(slide_rows(&self.right, crossed)),
            slide_rows(&self.left, board),
        ]
    }
}

#[inline]
fn slide_columns(table: &[Slid; ROWS], board: u64) -> (u64, u32) {
    let (after, gained) = slide_rows(table, transposed(board));
    (transposed(after), gained)
}

#[inline]
fn slide_rows(table: &[Slid; ROWS], board: u64) -> (u64, u32) {
    let (mut after, mut quarters) = (0, 0);
    for shift in [0, 16, 32, 48] {
        let slid = table[usize::from((board >> shift) as u16)];
        after |= u64::from(slid.after) << shift;
        quarters += u32::from(slid.quarter);
    }
    (after, 4 * quarters)
}

/// Slides towards the first cell. Each tile merges at most once, with the next alike.
///
/// Tells the sum of the merged tiles.
pub(super) fn slide(row: [u8; SIDE]) -> ([u8; SIDE], u32) {
    let (mut after, mut len, mut gained, mut whole) = ([0; SIDE], 0, 0, false);
    for exponent in row.into_iter().filter(|&exponent| exponent > 0) {
        if whole && after[len - 1] == exponent {
            after[len - 1] += 1;
            gained += 1 << (exponent + 1);
            whole = false;
        } else {
            after[len] = exponent;
            len += 1;
            whole = true;
        }
    }
    (after, gained)
}

fn table(turned: fn([u8; SIDE]) -> [u8; SIDE]) -> Box<[Slid; ROWS]> {
    let slid = |row: usize| {
        let (after, gained) = slide(turned(unpacked(row as u16)));
        Slid { after: packed(turned(after)), quarter: (gained / 4) as u16 }
    };
    let all: Vec<Slid> = (0..ROWS).map(slid).collect();
    all.try_into().expect("there are as many rows")
}

fn reversed(mut row: [u8; SIDE]) -> [u8; SIDE] {
    row.reverse();
    row
}

pub(super) fn unpacked(row: u16) -> [u8; SIDE] {
    std::array::from_fn(|i| (row >> (4 * i) & 15) as u8)
}

fn packed(row: [u8; SIDE]) -> u16 {
    row.iter().rev().fold(0, |packed, exponent| packed << 4 | u16::from(exponent & 15))
}
