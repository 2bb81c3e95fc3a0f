//! Names of games and agents, and the place where their types end.
//!
//! Below the registry everything is generic over the game; above it nothing is. Each erased trait
//! is one *use* of a game ([`AnyGame`], [`LiveGame`], [`Training`], [`AnyArena`], [`Sample`]) with
//! one generic implementation behind it. What was learned is kept in a [`ValueFile`].

mod agents;
mod any_arena;
mod any_game;
mod batch;
mod breakdown;
mod live_game;
mod outside;
mod replace_file;
mod sample;
mod seats;
mod table;
mod training;
mod value_file;

pub use agents::{AgentEntry, AgentInfo, Hooks, ValueSource, agent_list, open_agent, reaches_out};
pub use any_arena::{AnyArena, Measuring};
pub use any_game::{AnyGame, GameInfo, Playouts};
pub use batch::{AnyValue, Batch};
pub use breakdown::{Addend, Breakdown};
pub use live_game::{Advice, LiveGame, Opinion};
pub use ludens_arena as arena;
pub use ludens_experts::connect4;
pub use ludens_search::gtp_words;
pub use outside::{Listed, Outside, Outsider, Seen, add_outside, complaint, listed_games};
pub use replace_file::{discard_file, replace_file};
pub use sample::{Part, Sample};
pub use table::{GAMES, GameEntry, entry, open_game};
pub use training::{Size, Statistics, Training, stored_config};
pub use value_file::{Content, Data, ValueFile, write_value};
