//! The table of games.

use crate::AnyGame;
use crate::any_game::NamedGame;
use crate::plugins;
use ludens_core::{Invalid, Params, Setting, TrainableGame};
use ludens_games::{Connect4, Game2048, Hex, Nim, Nimm3, Othello, RandomWalk, TicTacToe};

/// A line of the table of games.
pub struct GameEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// The name people use.
    pub title: &'static str,
    /// The aim of the game in one sentence.
    pub about: &'static str,
    /// The settings of the game.
    pub settings: &'static [Setting],
    open: fn(&Params) -> Result<Box<dyn AnyGame>, Invalid>,
}

/// Every game. A new one adds its line here, in alphabetical order.
pub static GAMES: &[GameEntry] = &[
    entry::<Game2048>(),
    entry::<Connect4>(),
    entry::<Hex>(),
    entry::<Nim>(),
    entry::<Nimm3>(),
    entry::<Othello>(),
    entry::<RandomWalk>(),
    entry::<TicTacToe>(),
];

/// The line of the table for a game.
pub const fn entry<G: TrainableGame>() -> GameEntry {
    GameEntry {
        name: G::NAME,
        title: G::TITLE,
        about: G::ABOUT,
        settings: G::SETTINGS,
        open: open::<G>,
    }
}

fn open<G: TrainableGame>(params: &Params) -> Result<Box<dyn AnyGame>, Invalid> {
    let chosen = params.check(G::SETTINGS)?;
    let game = G::configure(&chosen).map_err(|e| e.about(&params.name))?;
    Ok(Box::new(NamedGame::new(chosen.canonical(), game)))
}

/// Opens the game written as `name` or `name:key=value,...`.
///
/// # Errors
///
/// On unknown names and settings, with what is known.
///
/// ```
/// let game = ludens_registry::open_game("tictactoe").unwrap();
/// assert_eq!(game.perft(2), 72);
/// ```
pub fn open_game(text: &str) -> Result<Box<dyn AnyGame>, Invalid> {
    let params: Params = text.parse()?;
    let entry = GAMES
        .iter()
        .chain(plugins::games())
        .find(|e| e.name == params.name)
        .ok_or_else(|| Invalid::unknown("game", &params.name, GAMES.iter().map(|e| e.name)))?;
    (entry.open)(&params)
}
