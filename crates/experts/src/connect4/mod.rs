//! Exact Connect-4 on the 7x6 board.
//!
//! [`Solver`] searches with a [`BoundsTable`] in memory, an [`OpeningBook`] and a [`Cache`] on disk.
//! [`Style`] turns the scores of moves into a choice.

mod bits;
mod book;
mod bounds_table;
mod build_book;
mod cache;
mod cache_path;
mod follow;
mod order;
mod pool;
mod position;
mod search;
mod solver;
mod style;

pub use bits::{CELLS, HEIGHT, WIDTH};
pub use book::{BookError, OpeningBook, STONES as BOOK_STONES};
pub use bounds_table::BoundsTable;
pub use build_book::{BuildBook, BuildProgress, openings};
pub use cache::{Cache, SolvedScores};
pub use cache_path::{CACHE_BYTES, cache_folder, default_cache};
pub use pool::SolverPool;
pub use position::{MovesError, Position};
pub use solver::{MoveScores, Outcome, Solver};
pub use style::{Style, final_stones};
