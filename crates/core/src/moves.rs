//! Moves, which players choose, and events, which chance draws.

use crate::{Player, Rewards};

/// A choice of the player to move; ids run from 0 to [`Game::num_moves`](crate::Game::num_moves).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);

/// An outcome of chance: a tile, a die. Never chosen, only drawn.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event(pub u32);

/// Who acts next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// This player chooses a [`Move`].
    Player(Player),
    /// Chance draws an [`Event`]. The state is an afterstate.
    Chance,
    /// Nobody: the game has ended.
    Over,
}

/// A legal move and its afterstate: the position before chance is applied.
#[derive(Copy, Clone, Debug)]
pub struct Afterstate<'a, S> {
    /// The move.
    pub mv: Move,
    /// The afterstate.
    pub state: &'a S,
    /// The rewards of the move.
    pub rewards: Rewards,
    /// Who acts next.
    pub turn: Turn,
}

/// One step of a game: a move or an event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Played {
    /// A player chose this.
    Move(Move),
    /// Chance drew this.
    Event(Event),
}
