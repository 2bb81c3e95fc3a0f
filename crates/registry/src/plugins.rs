//! Plugins: games, agents and evaluators that a host program adds to the registry, such as those
//! in Python.

mod evaluator;

pub use evaluator::{EvaluatorBatch, EvaluatorOutput, ExternalValue};

use crate::GameEntry;
use evaluator::ExternalValueAdapter;
use ludens_core::{
    Agent, Choice, Forfeit, Game, Move, Played, Player, Rng, TrainableGame, Turn, ValueFunction,
};
use std::any::Any;
use std::sync::OnceLock;

/// The games and agents that a host program adds to the registry.
pub struct Plugins {
    /// More games.
    pub games: &'static [GameEntry],
    /// The plugin games to list next to the built-in games.
    pub listed: fn() -> Vec<PluginGame>,
    /// Opens the agent of this name; nothing if there is none.
    pub agent: fn(&str) -> Option<Box<dyn ExternalAgent>>,
    /// Opens the evaluator of this name; nothing if there is none.
    pub value: fn(&str) -> Option<Box<dyn ExternalValue>>,
    /// The error message of a plugin, if this panic payload came from one.
    pub plugin_error: fn(&(dyn Any + Send)) -> Option<String>,
}

/// A plugin game to list next to the built-in games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginGame {
    /// The text that opens it.
    pub spec: String,
    /// The aim of the game in one sentence.
    pub about: String,
}

/// An agent that knows a game only by its texts.
pub trait ExternalAgent: Send {
    /// Picks a legal move, by its id.
    ///
    /// # Errors
    ///
    /// If it cannot go on; it then loses the game.
    fn choose(&mut self, view: &GameView) -> Result<Move, Forfeit>;
}

/// An external agent's view of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameView {
    /// The state in one line.
    pub state: String,
    /// The player to move.
    pub player: Player,
    /// The cells as the player to move sees them, row by row.
    pub cells: Vec<u8>,
    /// Rows and columns of cells.
    pub shape: (usize, usize),
    /// The number of move ids.
    pub num_moves: usize,
    /// The legal moves, ascending, with how players write them.
    pub legal: Vec<(Move, String)>,
    /// The state that the game began with, in one line.
    pub start: String,
    /// The history; chance events are in brackets.
    pub history: Vec<String>,
}

static PLUGINS: OnceLock<Plugins> = OnceLock::new();

/// Adds games and agents for the rest of the program; only the first call has an effect.
pub fn add_plugins(plugins: Plugins) {
    let _ = PLUGINS.set(plugins);
}

/// The plugin games to list next to the built-in games.
pub fn listed_games() -> Vec<PluginGame> {
    PLUGINS.get().map_or_else(Vec::new, |plugins| (plugins.listed)())
}

/// The error message of a plugin, if this panic payload came from one.
pub fn plugin_error(unwinds: &(dyn Any + Send)) -> Option<String> {
    PLUGINS.get().and_then(|plugins| (plugins.plugin_error)(unwinds))
}

pub(crate) fn games() -> &'static [GameEntry] {
    PLUGINS.get().map_or(&[], |plugins| plugins.games)
}

/// The external agent of this name, adapted to a typed game.
pub(crate) fn agent<G: TrainableGame>(name: &str) -> Option<Box<dyn Agent<G>>> {
    let agent = (PLUGINS.get()?.agent)(name)?;
    Some(Box::new(ExternalAgentAdapter { agent, view: GameView::default() }))
}

/// The evaluator of this name, adapted to a typed game.
pub(crate) fn value<G: TrainableGame>(name: &str) -> Option<Box<dyn ValueFunction<G>>> {
    let value = (PLUGINS.get()?.value)(name)?;
    Some(Box::new(ExternalValueAdapter::new(value)))
}

/// Adapts an external agent to a typed game.
struct ExternalAgentAdapter {
    agent: Box<dyn ExternalAgent>,
    view: GameView,
}

impl<G: TrainableGame> Agent<G> for ExternalAgentAdapter {
    fn choose(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Result<Choice, Forfeit> {
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        self.view.state = game.state_text(state);
        if let Turn::Player(player) = game.turn(state) {
            self.view.player = player;
        }
        let layout = game.layout();
        self.view.cells.resize(layout.num_cells(), 0);
        self.view.shape = (layout.num_cells() / layout.width, layout.width);
        self.view.num_moves = game.num_moves();
        game.read_cells(state, self.view.player, &mut self.view.cells);
        self.view.legal = legal.iter().map(|&mv| (mv, game.move_text(state, mv))).collect();
        let mv = self.agent.choose(&self.view)?;
        if legal.contains(&mv) {
            return Ok(Choice::plain(mv));
        }
        let known: Vec<_> = self.view.legal.iter().map(|(_, text)| text.as_str()).collect();
        let (known, id) = (known.join(" "), mv.0);
        Err(Forfeit(format!("it chose move {id}, which is not legal; legal: {known}")))
    }

    fn begin(&mut self, game: &G, state: &G::State) {
        self.view = GameView { start: game.state_text(state), ..GameView::default() };
    }

    fn watch(&mut self, game: &G, before: &<G as Game>::State, played: Played) {
        self.view.history.push(match played {
            Played::Move(mv) => game.move_text(before, mv),
            Played::Event(event) => format!("({})", game.event_text(before, event)),
        });
    }
}
