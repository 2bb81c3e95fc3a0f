//! SARSA-FARL and Q-FARL: action values from round to round, for any number of players.

use super::players::Players;
use crate::algorithm::{FastPaths, LastMove, Learner, LearnerSettings, Step};
use crate::{Policy, Value};
use ludens_approx::Evaluation;
use ludens_core::{Bitboards, Choice, Invalid, Player, Rewards};

/// SARSA or Q-learning with final adaptation for N players (Konen and Bagheri 2020, algorithms 3
/// to 5).
///
/// When a player is to move again, the value of his last action is updated toward his reward since
/// then plus the value of his next action: the one he takes (SARSA) or the best one (Q). At the end
/// the last action of every player is updated toward his final reward; without final adaptation,
/// only that of the player who would move next (algorithm 5, line 10).
pub struct ActionFarl<G: Bitboards> {
    value: Value<G>,
    settings: LearnerSettings,
    target: NextAction,
    players: Players,
    next: Box<Evaluation>,
    policy: Policy,
}

/// Which next action is the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// The one taken (SARSA).
    Taken,
    /// The best one (Q).
    Best,
}

impl<G: Bitboards> ActionFarl<G> {
    /// A learner of `value`, which must be one of actions, owned by the mover.
    ///
    /// # Errors
    ///
    /// If the network does not support such a trace.
    pub fn new(
        game: &G,
        value: Value<G>,
        settings: LearnerSettings,
        target: NextAction,
    ) -> Result<ActionFarl<G>, Invalid> {
        let players = Players::new(&value, &settings, game.num_players())?;
        let (next, policy) = (Box::default(), Policy::new(1));
        Ok(ActionFarl { value, settings, target, players, next, policy })
    }

    /// Updates the last action of `player` toward his reward since plus the discounted `future`.
    fn update(&mut self, player: Player, future: f32) {
        let memory = &mut self.players.memories[player.index()];
        let target = memory.pending + self.value.spec.discount * future;
        self.value.update(&mut memory.last, &mut memory.trace, target);
    }

    /// The value of the best action.
    fn best_value(&mut self, game: &G, state: &G::State, player: Player) -> f32 {
        let scored = self.policy.score(&mut self.value, game, state, player);
        let best = scored.iter().map(|scored| scored.value).max_by(f32::total_cmp);
        best.expect("a player to move has a legal move")
    }
}

impl<G: Bitboards> Learner<G> for ActionFarl<G> {
    fn begin(&mut self, _: &G, _: &G::State) {
        self.players.begin();
    }

    fn learn_before_move(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        drawn: &Choice,
    ) -> bool {
        let moved = &mut self.players.memories[player.index()].moved;
        if !self.settings.redraw || !std::mem::take(moved) {
            return false;
        }
        let future = match self.target {
            NextAction::Taken if drawn.explored && !self.settings.exploration.always() => {
                return true;
            }
            NextAction::Taken => {
                self.value.evaluate_action(game, state, player, drawn.mv, &mut self.next)
            }
            NextAction::Best => self.best_value(game, state, player),
        };
        self.update(player, future);
        true
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        let (player, mv) = (step.player, step.mv);
        self.value.evaluate_action(game, step.before, player, mv, &mut self.next);
        if step.explored && self.settings.reset {
            self.players.clear_traces();
        }
        if self.players.memories[player.index()].moved {
            match self.target {
                NextAction::Taken if !self.settings.exploration.allows(step) => {}
                NextAction::Taken => self.update(player, self.next.value),
                NextAction::Best => {
                    let best = self.best_value(game, step.before, player);
                    self.update(player, best);
                }
            }
        }
        let memory = &mut self.players.memories[player.index()];
        std::mem::swap(&mut memory.last, &mut self.next);
        (memory.moved, memory.pending) = (true, 0.0);
        self.players.add_rewards(self.value.spec.rewards, step.rewards, step.over);
        self.players.last_move = Some(LastMove { player, over: step.over });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        let Some(last) = self.players.end(self.value.spec.rewards, rewards) else { return };
        let players = game.num_players();
        let next = last.after(1, players);
        for player in Player::all(players) {
            let adapts = player == next || self.settings.adapt_others;
            if adapts && self.players.memories[player.index()].moved {
                self.update(player, 0.0);
            }
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
