//! The argument that names a game.

use crate::failure::Failure;
use ludens_lab::game_name;
use ludens_registry::{AnyGame, GAMES, GameEntry, open_game};

/// The argument that names a game.
#[derive(clap::Args)]
pub(crate) struct GameArg {
    /// The game: name or name:key=value,...
    #[arg(value_name = "GAME")]
    game: String,
}

impl GameArg {
    /// Opens the game.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, Failure> {
        open(&self.game)
    }
}

/// Opens the game that `text` names.
pub(crate) fn open(text: &str) -> Result<Box<dyn AnyGame>, Failure> {
    open_game(text).map_err(|error| {
        let named = |entry: &&GameEntry| game_name(text) == entry.name;
        let hint = match GAMES.iter().find(named) {
            Some(entry) => format!("`ludens games {}` tells what can be set", entry.name),
            None => "`ludens games` lists all games".into(),
        };
        Failure::from(error).with_hint(hint)
    })
}

/// The line of the table that `game` was opened from.
pub(crate) fn entry_of(game: &dyn AnyGame) -> &'static GameEntry {
    let name = game_name(&game.info().spec);
    GAMES.iter().find(|entry| entry.name == name).expect("games are opened from the table")
}
