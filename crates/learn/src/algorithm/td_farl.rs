//! TD-FARL: TD(lambda) from round to round, for any number of players.

mod fast_paths;

use super::players::Players;
use crate::Value;
use crate::algorithm::{FastPaths, LastMove, Learner, LearnerSettings, Step};
use crate::scoring::previous_player;
use ludens_approx::Evaluation;
use ludens_core::{Bitboards, Invalid, Player, Rewards};

/// TD(lambda) with final adaptation for N players (Konen and Bagheri 2020, algorithm 2).
///
/// Each player updates the value of his last afterstate toward his reward since then plus the value
/// of his new one. At the end every other player updates his last afterstate toward his final
/// reward, and the value of the final afterstate is updated toward what came after it (zero).
pub struct TdFarl<G: Bitboards> {
    value: Value<G>,
    settings: LearnerSettings,
    players: Players,
    /// What learning for one player in several games needs.
    restriction: Option<fast_paths::Restriction>,
    next: Box<Evaluation>,
}

impl<G: Bitboards> TdFarl<G> {
    /// A learner of `value`, whose owner must be the mover.
    ///
    /// # Errors
    ///
    /// If the network does not support such a trace.
    pub fn new(game: &G, value: Value<G>, settings: LearnerSettings) -> Result<TdFarl<G>, Invalid> {
        let players = Players::new(&value, &settings, game.num_players())?;
        Ok(TdFarl { value, settings, players, restriction: None, next: Box::default() })
    }

    #[inline]
    fn learns_for(&self, player: Player) -> bool {
        self.restriction.as_ref().is_none_or(|only| only.player == player)
    }
}

impl<G: Bitboards> Learner<G> for TdFarl<G> {
    /// In games without chance the start state counts as an afterstate of the previous player.
    fn begin(&mut self, game: &G, state: &G::State) {
        self.players.begin();
        if let Some(player) = previous_player(game, state).filter(|p| self.learns_for(*p)) {
            let memory = &mut self.players.memories[player.index()];
            self.value.evaluate(game, state, player, &mut memory.last);
            memory.moved = true;
        }
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.players.add_rewards(self.value.spec.rewards, step.rewards, step.over);
        let value = self.value.evaluate_afterstate(game, step, &mut self.next);
        if step.explored && self.settings.reset {
            self.players.clear_traces();
        }
        let memory = &mut self.players.memories[step.player.index()];
        if memory.moved && self.settings.exploration.allows(step) {
            let future = if step.over { 0.0 } else { value };
            let target = memory.pending + self.value.spec.discount * future;
            self.value.update(&mut memory.last, &mut memory.trace, target);
        }
        std::mem::swap(&mut memory.last, &mut self.next);
        (memory.moved, memory.pending) = (true, 0.0);
        self.players.last_move = Some(LastMove { player: step.player, over: step.over });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        let Some(last) = self.players.end(self.value.spec.rewards, rewards) else { return };
        for player in Player::all(game.num_players()) {
            let learns = self.learns_for(player);
            let memory = &mut self.players.memories[player.index()];
            let adapts = if player == last {
                self.settings.adapt_last
            } else {
                self.settings.adapt_others && memory.moved
            };
            if adapts && learns {
                self.value.update(&mut memory.last, &mut memory.trace, memory.pending);
            }
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        Some(self)
    }
}
