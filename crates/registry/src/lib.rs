//! Names of games, and the place where their types end.
//!
//! Below the registry everything is generic over the game; above it nothing is. Each erased trait
//! is one *use* of a game ([`AnyGame`], [`LiveGame`], [`Sample`]) with one generic implementation behind it.

mod any_game;
mod live_game;
mod sample;
mod table;

pub use any_game::{AnyGame, GameInfo, Playouts};
pub use live_game::LiveGame;
pub use sample::{Part, Sample};
pub use table::{GAMES, GameEntry, open_game};
