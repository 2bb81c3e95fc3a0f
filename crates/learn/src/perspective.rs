//! Whose gain a value tells, of what, and with whose weights.

use ludens_core::{Player, Rewards};

/// What has a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Afterstates: V(s'), what may still be gained after a move.
    Afterstates,
    /// Afterstates: Q(s, a) = V(s'), what the move gains included.
    Arrivals,
    /// States and moves: Q(s, a), what the move gains included. Each move has its own weights.
    Moves {
        /// How many moves the game has.
        count: usize,
    },
}

impl Scope {
    /// How many banks there are for each player's bank.
    pub fn num_banks(self) -> usize {
        match self {
            Scope::Afterstates | Scope::Arrivals => 1,
            Scope::Moves { count } => count,
        }
    }
}

/// Whose gain a value tells, and with whose weights.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Perspective {
    /// The gain.
    pub whose: Whose,
    /// The weights.
    pub banks: Banks,
    /// Whether the two players have changed places, board and rewards included.
    pub inverted: bool,
}

/// Whose gain a value tells.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// That of the player who moved into the afterstate; everybody maximises.
    Mover,
    /// The first player's; the second minimises. For one and two players.
    First,
}

/// Which weights a player uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Banks {
    /// Everybody the same; if the gain is the mover's, with the board as the mover sees it.
    Shared,
    /// Each player has weights for the afterstates that he moves into.
    PerPlayer,
    /// There are the weights of one player only, who has them for the afterstates that he moves into.
    OnePlayer,
}

impl Perspective {
    /// How many banks a game of `players` needs.
    pub fn num_banks(self, players: usize) -> usize {
        match self.banks {
            Banks::Shared | Banks::OnePlayer => 1,
            Banks::PerPlayer => players,
        }
    }

    /// The bank of an afterstate of `player`.
    #[inline]
    pub(crate) fn bank(self, player: Player) -> usize {
        match self.banks {
            Banks::Shared | Banks::OnePlayer => 0,
            Banks::PerPlayer => self.place(player).index(),
        }
    }

    /// Whose eyes see an afterstate of `player`.
    #[inline]
    pub(crate) fn pov(self, player: Player) -> Player {
        match (self.whose, self.banks) {
            (Whose::Mover, Banks::Shared) => player,
            _ => self.place(Player(0)),
        }
    }

    /// Where `player` sits, or who sits there: the same for one or two players.
    #[inline]
    fn place(self, player: Player) -> Player {
        if self.inverted { player.other() } else { player }
    }

    /// One if `player` wants large values, minus one if small.
    #[inline]
    pub fn sign(self, player: Player) -> f32 {
        if self.whose == Whose::First && player != self.place(Player(0)) { -1.0 } else { 1.0 }
    }

    /// The part of `rewards` that the value tells, for an afterstate of `player`.
    #[inline]
    pub fn gain(self, rewards: Rewards, player: Player) -> f32 {
        rewards[self.gainer(player)]
    }

    /// Whose gain the value of an afterstate of `player` tells.
    #[inline]
    pub(crate) fn gainer(self, player: Player) -> Player {
        match self.whose {
            Whose::Mover => player,
            Whose::First => self.place(Player(0)),
        }
    }
}
