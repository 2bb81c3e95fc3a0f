//! Several solvers on one position.

use super::bits::WIDTH;
use super::cache::SolvedScores;
use super::position::Position;
use super::solver::{CENTRE_FIRST, MIN_CACHED_NODES, MoveScores, Solver};
use ludens_core::Cancellation;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Solvers that work at the same time, each on another move of the same position.
pub struct SolverPool {
    solvers: Vec<Solver>,
}

impl SolverPool {
    /// Lets these solvers, at least one, work together; they should share a table.
    ///
    /// # Panics
    ///
    /// If there is no solver.
    pub fn new(solvers: Vec<Solver>) -> Self {
        assert!(!solvers.is_empty(), "a team has a solver");
        Self { solvers }
    }

    /// The solver for positions that are too easy to share.
    pub fn first(&mut self) -> &mut Solver {
        &mut self.solvers[0]
    }

    /// Number of positions searched so far, by all.
    pub fn nodes(&self) -> u64 {
        self.solvers.iter().map(Solver::nodes).sum()
    }

    /// The exact score of every move, the same as one solver finds.
    pub fn move_scores(&mut self, position: Position) -> MoveScores {
        if self.solvers.len() == 1 {
            return self.first().move_scores(position);
        }
        if let Some(SolvedScores { moves: Some(moves), .. }) = self.first().cached(position) {
            return moves;
        }
        let nodes = self.nodes();
        let scores = self.share(position);
        if let Some(score) = scores.iter().flatten().copied().max()
            && self.nodes() - nodes >= MIN_CACHED_NODES
        {
            self.first().keep(position, SolvedScores { score, moves: Some(scores) });
        }
        scores
    }

    fn share(&mut self, position: Position) -> MoveScores {
        let symmetric = position == position.mirrored();
        let needed = |column: &usize| !symmetric || *column <= WIDTH / 2;
        let columns: Vec<usize> = CENTRE_FIRST.into_iter().filter(needed).collect();
        let (next, scores) = (AtomicUsize::new(0), Mutex::new([None; WIDTH]));
        let work = |solver: &mut Solver| {
            while let Some(&column) = columns.get(next.fetch_add(1, Ordering::Relaxed)) {
                let score = solver.move_score(position, column);
                let mut scores = scores.lock().expect("no thread panics");
                scores[column] = score;
                if symmetric {
                    scores[WIDTH - 1 - column] = score;
                }
            }
        };
        let token = Cancellation::current();
        std::thread::scope(|scope| {
            for solver in &mut self.solvers {
                scope.spawn(|| token.scope(|| work(solver)));
            }
        });
        scores.into_inner().expect("no thread panics")
    }
}
