//! Agents that look ahead, one file per agent, and agents that change how others play.
//!
//! They know a game only by its rules, and what is learned only as a
//! [`ValueFunction`](ludens_core::ValueFunction). The list of all agents, with their names, is the
//! registry's.

mod alphabeta;
mod decay;
mod endgame_random;
mod frontier;
mod greedy;
mod gtp;
pub mod gtp_words;
mod level;
mod maxn;
mod mcts;
mod pick;
mod transposition;

pub use alphabeta::{AlphaBeta, SearchLimits};
pub use decay::Decay;
pub use endgame_random::EndgameRandom;
pub use greedy::Greedy;
pub use gtp::{Gtp, GtpSettings};
pub use level::{FULL_STRENGTH, Level};
pub use maxn::MaxN;
pub use mcts::{FinalMoveRule, Mcts, MctsSettings};
