//! Comparisons of agents: games, contests, tournaments and statistics.
//!
//! [`play`] plays one game, [`contest`] many games in every role, [`tournament`] everybody against
//! everybody. All give the same result for the same seed, whatever the number of threads.

mod contest;
mod decay;
pub mod figure;
mod opening;
mod parallel;
mod play;
mod properties;
mod protocol;
pub mod rating;
mod report;
mod report_builder;
mod score;
mod seating;
mod sgf;
mod solved;
pub mod statistics;
mod tournament;

pub use contest::{ContestPlan, Contestant, DEFAULT_ROUNDS, Factory, GameResult, contest};
pub use decay::{DecayCurve, DecayPlan, DecayPoint, DecayReport, decay_curve};
pub use opening::{Opening, OpeningSchedule, OpeningSuite, Openings};
pub use parallel::{NoProgress, ProgressObserver, Workload, in_parallel};
pub use play::{FinishedGame, GameSeeds, TURN_LIMIT, play};
pub use properties::{PropertiesPlan, PropertiesReport, Property, properties};
pub use protocol::{
    Details, Headline, PROTOCOLS, Protocol, ProtocolKind, ProtocolReport, ProtocolRequest,
    default_protocol, find_protocol,
};
pub use report::{
    ContestReport, ContestTotals, ContestantReport, EloReport, RoleReport, SprtReport,
};
pub use score::{ScoreReport, score};
pub use seating::{Seating, seatings};
pub use sgf::sgf;
pub use solved::{SolvedPlan, SolvedReport, solved};
pub use tournament::{HeadToHead, TournamentReport, TournamentStanding, tournament};
