//! How it is learned: self-play, exploration, and the temporal-difference algorithms.
//!
//! A [`Value`] says what afterstates are worth. A [`Learner`] holds one, picks moves by it and
//! corrects it from the stream of moves it observes, its own or another's. [`play_episode`] is the
//! one loop that lets learners, agents and records play.

mod after_chance;
mod build;
pub mod config;
mod episode;
mod explore;
mod learner;
pub mod monte_carlo;
pub mod move_farl;
mod perspective;
mod picker;
pub mod q;
mod reader;
mod relay;
mod rewards;
mod schedule;
mod scout;
pub mod search;
mod solo;
pub mod source;
mod start;
pub mod td;
pub mod td_farl;
mod td_mu;
mod thread;
mod trainer;
mod transcript;
mod value;

pub use after_chance::AfterChance;
pub use build::{build_learner, build_value, list_tuples};
pub use config::Config;
pub use episode::{Episode, Seat, Watch, play_episode};
pub use explore::Explore;
pub use learner::{LearnFromRandom, Learner, News, Step};
pub use monte_carlo::MonteCarlo;
pub use move_farl::MoveFarl;
pub use perspective::{Banks, Perspective, Scope, Whose};
pub use picker::Picker;
pub use q::Q;
pub use reader::Reader;
pub use rewards::RewardView;
pub use schedule::{Schedule, Shape};
pub use scout::Scout;
pub use solo::Solo;
pub use source::Source;
pub use start::Start;
pub use td::Td;
pub use td_farl::TdFarl;
pub use td_mu::TdMu;
pub use trainer::{Hear, HearGame, Trainer};
pub use transcript::Transcript;
pub use value::{Errors, Rated, Value};
