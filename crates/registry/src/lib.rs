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
mod champions;
mod live_game;
mod notes;
mod path_text;
mod plugins;
mod sample;
mod seats;
mod table;
mod training;
mod value_file;

pub use agents::{
    AgentEntry, AgentInfo, Hooks, ValueSource, accesses_system, agent_list, open_agent,
};
pub use any_arena::{AnyArena, MeasureOptions};
pub use any_game::{AnyGame, GameInfo, Playouts};
pub use batch::{AnyValue, Batch, BatchStreams, STAY};
pub use breakdown::{Addend, Breakdown};
pub use champions::{
    CHAMPION, CardResult, Champion, ChampionCard, SameMoves, champions, checksum, find_champion,
    pack_champion,
};
pub use live_game::{Advice, Analysis, LiveGame};
pub use ludens_arena as arena;
pub use ludens_experts::connect4;
pub use ludens_files::{discard_file, replace_file};
pub use ludens_search::gtp_words;
pub use notes::set_note_listener;
pub use path_text::path_text;
pub use plugins::{
    EvaluatorBatch, EvaluatorOutput, ExternalAgent, ExternalValue, GameView, PluginGame, Plugins,
    add_plugins, listed_games, plugin_error,
};
pub use sample::{Part, Sample};
pub use table::{GAMES, GameEntry, entry, open_game};
pub use training::{Statistics, Training, ValueSize, stored_config};
pub use value_file::{
    CompactOptions, Content, TensorData, ValueFile, pack, value_path, write_value,
};
