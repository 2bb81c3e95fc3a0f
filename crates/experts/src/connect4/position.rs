//! A Connect-4 position and the moves that lead to it.

use super::bits::{self, BOARD, BOTTOM, CELLS, COLUMN, WIDTH};
use std::fmt;

/// Stones on the 7x6 board, seen by the player to move.
///
/// Nobody has four in a row: a position whose game is won cannot be made. Columns are counted
/// from 0 on the left in arguments and from 1 in text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Position {
    /// Stones of the player to move.
    mover: u64,
    /// All stones.
    taken: u64,
}

/// Why a sequence of columns is not an unfinished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovesError {
    /// The character is none of `1` to `7`.
    NotAColumn {
        /// Number of the move, from 1.
        number: usize,
        /// The character.
        found: char,
    },
    /// The column holds six stones already.
    ColumnFull {
        /// Number of the move, from 1.
        number: usize,
        /// The column, from 1.
        column: usize,
    },
    /// The game is won before or by this move.
    Won {
        /// Number of the move that won it, from 1.
        number: usize,
    },
}

impl Position {
    /// Plays the columns `1` to `7` in turn from the empty board, as in `"4455"`.
    ///
    /// # Errors
    ///
    /// Names the first move that cannot be played, or that ends the game with a win.
    pub fn from_moves(moves: &str) -> Result<Self, MovesError> {
        let mut position = Self::default();
        for (number, found) in (1..).zip(moves.chars()) {
            let column = match found {
                '1'..='7' => found as usize - '1' as usize,
                _ => return Err(MovesError::NotAColumn { number, found }),
            };
            if !position.can_play(column) {
                return Err(MovesError::ColumnFull { number, column: column + 1 });
            }
            if position.wins_with(column) {
                return Err(MovesError::Won { number });
            }
            position = position.after(column);
        }
        Ok(position)
    }

    /// Takes the stones of the player to move and of the other; none if they cannot be a position.
    ///
    /// Bits as drawn in the layout of this module's cells: seven per column, the lowest cell first.
    /// Stones must rest on others, nobody may have four in a row, and the one to move may not have
    /// more stones, nor two fewer, than the other.
    pub fn from_stones(mover: u64, other: u64) -> Option<Self> {
        let taken = mover | other;
        if taken & !BOARD != 0 || mover & other != 0 {
            return None;
        }
        let rests = (taken + BOTTOM) & taken == 0;
        let turns = matches!(other.count_ones().checked_sub(mover.count_ones()), Some(0 | 1));
        let open = !bits::has_line(mover) && !bits::has_line(other);
        (rests && turns && open).then_some(Self { mover, taken })
    }

    /// Number of stones on the board.
    pub fn stones(self) -> usize {
        self.taken.count_ones() as usize
    }

    /// Whether no cell is free.
    pub fn is_full(self) -> bool {
        self.stones() == CELLS
    }

    /// Whether the column, from 0, has a free cell.
    pub fn can_play(self, column: usize) -> bool {
        column < WIDTH && self.drop_cell(column) != 0
    }

    /// Whether a stone in the column, from 0, wins immediately.
    pub fn wins_with(self, column: usize) -> bool {
        column < WIDTH && self.drop_cell(column) & self.mover_winning_cells() != 0
    }

    /// Whether the player to move has an immediate win.
    pub fn wins_at_once(self) -> bool {
        (0..WIDTH).any(|column| self.wins_with(column))
    }

    /// Drops a stone into the column, from 0.
    ///
    /// # Panics
    ///
    /// In debug builds, if the column is full or the stone ends the game.
    #[must_use]
    pub fn after(self, column: usize) -> Self {
        debug_assert!(self.can_play(column) && !self.wins_with(column));
        Self { mover: self.other(), taken: self.taken | self.drop_cell(column) }
    }

