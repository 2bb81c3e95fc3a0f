//! Learning from self-play: algorithms, policies, training runs and their configuration.
//!
//! A [`Value`] scores moves; a [`Learner`] updates it from the moves that it observes. The general
//! loop in [`EpisodeRunner`] plays the games. A [`Trainer`] runs games by the thousands, in the way
//! that its [`ExecutionPlan`] says.

mod action_images;
mod algorithm;
mod build;
pub mod config;
mod encoder;
mod plan;
mod policy;
mod rewards;
mod scoring;
mod selfplay;
mod spec;
mod trainer;
mod value;

pub use algorithm::{
    ActionFarl, AfterChance, DelayedTd, FastPaths, FusedLearner, FusedStep, LastMove,
    LearnFromRandom, Learner, LearnerSettings, LengthPenalty, MonteCarlo, MoveReport, NextAction,
    PartialDecision, PerPlayerLearner, PlayerMemory, Q, Step, Td, TdFarl, TdMu,
};
pub use build::{
    Ineffective, build_learner, build_value, ineffective, list_tuples, training_bytes,
};
pub use config::Config;
pub use encoder::{Encoder, TurnedBoard};
pub use plan::{EpisodeLoop, ExecutionPlan, Workers};
pub use policy::{Explore, Policy};
pub use rewards::RewardView;
pub use scoring::ScoredMove;
pub use selfplay::source::{OpenAgent, Source};
pub use selfplay::{Episode, EpisodeRunner, GreedyActor, Observer, Seat, Start, Transcript};
pub use spec::{ValueKind, ValueOwner, ValueSpec, WeightSharing};
pub use trainer::{GameObserver, MoveObserver, Trainer};
pub use value::{Errors, Value};
