//! The search: is the score of a position at least so much?

use super::bits::{BOARD, BOTTOM, completions};
use super::book::OpeningBook;
use super::bounds_table::{Bounds, BoundsTables, TableSlot, table_key};
use super::follow::{self, FollowUpPlan};
use super::order::{self, Child, Children, Hints};
use super::position::{self, Position};
use ludens_core::Cancellation;
use ludens_simd::{Recurse, Recursive, dispatch_recursive};

/// One run of the search over a shared table.
pub(crate) struct NullWindowSearch<'a> {
    pub(crate) tables: BoundsTables<'a>,
    pub(crate) book: Option<&'a OpeningBook>,
    /// Stones of the positions in the book; no number of stones if there is none.
    pub(crate) book_stones: i32,
    /// The number of visited positions.
    pub(crate) nodes: u64,
    /// The number of visited positions at which it looks next whether it is cancelled; zero once it
    /// is, so that what it finds from then on is not kept.
    pub(crate) check_at: u64,
}

/// Positions between two looks whether the search is cancelled.
pub(crate) const CHECK_EVERY: u64 = 4096;

/// A position without an immediate win for the player to move.
#[derive(Clone, Copy)]
pub(crate) struct SearchNode {
    pub(crate) mover: u64,
    pub(crate) taken: u64,
    /// Number of stones on the board.
    pub(crate) stones: i32,
}

/// The result of the static analysis of a node.
enum NodeStatus {
    /// A bound that answers the question.
    Known(i32),
    /// Only this cell does not lose immediately.
    Only(u64),
    /// At least two of these cells do not lose immediately.
    Open { moves: u64, winning_cells: u64 },
}

/// With more stones than this, looking up the children costs more than it saves.
const LOOK_UP_CHILDREN: i32 = 23;

impl SearchNode {
    pub(crate) fn of(position: Position) -> Self {
        debug_assert!(!position.wins_at_once());
        let stones = position.stones() as i32;
        Self { mover: position.mover(), taken: position.taken(), stones }
    }

    #[inline(always)]
    pub(crate) fn other(self) -> u64 {
        self.taken ^ self.mover
    }

    /// The cells a stone can fall to.
    #[inline(always)]
    pub(crate) fn playable(self) -> u64 {
        (self.taken + BOTTOM) & BOARD
    }

    /// The score if the other wins with his next stone.
    #[inline(always)]
    pub(crate) fn lost(self) -> i32 {
        -((42 - self.stones) / 2)
    }

    /// The least score if the other does not win with his next stone.
    #[inline(always)]
    fn low(self) -> i32 {
        -((40 - self.stones) / 2)
    }

    /// The score if the mover wins with his second stone from now.
    #[inline(always)]
    pub(crate) fn high(self) -> i32 {
        (41 - self.stones) / 2
    }

    #[inline(always)]
    fn status(self, beta: i32) -> NodeStatus {
        let winning_cells = completions(self.other()) & !self.taken;
        let forced = self.playable() & winning_cells;
        let safe = self.playable() & !(winning_cells >> 1);
        let moves = match (forced == 0, several(forced)) {
            (true, _) => safe,
            (false, false) => forced & safe,
            (false, true) => 0,
        };
        if moves == 0 {
            NodeStatus::Known(self.lost())
        } else if self.stones >= 40 {
            NodeStatus::Known(0)
        } else if self.low() >= beta {
            NodeStatus::Known(self.low())
        } else if self.high() < beta {
            NodeStatus::Known(self.high())
        } else if several(moves) {
            NodeStatus::Open { moves, winning_cells }
        } else {
            NodeStatus::Only(moves)
        }
    }

    #[inline(always)]
    fn after(self, stone: u64) -> Self {
        Self { mover: self.other(), taken: self.taken | stone, stones: self.stones + 1 }
    }
}

impl Recursive for NullWindowSearch<'_> {
    type Input = (SearchNode, i32);
    type Output = i32;

    /// Like [`NullWindowSearch::at_least`], compiled for one kind of processor.
    ///
    /// AVX2 takes the mean of random positions with 12 stones from 39 to 31 ms (one core of an AMD
    /// EPYC, 64 MiB table).
    #[inline(always)]
    fn level(&mut self, recurse: impl Recurse, (mut node, mut beta): (SearchNode, i32)) -> i32 {
        let mut sign = 1;
        loop {
            self.nodes += 1;
            if self.nodes >= self.check_at && self.is_cancelled() {
                return 0;
            }
            match node.status(beta) {
                NodeStatus::Known(bound) => return sign * bound,
                NodeStatus::Only(stone) => {
                    if node.stones == self.book_stones
                        && let Some(score) = self.in_book(node)
                    {
                        return sign * score;
                    }
                    node = node.after(stone);
                    beta = 1 - beta;
                    sign = -sign;
                }
                NodeStatus::Open { moves, winning_cells } => {
                    return sign * self.expand(recurse, node, moves, winning_cells, beta);
                }
            }
        }
    }
}

