//! What the algorithms that go from round to round remember of each player.

use crate::{LearnerSettings, RewardView, Value};
use ludens_approx::{Evaluation, Trace};
use ludens_core::{Bitboards, Invalid, Player, Rewards};

/// What a player remembers of his last afterstate or action.
pub struct PlayerMemory {
    /// His eligibility trace.
    pub trace: Trace,
    /// His last afterstate or action; boxed, because it is exchanged at each move.
    pub last: Box<Evaluation>,
    /// Whether there is one.
    pub moved: bool,
    /// His reward since.
    pub pending: f32,
}

/// The last move of a game so far.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// Who moved.
    pub player: Player,
    /// Whether it ended the game.
    pub over: bool,
}

/// What all players remember of one game.
pub(super) struct Players {
    pub(super) memories: Vec<PlayerMemory>,
    pub(super) last_move: Option<LastMove>,
}

impl Players {
    pub(super) fn new<G: Bitboards>(
        value: &Value<G>,
        settings: &LearnerSettings,
        count: usize,
    ) -> Result<Players, Invalid> {
        let memory = |_| {
            let trace = value.network.new_trace(&settings.trace)?;
            Ok(PlayerMemory { trace, last: Box::default(), moved: false, pending: 0.0 })
        };
        let memories = (0..count).map(memory).collect::<Result<_, Invalid>>()?;
        Ok(Players { memories, last_move: None })
    }

    /// Forgets the game before.
    pub(super) fn begin(&mut self) {
        for memory in &mut self.memories {
            memory.trace.clear();
            (memory.moved, memory.pending) = (false, 0.0);
        }
        self.last_move = None;
    }

    pub(super) fn clear_traces(&mut self) {
        self.memories.iter_mut().for_each(|memory| memory.trace.clear());
    }

    #[inline]
    pub(super) fn add_rewards(&mut self, view: RewardView, rewards: Rewards, over: bool) {
        let seen = view.apply_all(rewards, over);
        for (memory, reward) in self.memories.iter_mut().zip(seen.0) {
            memory.pending += reward;
        }
    }

    /// Adds the rewards after the last move, if chance ended the game. Returns who made that move;
    /// nothing if nobody moved.
    pub(super) fn end(&mut self, view: RewardView, rewards: Rewards) -> Option<Player> {
        let LastMove { player, over } = self.last_move?;
        if !over {
            self.add_rewards(view, rewards, true);
        }
        Some(player)
    }
}
