//! Agents: whoever picks moves.

use crate::{Game, Move, Played, Rewards, Rng};
use std::time::Duration;

/// What an agent decided, and why.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move to play.
    pub mv: Move,
    /// What the agent expects to gain from here, if it has an opinion.
    pub value: Option<f32>,
    /// Whether the move was tried for exploration rather than believed best.
    pub explored: bool,
}

impl Choice {
    /// A move chosen without any opinion on its worth.
    pub fn plain(mv: Move) -> Choice {
        Choice { mv, value: None, explored: false }
    }
}

/// What an agent thinks of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Study {
    /// What each legal move is worth to the player to move, in the order of the legal moves.
    /// Nothing from agents that hold no opinion.
    pub values: Option<Vec<f32>>,
    /// How often each legal move was tried, from agents that try.
    pub visits: Option<Vec<u64>>,
    /// What it expects to be played from here on; empty if it does not say.
    pub line: Vec<Move>,
    /// How many moves it looked ahead, from agents that do.
    pub depth: Option<u32>,
}

/// An agent cannot go on and loses the game, for the reason given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit(pub String);

impl std::fmt::Display for Forfeit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Forfeit {}

/// Something that picks moves.
pub trait Agent<G: Game>: Send {
    /// Picks a legal move. Called only on a player's turn.
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit>;

    /// What each legal move is worth to the player to move, in the order of the legal moves.
    /// Nothing from agents that hold no opinion.
    fn move_values(&mut self, _game: &G, _state: &G::State, _rng: &mut Rng) -> Option<Vec<f32>> {
        None
    }

    /// All it thinks of a state: like [`Agent::move_values`], and how it comes to that.
    fn study(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Study {
        Study { values: self.move_values(game, state, rng), ..Study::default() }
    }

    /// From now on no choice may take longer. Agents that cannot stop early take their time.
    fn limit_time(&mut self, _time: Option<Duration>) {}

    /// A new game begins in `state`. Agents that remember forget here.
    fn begin(&mut self, _game: &G, _state: &G::State) {}

    /// Something happened in the game: own moves, other players' moves and events.
    fn watch(&mut self, _game: &G, _before: &G::State, _played: Played) {}
}

impl<G: Game, A: Agent<G> + ?Sized> Agent<G> for Box<A> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        (**self).choose(game, state, rng)
    }

    fn move_values(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Option<Vec<f32>> {
        (**self).move_values(game, state, rng)
    }

    fn study(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Study {
        (**self).study(game, state, rng)
    }

    fn limit_time(&mut self, time: Option<Duration>) {
        (**self).limit_time(time);
    }

    fn begin(&mut self, game: &G, state: &G::State) {
        (**self).begin(game, state);
    }

    fn watch(&mut self, game: &G, before: &G::State, played: Played) {
        (**self).watch(game, before, played);
    }
}

/// Plays any legal move.
#[derive(Clone, Debug, Default)]
pub struct RandomAgent {
    scratch: Vec<Move>,
}

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        Ok(Choice::plain(game.random_move(state, rng, &mut self.scratch)))
    }
}

/// What states are worth; seen by search, learned elsewhere.
pub trait ValueFunction<G: Game>: Send {
    /// What each player expects to gain from `state` on.
    fn values(&mut self, game: &G, state: &G::State) -> Rewards;

    /// Appends what each of these legal moves is worth to the player to move: what it gains at
    /// once and what may be expected after it.
    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>);
}
