//! Exact Connect-4 on the 7x6 board.
//!
//! [`Solver`] searches, and is helped by a [`Table`] in memory, a [`Book`] of openings and a
//! [`Cache`] on disk. [`Style`] turns the scores of moves into a choice.

mod bits;
mod book;
mod build_book;
mod cache;
mod follow;
mod hardware;
mod order;
mod place;
mod position;
mod search;
mod solver;
mod style;
mod table;
mod team;

pub use bits::{CELLS, HEIGHT, WIDTH};
pub use book::{Book, BookError, STONES as BOOK_STONES};
pub use build_book::{BuildBook, Progress, openings};
pub use cache::{Cache, Known};
pub use place::{CACHE_BYTES, cache_folder, usual_cache};
pub use position::{MovesError, Position};
pub use solver::{MoveScores, Outcome, Solver};
pub use style::{Style, final_stones};
pub use table::Table;
pub use team::Team;
