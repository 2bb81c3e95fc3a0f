//! Sets of cells of the 7x6 board in one word, and the lines of four through them.
//!
//! Seven bits per column, the lowest cell first; the seventh bit of a column stays clear, so that
//! a shift along a line never wraps into the next column:
//!
//! ```text
//!  6 13 20 27 34 41 48   always clear
//!  5 12 19 26 33 40 47   top row
//!  4 11 18 25 32 39 46
//!  3 10 17 24 31 38 45
//!  2  9 16 23 30 37 44
//!  1  8 15 22 29 36 43
//!  0  7 14 21 28 35 42   bottom row
//! ```

/// Number of columns.
pub const WIDTH: usize = 7;
/// Number of rows.
pub const HEIGHT: usize = 6;
/// Number of cells.
pub const CELLS: usize = WIDTH * HEIGHT;

/// Bits from one column to the next.
pub(crate) const COLUMN: usize = HEIGHT + 1;
/// The lowest cell of every column.
pub(crate) const BOTTOM: u64 = repeat_in_columns(1);
/// Every cell.
pub(crate) const BOARD: u64 = repeat_in_columns((1 << HEIGHT) - 1);
/// First, third and fifth row: the cells an even number of stones lies under.
pub(crate) const ODD_ROWS: u64 = repeat_in_columns(0b01_0101);
/// Second, fourth and sixth row.
pub(crate) const EVEN_ROWS: u64 = repeat_in_columns(0b10_1010);

/// Distances between neighbours on a line, except along a column.
const SLANTS: [usize; 3] = [COLUMN - 1, COLUMN, COLUMN + 1];

/// Puts the same seven bits into every column.
const fn repeat_in_columns(column: u64) -> u64 {
    let mut all = 0;
    let mut i = 0;
    while i < WIDTH {
        all |= column << (i * COLUMN);
        i += 1;
    }
    all
}

/// All cells of one column.
pub(crate) const fn column(i: usize) -> u64 {
    ((1 << HEIGHT) - 1) << (i * COLUMN)
}

/// All cells of the columns that have a bit in `bottoms`, a subset of the bottom row.
#[inline(always)]
pub(crate) const fn columns_of(bottoms: u64) -> u64 {
    bottoms * ((1 << HEIGHT) - 1)
}

/// Whether four of the cells lie on one line.
#[inline(always)]
pub(crate) fn has_line(cells: u64) -> bool {
    let mut found = pairs(cells, 1) & pairs(cells, 1) >> 2;
    for slant in SLANTS {
        let two = pairs(cells, slant);
        found |= two & two >> (2 * slant);
    }
    found != 0
}

/// Cells, taken or not, that together with three of `stones` make a line.
#[inline(always)]
pub(crate) fn completions(stones: u64) -> u64 {
    let mut found = stones << 1 & stones << 2 & stones << 3;
    for slant in SLANTS {
        let below = stones << slant & stones << (2 * slant);
        let above = stones >> slant & stones >> (2 * slant);
        found |= below & (stones << (3 * slant) | stones >> slant);
        found |= above & (stones >> (3 * slant) | stones << slant);
    }
    found & BOARD
}

/// Swaps left and right.
#[inline(always)]
pub(crate) const fn mirrored(cells: u64) -> u64 {
    const EDGE: u64 = (1 << COLUMN) - 1;
    let mut turned = 0;
    let mut i = 0;
    while i < WIDTH {
        turned |= (cells >> (i * COLUMN) & EDGE) << ((WIDTH - 1 - i) * COLUMN);
        i += 1;
    }
    turned
}

/// Lower ends of the pairs of neighbours at distance `step`.
#[inline(always)]
fn pairs(cells: u64, step: usize) -> u64 {
    cells & cells >> step
}
