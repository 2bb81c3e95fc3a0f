//! What happens in a game: moves are chosen, events are drawn.

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

/// A move, and what it leads to before chance speaks.
#[derive(Copy, Clone, Debug)]
pub struct Afterstate<'a, S> {
    /// The move.
    pub mv: Move,
    /// The state it leaves behind.
    pub state: &'a S,
    /// What each player gains by it.
    pub rewards: Rewards,
    /// Who acts next.
    pub turn: Turn,
}

/// One thing that happened in a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Played {
    /// A player chose this.
    Move(Move),
    /// Chance drew this.
    Event(Event),
}
