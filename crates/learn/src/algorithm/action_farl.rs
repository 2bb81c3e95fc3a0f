//! SARSA-FARL and Q-FARL: action values from round to round, for any number of players.

use crate::algorithm::{LastMove, LearnFromRandom, Learner, OnePlayerTd, PerPlayerLearner, Step};
use crate::{Policy, Value};
use ludens_approx::{Evaluation, Trace, TraceSettings};
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
    settings: ActionFarlSettings,
    players: Vec<ActionMemory>,
    last_move: Option<LastMove>,
    next: Evaluation,
    policy: Policy,
}

/// The settings of SARSA-FARL and Q-FARL.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ActionFarlSettings {
    /// Which next action is the target.
    pub target: NextAction,
    /// The eligibility trace.
    pub trace: TraceSettings,
    /// Whether an exploratory move clears the traces.
    pub reset: bool,
    /// Which exploratory moves SARSA learns from; Q-learning learns from all.
    pub exploration: LearnFromRandom,
    /// Final adaptation: whether all players learn from the end, not only who would move next.
    pub adapt_others: bool,
    /// Whether the move played is drawn anew after the update (algorithm 5, line 12).
    pub redraw: bool,
}

/// Which next action is the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// The one taken (SARSA).
    Taken,
    /// The best one (Q).
    Best,
}

/// What a player remembers of his last action.
struct ActionMemory {
    trace: Trace,
    last: Evaluation,
    /// Whether there is one that is not yet updated.
    moved: bool,
    /// His reward since, that action included.
    pending: f32,
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
        settings: ActionFarlSettings,
    ) -> Result<ActionFarl<G>, Invalid> {
        let memory = |_| {
            let trace = value.network.new_trace(&settings.trace)?;
            Ok(ActionMemory { trace, last: Evaluation::default(), moved: false, pending: 0.0 })
        };
        let players = (0..game.num_players()).map(memory).collect::<Result<_, Invalid>>()?;
        let (next, policy) = (Evaluation::default(), Policy::new(1));
        Ok(ActionFarl { value, settings, players, last_move: None, next, policy })
    }

    fn add_rewards(&mut self, rewards: Rewards, over: bool) {
        let seen = self.value.spec.rewards.apply_all(rewards, over);
        for (memory, reward) in self.players.iter_mut().zip(seen.0) {
            memory.pending += reward;
        }
    }

    /// Updates the last action of `player` toward his reward since plus the discounted `future`.
    fn update(&mut self, player: Player, future: f32) {
        let memory = &mut self.players[player.index()];
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
        for memory in &mut self.players {
            memory.trace.clear();
            (memory.moved, memory.pending) = (false, 0.0);
        }
        self.last_move = None;
    }

    fn learn_before_move(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        drawn: &Choice,
    ) -> bool {
        let moved = &mut self.players[player.index()].moved;
        if !self.settings.redraw || !std::mem::take(moved) {
            return false;
        }
        let future = match self.settings.target {
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
            self.players.iter_mut().for_each(|memory| memory.trace.clear());
        }
        if self.players[player.index()].moved {
            match self.settings.target {
                NextAction::Taken if !self.settings.exploration.allows(step) => {}
                NextAction::Taken => self.update(player, self.next.value),
                NextAction::Best => {
                    let best = self.best_value(game, step.before, player);
                    self.update(player, best);
                }
            }
        }
        let memory = &mut self.players[player.index()];
        std::mem::swap(&mut memory.last, &mut self.next);
        (memory.moved, memory.pending) = (true, 0.0);
        self.add_rewards(step.rewards, step.over);
        self.last_move = Some(LastMove { player, over: step.over });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        let Some(last_move) = self.last_move else { return };
        if !last_move.over {
            self.add_rewards(rewards, true);
        }
        let players = game.num_players();
        let next = last_move.player.after(1, players);
        for player in Player::all(players) {
            let adapts = player == next || self.settings.adapt_others;
            if adapts && self.players[player.index()].moved {
                self.update(player, 0.0);
            }
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn one_player_td(&mut self) -> Option<OnePlayerTd<'_, G>> {
        None
    }

    fn per_player(&mut self) -> Option<&mut dyn PerPlayerLearner<G>> {
        None
    }
}