impl NullWindowSearch<'_> {
    /// A bound that tells whether the node's score is at least `beta`.
    ///
    /// The score is at least the answer if the answer is, and at most the answer if not.
    pub(crate) fn at_least(&mut self, node: SearchNode, beta: i32) -> i32 {
        dispatch_recursive(self, (node, beta))
    }

    #[inline(always)]
    fn expand(
        &mut self,
        recurse: impl Recurse,
        node: SearchNode,
        moves: u64,
        winning_cells: u64,
        beta: i32,
    ) -> i32 {
        let (slot, mirrored) = self.slot(node);
        let mut bounds = static_bounds(node, winning_cells, beta);
        if bounds.high >= beta
            && let Some(found) = self.tables.of(node.stones).get(slot)
        {
            bounds.low = bounds.low.max(found.low);
            bounds.high = bounds.high.min(found.high);
            bounds.best = order::turned(found.best, mirrored);
        }
        if node.stones == self.book_stones
            && let Some(score) = self.in_book(node)
        {
            return score;
        }
        if let Some(bound) = decided(bounds, beta) {
            return bound;
        }
        let mut children = Children::new();
        let hints = Hints { moves, winning_cells, best: bounds.best };
        let known = children.fill(&self.tables, node, hints, beta);
        if let Some(bound) = known.or_else(|| self.look_up(node, children.sorted(), beta)) {
            return bound;
        }
        let nodes = self.nodes;
        let best = self.best_child(recurse, node, children.sorted(), beta, &mut bounds);
        bounds.best = order::turned(bounds.best, mirrored);
        if self.check_at > 0 {
            self.tables.of(node.stones).put(slot, bounds, self.nodes - nodes);
        }
        best
    }

    #[cold]
    fn is_cancelled(&mut self) -> bool {
        let cancelled = self.check_at == 0 || Cancellation::requested();
        self.check_at = if cancelled { 0 } else { self.nodes + CHECK_EVERY };
        cancelled
    }

    /// The table slot of the node, and whether it is that of the mirror image.
    #[inline(always)]
    fn slot(&self, node: SearchNode) -> (TableSlot, bool) {
        let key = table_key(node.mover, node.taken, node.stones);
        (self.tables.of(node.stones).slot(key), key != position::key(node.mover, node.taken))
    }

    #[cold]
    fn in_book(&self, node: SearchNode) -> Option<i32> {
        let position = Position::from_stones(node.mover, node.other())?;
        self.book?.score(position).map(i32::from)
    }

    /// Looks for a child the table knows to be good enough.
    #[inline(always)]
    fn look_up(&self, node: SearchNode, children: &[Child], beta: i32) -> Option<i32> {
        if node.stones > LOOK_UP_CHILDREN {
            return None;
        }
        children.iter().find_map(|child| {
            let stones = node.stones + if child.reply == 0 { 1 } else { 2 };
            let found = self.tables.of(stones).get(child.slot)?;
            let bound = if child.reply == 0 { -found.high } else { found.low };
            (bound >= beta).then_some(bound)
        })
    }

    /// Searches the children in turn until one is good enough, and tightens the bounds.
    #[inline(always)]
    fn best_child(
        &mut self,
        recurse: impl Recurse,
        node: SearchNode,
        children: &[Child],
        beta: i32,
        bounds: &mut Bounds,
    ) -> i32 {
        let mut best = i32::MIN;
        // The search must not skip positions that are in the book.
        let into_book = node.stones + 1 == self.book_stones;
        for child in children {
            let next = node.after(child.stone);
            let score = if child.reply == 0 || into_book {
                -recurse.call(self, (next, 1 - beta))
            } else {
                recurse.call(self, (next.after(child.reply), beta))
            };
            if score > best {
                best = score;
                bounds.best = child.column_rank;
            }
            if best >= beta {
                bounds.low = bounds.low.max(best);
                return best;
            }
        }
        bounds.high = bounds.high.min(best);
        best
    }
}

/// The bounds that the rules and the follow-up plan give without search.
#[inline(always)]
fn static_bounds(node: SearchNode, winning_cells: u64, beta: i32) -> Bounds {
    let mut bounds = Bounds { low: node.low(), high: node.high(), best: Children::NONE };
    if beta > -follow::LIMIT {
        let (mover, other) = (node.mover, node.other());
        let plan = FollowUpPlan { mover, other, playable: node.playable(), winning_cells };
        bounds.high = bounds.high.min(plan.bound().unwrap_or(bounds.high));
    }
    bounds
}

/// The bound that answers the question, if one does.
#[inline(always)]
fn decided(bounds: Bounds, beta: i32) -> Option<i32> {
    if bounds.low >= beta {
        Some(bounds.low)
    } else if bounds.high < beta {
        Some(bounds.high)
    } else {
        None
    }
}

/// Whether the set has more than one cell.
#[inline(always)]
pub(crate) fn several(cells: u64) -> bool {
    cells & cells.wrapping_sub(1) != 0
}
