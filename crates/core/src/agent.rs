//! Agents, which choose moves, and value functions.

use crate::{Game, Move, Played, Rewards, Rng};
use std::time::Duration;

/// The move that an agent chose, with its estimate.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move to play.
    pub mv: Move,
    /// The agent's estimate of its future rewards, if it has one.
    pub value: Option<f32>,
    /// Whether the move is exploratory rather than greedy.
    pub explored: bool,
}

impl Choice {
    /// A greedy move without an estimate.
    pub fn plain(mv: Move) -> Choice {
        Choice { mv, value: None, explored: false }
    }
}

/// An agent's analysis of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Study {
    /// The values of the legal moves for the player to move, if known.
    ///
    /// In the order of the legal moves.
    pub values: Option<Vec<f32>>,
    /// The visit count of each legal move, if the agent counts visits.
    pub visits: Option<Vec<u64>>,
    /// The principal variation; empty if the agent has none.
    pub line: Vec<Move>,
    /// The search depth in moves, if the agent has one.
    pub depth: Option<u32>,
}

/// An agent cannot continue and loses the game, for the reason given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit(pub String);

impl std::fmt::Display for Forfeit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Forfeit {}

/// A player of the game: chooses moves.
pub trait Agent<G: Game>: Send {
    /// Chooses a legal move. Called only on a player's turn.
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit>;

    /// The values of the legal moves for the player to move, if known.
    ///
    /// In the order of the legal moves.
    fn move_values(&mut self, _game: &G, _state: &G::State, _rng: &mut Rng) -> Option<Vec<f32>> {
        None
    }

    /// The agent's full analysis: [`Agent::move_values`] and details of its search.
    fn study(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Study {
        Study { values: self.move_values(game, state, rng), ..Study::default() }
    }

    /// Limits the time of each following choice. Agents that cannot stop early ignore it.
    fn limit_time(&mut self, _time: Option<Duration>) {}

    /// Starts a new game in `state`. Agents with a memory of the game clear it.
    fn begin(&mut self, _game: &G, _state: &G::State) {}

    /// Reports a step of the game: own moves, other players' moves and events.
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

/// Plays legal moves uniformly at random.
#[derive(Clone, Debug, Default)]
pub struct RandomAgent {
    scratch: Vec<Move>,
}

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        Ok(Choice::plain(game.random_move(state, rng, &mut self.scratch)))
    }
}

/// A value function, which search agents use to evaluate states.
pub trait ValueFunction<G: Game>: Send {
    /// The expected future rewards of each player from `state` on.
    fn values(&mut self, game: &G, state: &G::State) -> Rewards;

    /// Appends the action value of each of these legal moves for the player to move.
    ///
    /// That is the reward of the move plus the expected future rewards.
    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>);

    /// The values of a state on a player's turn, if the function also has a policy.
    ///
    /// Appends the probability of each of these legal moves. Without a policy it appends nothing.
    fn values_and_priors(
        &mut self,
        _game: &G,
        _state: &G::State,
        _legal: &[Move],
        _priors: &mut Vec<f32>,
    ) -> Option<Rewards> {
        None
    }
}
