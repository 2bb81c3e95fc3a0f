//! Exact scores of every move in Connect-4.

use crate::errors::{Failed, Invalid};
use crate::work::abandonable;
use ludens_registry::connect4::{OpeningBook, Position, Solver, SolverPool, default_cache};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The size of the transposition table in bytes.
const TABLE: usize = 128 << 20;

/// Created on first use and kept, so that its table helps later calls.
static POOL: Mutex<Option<SolverPool>> = Mutex::new(None);

/// The score of each column after these moves; None for full columns. With the best line.
#[pyfunction]
pub(crate) fn solve(py: Python<'_>, moves: &str) -> PyResult<(Vec<Option<i8>>, Vec<usize>)> {
    let position = Position::from_moves(moves).map_err(|e| Invalid::new_err(e.to_string()))?;
    abandonable(py, move || {
        let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = match &mut *slot {
            Some(pool) => pool,
            empty => empty.insert(new_pool()?),
        };
        let scores = pool.move_scores(position);
        Ok((scores.to_vec(), pool.first().principal_line(position)))
    })?
}

fn new_pool() -> PyResult<SolverPool> {
    let no_memory = |e| Failed::new_err(format!("{} MiB are too many: {e}", TABLE >> 20));
    let mut solver = Solver::new(TABLE).map_err(no_memory)?;
    // Without a book openings are searched.
    if let Ok(book) = OpeningBook::embedded() {
        solver.use_book(Ok(Arc::new(book)));
    }
    if let Some(cache) = default_cache() {
        solver.use_cache(cache);
    }
    Ok(SolverPool::new(vec![solver]))
}