    /// Swaps left and right.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { mover: bits::mirrored(self.mover), taken: bits::mirrored(self.taken) }
    }

    /// A number below 2^49 that no other position has.
    pub fn key(self) -> u64 {
        key(self.mover, self.taken)
    }

    /// The smaller key of the position and its mirror image.
    pub fn canonical_key(self) -> u64 {
        self.key().min(self.mirrored().key())
    }

    /// Finds the position that has this key.
    pub fn from_key(key: u64) -> Option<Self> {
        let mut taken = 0;
        for i in 0..WIDTH {
            let column = key >> (i * COLUMN) & ((1 << COLUMN) - 1);
            let height = (column + 1).ilog2() as usize;
            taken |= ((1 << height) - 1) << (i * COLUMN);
        }
        let mover = key.checked_sub(taken)?;
        let found = Self::from_stones(mover, taken & !mover)?;
        (found.key() == key).then_some(found)
    }

    /// Stones of the player to move.
    pub fn mover(self) -> u64 {
        self.mover
    }

    /// Stones of the other player.
    pub fn other(self) -> u64 {
        self.taken ^ self.mover
    }

    /// Stones of both.
    pub fn taken(self) -> u64 {
        self.taken
    }

    /// Free cells, in reach or not, where the player to move would have four in a row.
    pub fn mover_winning_cells(self) -> u64 {
        bits::completions(self.mover) & !self.taken
    }

    /// Free cells, in reach or not, where the other player would have four in a row.
    pub fn other_winning_cells(self) -> u64 {
        bits::completions(self.other()) & !self.taken
    }

    /// The cell a stone would fall to; empty if the column is full.
    fn drop_cell(self, column: usize) -> u64 {
        (self.taken + BOTTOM) & bits::column(column)
    }
}

/// Like [`Position::key`]: a column of height h has its sums from 2^h - 1 to 2^(h+1) - 2.
#[inline(always)]
pub(crate) fn key(mover: u64, taken: u64) -> u64 {
    mover + taken
}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotAColumn { number, found } => {
                write!(f, "move {number}: expected a column from 1 to 7, found {found:?}")
            }
            Self::ColumnFull { number, column } => {
                write!(f, "move {number}: column {column} is full")
            }
            Self::Won { number } => write!(f, "the game is already won by move {number}"),
        }
    }
}

impl std::error::Error for MovesError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(moves: &str) -> Position {
        Position::from_moves(moves).unwrap()
    }

    #[test]
    fn moves_that_cannot_be_played_are_named() {
        let error = |moves| Position::from_moves(moves).unwrap_err().to_string();
        assert_eq!(error("44x"), "move 3: expected a column from 1 to 7, found 'x'");
        assert_eq!(error("8"), "move 1: expected a column from 1 to 7, found '8'");
        assert_eq!(error("1111111"), "move 7: column 1 is full");
        assert_eq!(error("12121213"), "the game is already won by move 7");
    }

    #[test]
    fn lines_in_all_directions_win() {
        for won in ["1213141", "1122334", "12233434474", "76655454414"] {
            let (number, open) = (won.len(), &won[..won.len() - 1]);
            assert_eq!(Position::from_moves(won), Err(MovesError::Won { number }), "{won}");
            assert!(position(open).wins_at_once(), "{open}");
        }
    }

    #[test]
    fn three_stones_under_the_top_of_a_column_win_nothing() {
        let column = Position::from_stones(0b11_1000, 0b00_0111).unwrap();
        assert_eq!(column.mover_winning_cells(), 0);
        assert_eq!(column.other_winning_cells(), 0);
    }

    #[test]
    fn winning_spots_need_not_be_in_reach() {
        let row = position("112233");
        assert_eq!(row.mover_winning_cells(), 1 << (3 * COLUMN), "bottom of the fourth column");
        assert_eq!(row.other_winning_cells(), 2 << (3 * COLUMN), "the cell above it");
    }

    #[test]
    fn a_key_finds_its_position() {
        for moves in ["", "4", "4455", "1234567", "444444", "717171"] {
            let found = Position::from_key(position(moves).key());
            assert_eq!(found, Some(position(moves)), "{moves}");
        }
        assert_eq!(Position::from_key(u64::MAX), None);
        assert_eq!(Position::from_key(3), None, "two stones of the one to move");
    }

    #[test]
    fn mirror_images_share_their_canonical_key() {
        assert_eq!(position("1123").mirrored(), position("7765"));
        assert_eq!(position("1123").canonical_key(), position("7765").canonical_key());
        assert_ne!(position("1123").key(), position("7765").key());
    }

    #[test]
    fn stones_that_float_or_outnumber_are_no_position() {
        assert!(Position::from_stones(0, 0b1).is_some());
        assert!(Position::from_stones(0b1, 0).is_none(), "mover has more");
        assert!(Position::from_stones(0, 0b11).is_none(), "mover has two fewer");
        assert!(Position::from_stones(0b100, 0b1).is_none(), "floats");
        assert!(Position::from_stones(0b1, 0b1).is_none(), "two in a cell");
        assert!(Position::from_stones(0, 1 << 6).is_none(), "above the board");
    }
}
