//! Who is stronger: games between agents, and what may be concluded from them.
//!
//! [`play`] plays one game, [`contest`] many games in every role, [`tournament`] everybody against
//! everybody. All give the same result for the same seed, whatever the number of threads.

mod contest;
pub mod figure;
mod opening;
mod parallel;
mod play;
pub mod rating;
mod report;
mod seating;
mod sgf;
pub mod statistics;
mod tournament;

pub use contest::{Contest, Contestant, DEFAULT_ROUNDS, Factory, GameResult, contest};
pub use opening::{Book, Opening, Openings};
pub use parallel::{Progress, Silent, Workload, in_parallel};
pub use play::{Finished, Luck, TURN_LIMIT, play};
pub use report::{ContestReport, ContestantReport, EloReport, RoleReport, SprtReport, Standing};
pub use seating::{Seating, seatings};
pub use sgf::sgf;
pub use tournament::{Meeting, Place, TournamentReport, tournament};
