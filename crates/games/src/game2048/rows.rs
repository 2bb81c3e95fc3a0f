//! A table of all rows after sliding.

use super::{DOWN, LEFT, RIGHT, SIDE, UP, transposed};
use std::sync::LazyLock;

/// For each row of four exponents, the row after sliding to either side.
#[derive(Debug)]
pub(super) struct Rows {
    rows: Box<[Both; ROWS]>,
}

/// A row after sliding to the left and to the right.
///
/// Callers need both. Eight bytes keep the rows of typical games in the L1 cache.
#[derive(Copy, Clone, Debug, Default)]
struct Both {
    left: Slid,
    right: Slid,
}

/// A row after sliding, and the reward.
#[derive(Copy, Clone, Debug, Default)]
struct Slid {
    /// Wrong if a merged tile has the exponent 16, which shows in a reward of 2^16 or more.
    after: u16,
    /// A quarter of the reward: every merged tile is at least a 4.
    quarter: u16,
}

/// Of both sides of a row, what became of it.
const AFTERS: u64 = 0x0000_ffff_0000_ffff;
const LOW_HALF: u64 = 0xffff_ffff;

/// Four cells of four bits.
const ROWS: usize = 1 << 16;

impl Rows {
    pub(super) fn shared() -> &'static Rows {
        static SHARED: LazyLock<Rows> = LazyLock::new(|| {
            let both = |row| Both { left: slid(row, |row| row), right: slid(row, reversed) };
            let all: Vec<Both> = (0..=u16::MAX).map(both).collect();
            Rows { rows: all.try_into().expect("there are as many rows") }
        });
        &SHARED
    }

    /// The board after sliding, and the sum of the merged tiles.
    ///
    /// If the sum is 2^16 or more, a merged tile may not fit into four bits, and the board is
    /// meaningless.
    #[inline]
    pub(super) fn slide(&self, board: u64, direction: u32) -> (u64, u32) {
        let across = |(after, gained): (u64, u32)| (transposed(after), gained);
        match direction {
            LEFT => self.slide_rows(board, |both| both.left),
            RIGHT => self.slide_rows(board, |both| both.right),
            UP => across(self.slide_rows(transposed(board), |both| both.left)),
            DOWN => across(self.slide_rows(transposed(board), |both| both.right)),
            _ => unreachable!("there are four directions"),
        }
    }

    /// The same for each direction, in the order of their numbers.
    #[inline(always)]
    pub(super) fn slide_all(&self, board: u64) -> [(u64, u32); 4] {
        let across = |(after, gained): (u64, u32)| (transposed(after), gained);
        let ([left, right], [up, down]) =
            (self.slide_both(board), self.slide_both(transposed(board)));
        [across(up), right, across(down), left]
    }

    #[inline]
    fn slide_rows(&self, board: u64, side: impl Fn(&Both) -> Slid) -> (u64, u32) {
        let (mut after, mut quarters) = (0, 0);
        for shift in [0, 16, 32, 48] {
            let slid = side(&self.rows[usize::from((board >> shift) as u16)]);
            after |= u64::from(slid.after) << shift;
            quarters += u32::from(slid.quarter);
        }
        (after, 4 * quarters)
    }

    /// The board after sliding all rows to the left, and to the right.
    ///
    /// One word holds both sides of a row.
    #[inline(always)]
    fn slide_both(&self, board: u64) -> [(u64, u32); 2] {
        let rows =
            [0, 16, 32, 48].map(|shift| self.rows[usize::from((board >> shift) as u16)].word());
        let [first, second, third, fourth] = rows.map(|row| row & AFTERS);
        let (upper, lower) = (first | second << 16, third | fourth << 16);
        let left = upper & LOW_HALF | lower << 32;
        let right = upper >> 32 | lower & !LOW_HALF;
        // All tiles together are less than 2^18, and so are all merged ones: no sum of quarters
        // overflows.
        let quarters: u64 = rows.map(|row| row >> 16 & AFTERS).into_iter().sum();
        let gained = |quarters: u64| 4 * (quarters as u32);
        [(left, gained(quarters & LOW_HALF)), (right, gained(quarters >> 32))]
    }
}

impl Both {
    /// The row to the left, its reward, the row to the right, its reward, lowest first.
    #[inline]
    fn word(self) -> u64 {
        let word = |slid: Slid| u64::from(slid.after) | u64::from(slid.quarter) << 16;
        word(self.left) | word(self.right) << 32
    }
}

/// Slides towards the first cell and returns the sum of the merged tiles.
///
/// Each tile merges at most once, with the next equal tile.
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

/// A row after sliding towards the first cell of what it is turned to.
fn slid(row: u16, turned: fn([u8; SIDE]) -> [u8; SIDE]) -> Slid {
    let (after, gained) = slide(turned(unpacked(row)));
    Slid { after: packed(turned(after)), quarter: (gained / 4) as u16 }
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
