//! Who is stronger: games between agents, and what may be concluded from them.
//!
//! [`play`] plays one game, [`contest`](Contest) many games in every role; both give the same
//! result for the same seed, whatever the number of threads.

mod contest;
mod opening;
mod parallel;
mod play;
mod report;
mod seating;
pub mod statistics;

pub use contest::{Contest, Contestant, DEFAULT_ROUNDS, Factory, GameResult, contest};
pub use opening::{Book, Opening, Openings};
pub use parallel::{Progress, Silent, Workload, in_parallel};
pub use play::{Finished, Luck, TURN_LIMIT, play};
pub use report::{ContestReport, ContestantReport, EloReport, RoleReport, SprtReport, Standing};
pub use seating::{Seating, seatings};
