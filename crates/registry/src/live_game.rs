//! A game in progress.

mod typed;

use crate::Batch;
use crate::breakdown::Breakdown;
use ludens_core::{
    Choice, Forfeit, Invalid, Move, Player, Record, Rewards, Rng, Scene, Turn, Violation,
};
use std::time::Duration;

pub(crate) use typed::TypedLiveGame;

/// A game in progress: its state, its history and its legal moves.
///
/// Chance events are drawn automatically: it is a player's turn, or the game is over.
pub trait LiveGame: Send {
    /// The current turn.
    fn turn(&self) -> Turn;

    /// The legal moves, ascending, with how players write them.
    fn legal(&self) -> Vec<(Move, String)>;

    /// The ids of the legal moves, ascending.
    fn legal_ids(&self) -> Vec<Move>;

    /// Writes for all move ids whether the move is legal.
    fn read_legal(&self, legal: &mut [bool]);

    /// Writes the cells as `pov` sees them; if none is named, as the player to move does, or the
    /// first one after the end.
    fn read_cells(&self, pov: Option<Player>, cells: &mut [u8]);

    /// Plays a move as players write it. Returns what each player gained, chance's reply included.
    ///
    /// # Errors
    ///
    /// If no legal move is written so; the game is as before.
    fn play(&mut self, text: &str) -> Result<Rewards, Invalid>;

    /// Like [`LiveGame::play`], with the id of the move.
    ///
    /// # Errors
    ///
    /// If no legal move has this id; the game is as before.
    fn play_id(&mut self, mv: Move) -> Result<Rewards, Invalid>;

    /// Takes back the last move and what chance replied. False if there is none.
    fn undo(&mut self) -> bool;

    /// Puts `text` on the board as a new start.
    ///
    /// # Errors
    ///
    /// If `text` is no state; the game is as before.
    fn set_state(&mut self, text: &str) -> Result<(), Invalid>;

    /// The state in one line.
    fn state_text(&self) -> String;

    /// The history in the notation of players; chance events are in brackets.
    fn history(&self) -> Vec<String>;

    /// The player of each move of the history; `None` for chance events.
    fn movers(&self) -> Vec<Option<Player>>;

    /// The total reward of each player so far.
    fn rewards(&self) -> Rewards;

    /// The scene to draw.
    fn scene(&self) -> Scene;

    /// Lets an agent, written as `name:key=value,...`, play for `player` from here on.
    ///
    /// # Errors
    ///
    /// If there is no such player or agent, or the agent cannot play this game.
    fn seat(&mut self, player: Player, agent: &str) -> Result<(), Invalid>;

    /// The move that the agent of the player to move would play. Does not play it.
    ///
    /// # Errors
    ///
    /// If the agent cannot go on, if nobody is seated there, or if the game is over.
    fn choose(&mut self) -> Result<Advice, Forfeit>;

    /// The agent's value of each legal move, in their order; `None` if the agent has no values or
    /// no agent is seated.
    fn move_values(&mut self) -> Option<Vec<f32>>;

    /// The agent's analysis of the state, with a line of at most `length` moves; `None` if no agent
    /// is seated.
    fn study(&mut self, length: usize) -> Option<Analysis>;

    /// The contributions to the learned value in a file: after the given move, or after the last
    /// move of the game.
    ///
    /// # Errors
    ///
    /// If the file holds no n-tuple network for this game, or there is no such move.
    fn breakdown(&self, path: &str, mv: Option<&str>) -> Result<Breakdown, Invalid>;

    /// The random stream of chance.
    fn chance_stream(&self) -> Rng;

    /// From now on chance draws from this stream.
    fn set_chance_stream(&mut self, stream: Rng);

    /// From now on chance and agents draw from `seed`, as in a new game.
    fn reseed(&mut self, seed: u64);

    /// Leaves the agent seated for `player` no more than this for each move from now on.
    fn limit_time(&mut self, player: Player, time: Option<Duration>);

    /// The record of the game, without the names of the game and of the players.
    fn record(&self) -> Record;

    /// Plays what a record says, from its start.
    ///
    /// # Errors
    ///
    /// If the start or something played is impossible, naming the field; the game is as before.
    fn replay(&mut self, record: &Record) -> Result<(), Invalid>;

    /// An independent copy with the same random stream and no agents.
    fn fork(&self) -> Box<dyn LiveGame>;

    /// The state alone, among as many more as one likes.
    fn batch(&self) -> Box<dyn Batch>;

    /// Checks the promises of the game's traits over one random game from here.
    ///
    /// # Errors
    ///
    /// The first promise found broken.
    fn conformance(&self, seed: u64) -> Result<(), Violation>;
}

/// The move that an agent would play, in the notation of players.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The move as players write it.
    pub text: String,
    /// The move, with the agent's value.
    pub choice: Choice,
}

/// An agent's analysis of a state, in the notation of players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The value of each legal move for the player to move, if the agent has values.
    pub values: Option<Vec<f32>>,
    /// The visits of each legal move, if the agent counts them.
    pub visits: Option<Vec<u64>>,
    /// The expected line of play.
    pub line: Vec<String>,
    /// The search depth, if the agent searches.
    pub depth: Option<u32>,
}
