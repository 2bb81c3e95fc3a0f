//! The moves of a node, the most promising first.

use super::bits::{self, BOARD, WIDTH};
use super::bounds_table::{BoundsTables, TableSlot};
use super::follow::{self, FollowUpPlan};
use super::search::{SearchNode, several};

/// A move that does not lose immediately, and its consequences.
#[derive(Clone, Copy, Default)]
pub(crate) struct Child {
    /// The move.
    pub(crate) stone: u64,
    /// The opponent's only reply, if the move threatens an immediate win; else empty.
    pub(crate) reply: u64,
    /// The table slot of the position after the move and the reply.
    pub(crate) slot: TableSlot,
    /// Column, counted from the centre.
    pub(crate) column_rank: usize,
    promise: u32,
}

/// Moves in the order they should be searched.
pub(crate) struct Children {
    list: [Child; WIDTH],
    count: usize,
}

/// The columns from the centre to the edge; the eighth fills a power of two for the processor.
const COLUMNS_BY_RANK: [u64; 8] = [
    bits::column(3),
    bits::column(2),
    bits::column(4),
    bits::column(1),
    bits::column(5),
    bits::column(0),
    bits::column(6),
    0,
];

/// More than any number of winning cells.
const KNOWN_BEST: u32 = 100;

/// Known facts about a node before its children are generated.
#[derive(Clone, Copy)]
pub(crate) struct Hints {
    /// Cells that do not lose immediately.
    pub(crate) moves: u64,
    /// Free cells where the other would have four in a row.
    pub(crate) winning_cells: u64,
    /// Lane of the move that was best before, or [`Children::NONE`].
    pub(crate) best: usize,
}

impl Children {
    /// A column rank that no move has.
    pub(crate) const NONE: usize = WIDTH;

    /// No moves yet.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { list: [Child::default(); WIDTH], count: 0 }
    }

    /// Sorts the moves by the number of cells where the mover would then win.
    ///
    /// The move that was best before comes first; a cell above one where the other wins does not
    /// count. Returns a bound if one answers "at least `beta`" with yes.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        tables: &BoundsTables<'_>,
        node: SearchNode,
        hints: Hints,
        beta: i32,
    ) -> Option<i32> {
        let stones: [u64; 8] =
            std::array::from_fn(|column_rank| hints.moves & COLUMNS_BY_RANK[column_rank]);
        let winning = winning_cells(node, &stones);
        for column_rank in 0..WIDTH {
            let (stone, winning_cells) = (stones[column_rank], winning[column_rank]);
            if stone == 0 {
                continue;
            }
            let playable = (node.playable() + stone) & BOARD;
            let now = winning_cells & playable;
            if several(now) || now << 1 & winning_cells != 0 {
                return Some(node.high());
            }
            let slot = next_slot(tables, node, stone, now);
            if now == 0 && beta <= followers_best(winning_cells) {
                let (mover, other) = (node.other(), node.mover | stone);
                let bound = FollowUpPlan { mover, other, playable, winning_cells }.bound();
                if let Some(bound) = bound.filter(|bound| -bound >= beta) {
                    return Some(-bound);
                }
            }
            let promise = (winning_cells & !(hints.winning_cells << 1)).count_ones();
            let promise = if column_rank == hints.best { KNOWN_BEST } else { promise };
            self.insert(Child { stone, reply: now, slot, column_rank, promise });
        }
        None
    }

    /// The moves, the best first.
    #[inline(always)]
    pub(crate) fn sorted(&self) -> &[Child] {
        &self.list[..self.count]
    }

    /// Inserts the child after all that promise at least as much.
    #[inline(always)]
    fn insert(&mut self, child: Child) {
        let mut i = self.count;
        while i > 0 && self.list[i - 1].promise < child.promise {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[i] = child;
        self.count += 1;
    }
}

/// The best score for a follower that the plan can prove; a follower without threats does not win
/// soon.
#[inline(always)]
fn followers_best(winning_cells: u64) -> i32 {
    if winning_cells == 0 { 1 } else { follow::LIMIT }
}

/// The column rank in the mirror image, if `mirrored` is true.
#[inline(always)]
pub(crate) fn turned(column_rank: usize, mirrored: bool) -> usize {
    const TURNED: [usize; WIDTH + 1] = [0, 2, 1, 4, 3, 6, 5, Children::NONE];
    if mirrored { TURNED[column_rank] } else { column_rank }
}

/// Place of the position after the stone and, if there is one, the reply.
#[inline(always)]
fn next_slot(tables: &BoundsTables<'_>, node: SearchNode, stone: u64, reply: u64) -> TableSlot {
    let taken = node.taken | stone | reply;
    if reply == 0 {
        tables.slot(node.other(), taken, node.stones + 1)
    } else {
        tables.slot(node.mover | stone, taken, node.stones + 2)
    }
}

/// The free cells where the mover would win after each of the stones.
///
/// All columns take the same branch-free path, so that the compiler can vectorise the loop.
#[inline(always)]
fn winning_cells(node: SearchNode, stones: &[u64; 8]) -> [u64; 8] {
    std::array::from_fn(|column_rank| {
        bits::completions(node.mover | stones[column_rank]) & !(node.taken | stones[column_rank])
    })
}
