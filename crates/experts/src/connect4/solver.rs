//! Exact scores, lines of play and outcomes.

use super::bits::{CELLS, WIDTH};
use super::book::{BookError, OpeningBook};
use super::bounds_table::{BoundsTable, BoundsTables};
use super::cache::{Cache, SolvedScores};
use super::position::Position;
use super::search::{CHECK_EVERY, NullWindowSearch, SearchNode};
use ludens_core::Cancellation;
use std::io;
use std::sync::Arc;

/// Knows the score of every position.
///
/// The score is for the player to move when both win as soon and lose as late as they can: 22
/// minus the number of stones the winner has on the board at the end, negative if the player to
/// move loses, 0 for a draw. The size of the table, the book and the cache change how long an
/// answer takes, never the answer. A [cancelled](Cancellation) solver answers soon, and anything.
pub struct Solver {
    table: Arc<BoundsTable>,
    near: BoundsTable,
    book: Option<Arc<OpeningBook>>,
    cache: Option<Cache>,
    nodes: u64,
}

/// The outcome of a position under perfect play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The player to move loses.
    Loss,
    /// The game is a draw.
    Draw,
    /// The player to move wins.
    Win,
}

/// The score of each column for the player to move; none for a full column.
pub type MoveScores = [Option<i8>; WIDTH];

/// Columns from the centre to the edge.
pub(crate) const CENTRE_FIRST: [usize; WIDTH] = [3, 2, 4, 1, 5, 0, 6];

/// The cache omits results that took fewer nodes, about a millisecond.
pub(super) const MIN_CACHED_NODES: u64 = 10_000;

impl Solver {
    /// Makes a solver without book and cache, with a table of at most `table_bytes`.
    ///
    /// # Errors
    ///
    /// If the system has not so much memory.
    pub fn new(table_bytes: usize) -> io::Result<Self> {
        Self::with_table(Arc::new(BoundsTable::new(table_bytes)?))
    }

    /// Makes a solver without book and cache that shares its table with others.
    ///
    /// # Errors
    ///
    /// If the system has not a mebibyte for what it does not share.
    pub fn with_table(table: Arc<BoundsTable>) -> io::Result<Self> {
        let near = BoundsTable::new(BoundsTables::NEAR_BYTES)?;
        Ok(Self { table, near, book: None, cache: None, nodes: 0 })
    }

    /// Looks openings up in the book from now on, if there is one.
    ///
    /// Returns why there is none: a warning, since the solver only gets slower.
    pub fn use_book(
        &mut self,
        book: Result<impl Into<Arc<OpeningBook>>, BookError>,
    ) -> Option<BookError> {
        match book {
            Ok(book) => {
                self.book = Some(book.into());
                None
            }
            Err(warning) => Some(warning),
        }
    }

    /// Uses this cache of expensive results.
    ///
    /// A cache that can no longer be read or written is ignored.
    pub fn use_cache(&mut self, cache: Cache) {
        self.cache = Some(cache);
    }

    /// Number of positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact score.
    pub fn score(&mut self, position: Position) -> i8 {
        if let Some(score) = self.look_up(position) {
            return score;
        }
        let nodes = self.nodes;
        let score = self.solve(position);
        if self.nodes - nodes >= MIN_CACHED_NODES {
            self.keep(position, SolvedScores { score, moves: None });
        }
        score
    }

    /// The exact score of every move; all none if the board is full.
    pub fn move_scores(&mut self, position: Position) -> MoveScores {
        if let Some(SolvedScores { moves: Some(moves), .. }) = self.cached(position) {
            return moves;
        }
        let nodes = self.nodes;
        let mut scores = [None; WIDTH];
        let symmetric = position == position.mirrored();
        for column in CENTRE_FIRST {
            let twin = scores[WIDTH - 1 - column];
            scores[column] =
                if symmetric && twin.is_some() { twin } else { self.move_score(position, column) };
        }
        if let Some(score) = scores.iter().flatten().copied().max()
            && self.nodes - nodes >= MIN_CACHED_NODES
        {
            self.keep(position, SolvedScores { score, moves: Some(scores) });
        }
        scores
    }

    /// The outcome of each move: 1, 0 or -1; all `None` if the board is full.
    ///
    /// Finding the winner takes less search than finding the exact score.
    pub fn move_outcomes(&mut self, position: Position) -> MoveScores {
        if let Some(outcomes) = self.cache.as_mut().and_then(|cache| cache.outcomes(position)) {
            return outcomes;
        }
        let nodes = self.nodes;
        let mut outcomes = [None; WIDTH];
        for column in CENTRE_FIRST.into_iter().filter(|column| position.can_play(*column)) {
            outcomes[column] = Some(if position.wins_with(column) {
                1
            } else {
                match self.outcome(position.after(column)) {
                    Outcome::Win => -1,
                    Outcome::Draw => 0,
                    Outcome::Loss => 1,
                }
            });
        }
        if self.nodes - nodes >= MIN_CACHED_NODES
            && !Cancellation::requested()
            && let Some(cache) = &mut self.cache
            && cache.put_outcomes(position, outcomes).is_err()
        {
            self.cache = None;
        }
        outcomes
    }

