//! The rules of a game.

use crate::{Afterstate, Event, Move, Rewards, Rng, Turn};
use std::fmt::Debug;
use std::hash::Hash;

/// The rules of one game, with its parameters (board size, ...) as fields.
///
/// A `Game` holds the rules and never changes during play; a [`State`](Game::State) is a position
/// without the rules.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position. It should be small: search and learning copy it often.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The number of players, 1 to [`MAX_PLAYERS`](crate::MAX_PLAYERS).
    fn num_players(&self) -> usize;

    /// One more than the largest move id.
    fn num_moves(&self) -> usize;

    /// The position before the first turn.
    fn start(&self) -> Self::State;

    /// Who acts in `state`.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal moves in ascending order.
    ///
    /// Appends at least one on a player's turn, and none otherwise.
    fn legal_moves(&self, state: &Self::State, out: &mut Vec<Move>);

    /// Counts the legal moves.
    ///
    /// `scratch` is working memory; its content has no meaning.
    ///
    /// Override where counting is faster than listing.
    #[inline]
    fn count_legal_moves(&self, state: &Self::State, scratch: &mut Vec<Move>) -> usize {
        scratch.clear();
        self.legal_moves(state, scratch);
        scratch.len()
    }

    /// Plays a legal move and returns the rewards.
    ///
    /// The new state is the afterstate: no event of chance has been applied yet.
    ///
    /// # Panics
    ///
    /// May panic, or leave a meaningless state, if `mv` is illegal.
    fn play(&self, state: &mut Self::State, mv: Move) -> Rewards;

    /// Calls `visit` with each legal move and its afterstate, in ascending order.
    ///
    /// Called only on a player's turn. `scratch` is working memory; its content has no meaning.
    ///
    /// Override where generating and playing the moves can share work.
    #[inline]
    fn each_afterstate(
        &self,
        state: &Self::State,
        scratch: &mut Vec<Move>,
        mut visit: impl FnMut(Afterstate<'_, Self::State>),
    ) {
        scratch.clear();
        self.legal_moves(state, scratch);
        for &mv in &*scratch {
            let mut after = state.clone();
            let rewards = self.play(&mut after, mv);
            visit(Afterstate { mv, state: &after, rewards, turn: self.turn(&after) });
        }
    }

    /// The least and the largest total reward of a player, from any state to the end of the game;
    /// `None` if unknown.
    ///
    /// If there are two players and the range is from -x to x, one gains what the other loses.
    fn reward_range(&self) -> Option<(f32, f32)> {
        None
    }

    /// Whether chance ever acts in this game.
    fn has_chance(&self) -> bool {
        false
    }

    /// Appends each event that chance may draw, with its probability.
    ///
    /// Appends none unless it is chance's turn.
    fn events(&self, _state: &Self::State, _out: &mut Vec<(Event, f32)>) {}

    /// Applies an event drawn by chance and returns the rewards.
    fn resolve(&self, _state: &mut Self::State, event: Event) -> Rewards {
        unreachable!("{event:?} in a game without chance")
    }

    /// Draws one event. Override where listing all of them is slow.
    fn draw(&self, state: &Self::State, rng: &mut Rng) -> Event {
        let mut all = Vec::new();
        self.events(state, &mut all);
        let mut left = rng.unit();
        for &(event, probability) in &all {
            left -= probability;
            if left < 0.0 {
                return event;
            }
        }
        all.last().expect("a chance turn has events").0
    }

    /// Draws one legal move uniformly at random.
    ///
    /// Called only on a player's turn. `scratch` is working memory; its content has no meaning.
    ///
    /// Override for speed, but return the same: the `rng.below(n)`-th of the `n` legal moves.
    #[inline]
    fn random_move(&self, state: &Self::State, rng: &mut Rng, scratch: &mut Vec<Move>) -> Move {
        scratch.clear();
        self.legal_moves(state, scratch);
        scratch[rng.below(scratch.len())]
    }
}
