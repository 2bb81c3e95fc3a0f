//! What a learned value means: of what, for whom, and with which weights.

use crate::RewardView;
use ludens_core::{MAX_PLAYERS, Move, Player, Rewards};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a learned value means, apart from its weights.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ValueSpec {
    /// What has a value.
    pub kind: ValueKind,
    /// Whose return the value predicts.
    pub owner: ValueOwner,
    /// Which weights a player uses.
    pub sharing: WeightSharing,
    /// How rewards appear to the learner.
    pub rewards: RewardView,
    /// The discount factor gamma.
    pub discount: f32,
    /// Whether the network instead of the rules evaluates moves that end the game.
    pub bootstrap_terminal: bool,
    /// Whether states after chance events are learned instead of afterstates.
    pub after_chance: bool,
    /// Whether the second player scores moves on the board with the colours swapped.
    pub reversed: bool,
    /// Whether the two players are exchanged at the moment, board and rewards included.
    pub swapped: bool,
    /// How many regions moves are divided into for partial decisions; zero without them.
    pub regions: usize,
}

/// What has a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Afterstates: V(s'), the return after a move, without its reward.
    Afterstate,
    /// Afterstates: Q(s, a) = V(s'), the return including the reward of the move.
    AfterstateWithReward,
    /// States and actions: Q(s, a). Each action has its own weights.
    Action {
        /// How many weight sets a player has: one for each move, or one with the tables of all.
        sets: usize,
    },
}

/// Whose return a value predicts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ValueOwner {
    /// That of the player who moved; every player maximises.
    Mover,
    /// The first player's; the second player minimises. For one and two players.
    FirstPlayer,
}

/// Which weights a player uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WeightSharing {
    /// All players share one set; if the owner is the mover, the board is seen by the mover.
    Shared,
    /// Each player has a set for the afterstates of his own moves.
    #[serde(rename = "each")]
    PerPlayer,
}

impl ValueSpec {
    /// How many weight sets a game of `players` needs.
    pub fn num_weight_sets(&self, players: usize) -> usize {
        let per_player = match self.kind {
            ValueKind::Afterstate | ValueKind::AfterstateWithReward => 1,
            ValueKind::Action { sets } => sets,
        };
        match self.sharing {
            WeightSharing::Shared => per_player,
            WeightSharing::PerPlayer => players * per_player,
        }
    }

    /// The weight set of afterstates of `player`; for actions, that of his first move.
    #[inline]
    pub(crate) fn weight_set(&self, player: Player) -> usize {
        let set = match self.sharing {
            WeightSharing::Shared => 0,
            WeightSharing::PerPlayer => self.seat(player).index(),
        };
        match self.kind {
            ValueKind::Action { sets } => set * sets,
            _ => set,
        }
    }

    /// The player from whose point of view an afterstate of `player` is encoded.
    #[inline]
    pub(crate) fn pov(&self, player: Player) -> Player {
        match (self.owner, self.sharing) {
            (ValueOwner::Mover, WeightSharing::Shared) => player,
            _ => self.seat(Player(0)),
        }
    }

    /// The accumulator for afterstates of `player`: one for each weight set and point of view.
    #[inline]
    pub(crate) fn accumulator(&self, player: Player) -> usize {
        self.weight_set(player) * MAX_PLAYERS + self.pov(player).index()
    }

    /// The seat of `player`, or who sits there: the same for one or two players.
    #[inline]
    fn seat(&self, player: Player) -> Player {
        if self.swapped { player.other() } else { player }
    }

    /// One if `player` maximises the value, minus one if he minimises it.
    #[inline]
    pub fn sign(&self, player: Player) -> f32 {
        let minimises = self.owner == ValueOwner::FirstPlayer && player != self.seat(Player(0));
        if minimises { -1.0 } else { 1.0 }
    }

    /// The player whose return the value of an afterstate of `player` predicts.
    #[inline]
    pub(crate) fn owner_of(&self, player: Player) -> Player {
        match self.owner {
            ValueOwner::Mover => player,
            ValueOwner::FirstPlayer => self.seat(Player(0)),
        }
    }

    /// The reward that counts for an afterstate of `player`, as the learner sees it.
    #[inline]
    pub fn reward(&self, rewards: Rewards, over: bool, player: Player) -> f32 {
        self.rewards.apply(rewards[self.owner_of(player)], over)
    }

    /// The region of a move: moves are divided in their order.
    pub(crate) fn region(&self, num_moves: usize, mv: Move) -> usize {
        mv.0 as usize * self.regions / num_moves
    }

    /// Whether `player` scores moves with the colours swapped.
    #[inline]
    pub(crate) fn swaps_for(&self, player: Player) -> bool {
        self.reversed && player == Player(1)
    }
}
