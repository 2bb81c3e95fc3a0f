//! Moves and turned discs on a bitboard: plain code, and the choice between it and AVX2.

use ludens_simd::{Avx2, OthelloLines, OthelloMove};

/// A board of SIZE x SIZE cells.
#[derive(Copy, Clone, Debug)]
pub(super) struct Board<const SIZE: u32>;

impl<const SIZE: u32> Board<SIZE> {
    const CELLS: u64 = u64::MAX >> (64 - SIZE * SIZE);
    const LINES: [OthelloLines; 64] = lines::<SIZE>();

    /// The cells with a neighbour on both sides: a run through them stays in its row.
    const INNER_COLUMNS: u64 = {
        let inner = (1 << (SIZE - 1)) - 2;
        let (mut columns, mut row) = (0, 0);
        while row < SIZE {
            columns |= inner << (row * SIZE);
            row += 1;
        }
        columns
    };

    /// The cells where `own` may play: empty, at the far end of a run of `other`.
    #[inline(always)]
    pub(super) fn playable(avx2: Option<Avx2>, own: u64, other: u64) -> u64 {
        match avx2 {
            Some(avx2) => avx2.othello_playable::<SIZE>(own, other),
            None => Self::ends(own, other),
        }
    }

    /// What a disc of `own` on the cell `cell` does.
    #[inline(always)]
    pub(super) fn play(avx2: Option<Avx2>, cell: u32, own: u64, other: u64) -> OthelloMove {
        let (at, lines) = (1 << cell, &Self::LINES[cell as usize % 64]);
        match avx2 {
            Some(avx2) => avx2.othello_move::<SIZE>(at, lines, own, other),
            None => {
                let turned = turned(lines, own, other);
                OthelloMove { turned, playable: Self::ends(other & !turned, own | at | turned) }
            }
        }
    }

    /// The empty cells behind runs of `other` that begin beside `own`.
    ///
    /// Kogge-Stone fills: each step doubles the reach. Along a row to higher bits, the carry of one
    /// addition runs through all discs.
    fn ends(own: u64, other: u64) -> u64 {
        let inner = other & Self::INNER_COLUMNS;
        let mut ends = (inner + (own << 1 & inner)) & !inner;
        ends |= run_down(own, inner, inner & inner >> 1, 1) >> 1;
        for (step, through) in [(SIZE, other), (SIZE - 1, inner), (SIZE + 1, inner)] {
            let pairs = through & through << step;
            ends |= run_up(own, through, pairs, step) << step;
            ends |= run_down(own, through, pairs >> step, step) >> step;
        }
        ends & Self::CELLS & !(own | other)
    }
}

/// Up to six cells of `through` in a row from `from`, towards higher bits.
///
/// `pairs` are the cells of `through` whose lower neighbour is one, too.
#[inline(always)]
fn run_up(from: u64, through: u64, pairs: u64, step: u32) -> u64 {
    let mut run = through & from << step;
    run |= through & run << step;
    run |= pairs & run << (2 * step);
    run | pairs & run << (2 * step)
}

/// Up to six cells of `through` in a row from `from`, towards lower bits.
///
/// `pairs` are the cells of `through` whose higher neighbour is one, too.
#[inline(always)]
fn run_down(from: u64, through: u64, pairs: u64, step: u32) -> u64 {
    let mut run = through & from >> step;
    run |= through & run >> step;
    run |= pairs & run >> (2 * step);
    run | pairs & run >> (2 * step)
}

/// The discs of `other` on each line up to its nearest other cell, if that holds a disc of `own`.
fn turned(lines: &OthelloLines, own: u64, other: u64) -> u64 {
    let (up, down) = lines.0.split_at(4);
    let mut turned = 0;
    for line in up {
        let stops = line & !other;
        let held = stops & stops.wrapping_neg() & own;
        turned |= line & held.wrapping_sub(u64::from(held != 0));
    }
    for line in down {
        let stops = line & !other;
        let held = (1 << 63) >> (stops | 1).leading_zeros() & stops & own;
        turned |= line & (held << 1).wrapping_neg();
    }
    turned
}

/// The lines from each cell; none from numbers that are not on the board.
const fn lines<const SIZE: u32>() -> [OthelloLines; 64] {
    let side = SIZE as i32;
    let directions = [(1, 0), (0, 1), (-1, 1), (1, 1), (-1, 0), (0, -1), (1, -1), (-1, -1)];
    let mut lines = [OthelloLines([0; 8]); 64];
    let mut cell = 0;
    while cell < side * side {
        let mut i = 0;
        while i < directions.len() {
            let (mut x, mut y) = (cell % side + directions[i].0, cell / side + directions[i].1);
            while 0 <= x && x < side && 0 <= y && y < side {
                lines[cell as usize].0[i] |= 1 << (y * side + x);
                (x, y) = (x + directions[i].0, y + directions[i].1);
            }
            i += 1;
        }
        cell += 1;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_do_not_cross_the_side_of_the_board() {
        let (own, other) = (0b10 << 6, 0b1 << 8);
        for avx2 in [None, Avx2::detect()] {
            let moves = Board::<8>::playable(avx2, own, other);
            assert_eq!(moves, 0, "h1 and a2 are no neighbours");
            assert_eq!(Board::<8>::playable(avx2, 0b1, 0b0111_1110), 0b1000_0000);
            assert_eq!(Board::<8>::play(avx2, 7, 0b1, 0b0111_1110).turned, 0b0111_1110);
            assert_eq!(Board::<4>::playable(avx2, 0b1, 0b0110), 0b1000);
        }
    }

    #[test]
    fn boards_have_as_many_cells_as_they_should() {
        let cells = [Board::<4>::CELLS, Board::<6>::CELLS, Board::<8>::CELLS];
        assert_eq!(cells.map(u64::count_ones), [16, 36, 64]);
        assert_eq!(Board::<8>::INNER_COLUMNS, 0x7e7e_7e7e_7e7e_7e7e);
        assert_eq!(Board::<4>::INNER_COLUMNS, 0x6666);
    }
}