    /// The outcome; takes less search than the exact score.
    pub fn outcome(&mut self, position: Position) -> Outcome {
        if let Some(score) = self.look_up(position) {
            return Outcome::of(score);
        }
        let node = SearchNode::of(position);
        if self.at_least(node, 1) {
            Outcome::Win
        } else if self.at_least(node, 0) {
            Outcome::Draw
        } else {
            Outcome::Loss
        }
    }

    /// Best moves of both, as columns from 0, until the game is over; central ones if several are.
    pub fn principal_line(&mut self, position: Position) -> Vec<usize> {
        let mut line = Vec::new();
        let mut position = position;
        let mut score = i32::from(self.score(position));
        while let Some(column) = self.best_move(position, score) {
            line.push(column);
            if position.wins_with(column) {
                break;
            }
            position = position.after(column);
            score = -score;
        }
        line
    }

    /// The first column from the centre that keeps the score.
    fn best_move(&mut self, position: Position, score: i32) -> Option<usize> {
        CENTRE_FIRST.into_iter().find(|&column| {
            position.can_play(column)
                && (position.wins_with(column) || {
                    let next = position.after(column);
                    match end_score(next) {
                        Some(end) => -end >= score,
                        None => !self.at_least(SearchNode::of(next), 1 - score),
                    }
                })
        })
    }

    pub(super) fn move_score(&mut self, position: Position, column: usize) -> Option<i8> {
        if !position.can_play(column) {
            None
        } else if position.wins_with(column) {
            end_score(position).map(|score| score as i8)
        } else {
            Some(-self.score(position.after(column)))
        }
    }

    /// The score from the rules, the book or the cache, without search.
    fn look_up(&mut self, position: Position) -> Option<i8> {
        end_score(position)
            .map(|score| score as i8)
            .or_else(|| self.book.as_ref()?.score(position))
            .or_else(|| self.cached(position).map(|known| known.score))
    }

    pub(super) fn cached(&mut self, position: Position) -> Option<SolvedScores> {
        self.cache.as_mut()?.get(position)
    }

    pub(super) fn keep(&mut self, position: Position, known: SolvedScores) {
        if !Cancellation::requested()
            && let Some(cache) = &mut self.cache
            && cache.put(position, known).is_err()
        {
            self.cache = None;
        }
    }

    /// Narrows the range of the score by one question after the other.
    fn solve(&mut self, position: Position) -> i8 {
        let node = SearchNode::of(position);
        let (mut low, mut high) = (node.lost(), node.high());
        while low < high && !Cancellation::requested() {
            let beta = question(low, high);
            let bound = self.search(node, beta);
            if bound >= beta { low = bound } else { high = bound }
        }
        low as i8
    }

    fn at_least(&mut self, node: SearchNode, beta: i32) -> bool {
        self.search(node, beta) >= beta
    }

    fn search(&mut self, node: SearchNode, beta: i32) -> i32 {
        let book = self.book.as_deref();
        let book_stones = book.map_or(-1, |book| book.stones() as i32);
        // Before a book the search looks two stones ahead.
        let first_far = book.map_or(0, |book| book.stones() + 2);
        let tables = BoundsTables::new(&self.table, &self.near, first_far);
        let mut search =
            NullWindowSearch { tables, book, book_stones, nodes: 0, check_at: CHECK_EVERY };
        let bound = search.at_least(node, beta);
        self.nodes += search.nodes;
        bound
    }
}

impl Outcome {
    /// The outcome for the player whose score this is.
    pub fn of(score: i8) -> Self {
        match score.signum() {
            1 => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }
}

/// The score if the board is full or the player to move has an immediate win.
fn end_score(position: Position) -> Option<i32> {
    if position.wins_at_once() {
        Some((CELLS as i32 + 1 - position.stones() as i32) / 2)
    } else {
        position.is_full().then_some(0)
    }
}

/// Bisects the range, but tests early ends first, which need little search.
fn question(low: i32, high: i32) -> i32 {
    let middle = low + (high - low) / 2;
    if middle <= 0 && low / 2 < middle {
        low / 2 + 1
    } else if middle >= 0 && high / 2 > middle {
        high / 2 + 1
    } else {
        middle + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_leave_the_large_table_alone() {
        let table = Arc::new(BoundsTable::new(1 << 20).unwrap());
        let mut solver = Solver::with_table(Arc::clone(&table)).unwrap();
        assert!(solver.use_book(OpeningBook::embedded()).is_none());
        let empty = Position::default();
        assert_eq!(solver.move_scores(empty), [-2, -1, 0, 1, 0, -1, -2].map(Some));
        assert_eq!(solver.move_outcomes(empty), [-1, -1, 0, 1, 0, -1, -1].map(Some));
        for moves in ["4", "44", "4444", "1234567", "7654321"] {
            solver.move_scores(Position::from_moves(moves).unwrap());
        }
        assert!(table.is_empty(), "few positions come before a book");
        assert!(solver.nodes() < 60_000, "{} positions searched", solver.nodes());
        solver.score(Position::from_moves("123456712345").unwrap());
        assert!(!table.is_empty(), "behind the book the large table serves");
    }
}
