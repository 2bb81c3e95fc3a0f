//! Moves with tiles of any size: those from 65536 on take a fifth bit.

use super::rows::slide;
use super::{CELLS, DOWN, RIGHT, SIDE, State, UP};

impl State {
    /// Slides tiles of any size and returns the sum of the merged tiles.
    #[cold]
    pub(super) fn slide_large(&mut self, direction: u32) -> u32 {
        let mut gained = 0;
        for line in 0..SIDE {
            let cells: [usize; SIDE] = std::array::from_fn(|i| match direction {
                UP => i * SIDE + line,
                RIGHT => line * SIDE + SIDE - 1 - i,
                DOWN => (SIDE - 1 - i) * SIDE + line,
                _ => line * SIDE + i,
            });
            let (after, sum) = slide(cells.map(|cell| self.exponent(cell)));
            cells.into_iter().zip(after).for_each(|(cell, exponent)| self.set(cell, exponent));
            gained += sum;
        }
        gained
    }

    /// For each move, the low and the high bits of the board and the reward, with tiles of any size.
    #[cold]
    pub(super) fn slide_all_large(&self) -> ([(u64, u32); 4], [u16; 4]) {
        let (mut all, mut highs) = ([(0, 0); 4], [0; 4]);
        for direction in 0..4 {
            let mut after = *self;
            let gained = after.slide_large(direction as u32);
            (all[direction], highs[direction]) = ((after.low(), gained), after.high());
        }
        (all, highs)
    }
}

/// Sixteen bits, each at the lowest bit of its cell.
#[cold]
pub(super) fn spread(bits: u16) -> u64 {
    (0..CELLS).map(|cell| u64::from(bits >> cell & 1) << (4 * cell)).sum()
}
