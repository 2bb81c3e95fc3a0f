//! Bounds from one simple plan: answer every move in the same column.
//!
//! Call the player to move X and the other Y. If Y always plays on top of X's last stone, then in
//! a column with an even number of free cells X gets the lower and Y the upper cell of every pair.
//! In an odd column X also takes the top cell and Y must move elsewhere. Y then opens another odd
//! column, and it is even from then on; there X may get any cell. So the plan never breaks as long
//! as the odd columns come in pairs, apart from odd columns X cannot fill: those where Y completes
//! a line on one of his own cells (a threat). X cannot pass a threat in even columns either.
//!
//! If the cells X may get hold no line of four, X does not win; if Y has a threat besides, X is at
//! last out of other moves and has to play below one. Where the plan would break, X may get all
//! free cells.

use super::bits::{BOARD, BOTTOM, CELLS, EVEN_ROWS, HEIGHT, ODD_ROWS, columns_of, has_line};

/// The position that the follow-up plan is applied to.
#[derive(Clone, Copy)]
pub(crate) struct FollowUpPlan {
    /// Stones of the player to move, X.
    pub(crate) mover: u64,
    /// Stones of the one who follows, Y.
    pub(crate) other: u64,
    /// The cells a stone can fall to now.
    pub(crate) playable: u64,
    /// Free cells where Y would have four in a row.
    pub(crate) winning_cells: u64,
}

/// Scores further from a draw are almost never decided by the plan.
pub(crate) const LIMIT: i32 = 6;

/// Row above the board.
const LIDS: u64 = BOTTOM << HEIGHT;

impl FollowUpPlan {
    /// An upper bound of the score of the player to move, if the plan gives one.
    #[inline(always)]
    pub(crate) fn bound(self) -> Option<i32> {
        let free = BOARD & !(self.mover | self.other);
        let odd_columns = self.odd_columns();
        let held = self.held_threats(odd_columns);
        let held_columns = columns_of((held | held >> 2 | held >> 4) & BOTTOM);
        if self.odd_to_move() && held == 0 {
            return (!has_line(self.mover | free)).then_some(0);
        }
        let threats = held | self.winning_cells & EVEN_ROWS & !odd_columns;
        let below = below_lowest(threats);
        let lower = ODD_ROWS & !held_columns | EVEN_ROWS & held_columns;
        let gets = self.mover | free & below & (lower | odd_columns & !held_columns);
        if has_line(gets) {
            None
        } else if threats != 0 {
            Some(latest_loss(threats, below))
        } else {
            let claims = self.other | free & EVEN_ROWS & !odd_columns;
            Some(if has_line(claims) { -1 } else { 0 })
        }
    }

    /// Whether an odd number of cells is free.
    #[inline(always)]
    fn odd_to_move(self) -> bool {
        (self.mover | self.other).count_ones() & 1 != 0
    }

    /// All cells of the columns with an odd number of free cells.
    #[inline(always)]
    fn odd_columns(self) -> u64 {
        let odd = self.playable & EVEN_ROWS;
        columns_of((odd >> 1 | odd >> 3 | odd >> 5) & BOTTOM)
    }

    /// Y's lowest threats in odd columns, in as many columns as leave the others in pairs.
    #[inline(always)]
    fn held_threats(self, odd_columns: u64) -> u64 {
        let threats = self.winning_cells & ODD_ROWS & odd_columns;
        let lowest = lowest(threats);
        let wrong_number = (lowest.count_ones() & 1 != 0) != self.odd_to_move();
        if wrong_number { lowest & lowest.wrapping_sub(1) } else { lowest }
    }
}

/// The lowest of the cells in every column.
#[inline(always)]
fn lowest(cells: u64) -> u64 {
    cells & !((LIDS | cells) - BOTTOM)
}

/// Cells below the lowest of `cells` in their column; all of a column that has none.
#[inline(always)]
fn below_lowest(cells: u64) -> u64 {
    let stops = LIDS | cells;
    (stops - BOTTOM) & !stops
}

/// The score if X plays below a threat only when all other cells are taken.
#[inline(always)]
fn latest_loss(threats: u64, below: u64) -> i32 {
    let never_taken = (BOARD & !below).count_ones() + lowest(threats).count_ones();
    let stones = CELLS as i32 + 2 - never_taken as i32;
    (stones + 1) / 2 - 22
}
