//! TD-FARL: TD(lambda) from round to round, for any number of players.

mod per_player;

use crate::Value;
use crate::algorithm::{LastMove, LearnFromRandom, Learner, OnePlayerTd, PerPlayerLearner, Step};
use crate::scoring::previous_player;
use ludens_approx::{Evaluation, Trace, TraceSettings};
use ludens_core::{Bitboards, Invalid, Player, Rewards};

/// TD(lambda) with final adaptation for N players (Konen and Bagheri 2020, algorithm 2).
///
/// Each player updates the value of his last afterstate toward his reward since then plus the value
/// of his new one. At the end every other player updates his last afterstate toward his final
/// reward, and the value of the final afterstate is updated toward what came after it (zero).
pub struct TdFarl<G: Bitboards> {
    value: Value<G>,
    settings: TdFarlSettings,
    players: Vec<AfterstateMemory>,
    last_move: Option<LastMove>,
    /// What learning for one player in several games needs.
    restriction: Option<per_player::Restriction>,
    /// Boxed, because it is exchanged with a player's last one at each move.
    next: Box<Evaluation>,
}

/// The settings of TD-FARL.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TdFarlSettings {
    /// The eligibility trace.
    pub trace: TraceSettings,
    /// Whether an exploratory move clears the traces.
    pub reset: bool,
    /// Which exploratory moves are learned from.
    pub exploration: LearnFromRandom,
    /// Final adaptation: whether the other players learn from the end.
    pub adapt_others: bool,
    /// Final adaptation: whether the value of the final afterstate is updated.
    pub adapt_last: bool,
}

/// What a player remembers of his last afterstate.
struct AfterstateMemory {
    trace: Trace,
    last: Box<Evaluation>,
    moved: bool,
    /// His reward since.
    pending: f32,
}

impl<G: Bitboards> TdFarl<G> {
    /// A learner of `value`, whose owner must be the mover.
    ///
    /// # Errors
    ///
    /// If the network does not support such a trace.
    pub fn new(game: &G, value: Value<G>, settings: TdFarlSettings) -> Result<TdFarl<G>, Invalid> {
        let players = new_players(&value, &settings, game.num_players())?;
        Ok(TdFarl {
            value,
            settings,
            players,
            last_move: None,
            restriction: None,
            next: Box::default(),
        })
    }

    fn add_rewards(&mut self, rewards: Rewards, over: bool) {
        let seen = self.value.spec.rewards.apply_all(rewards, over);
        for (memory, reward) in self.players.iter_mut().zip(seen.0) {
            memory.pending += reward;
        }
    }

    fn clear_traces(&mut self) {
        self.players.iter_mut().for_each(|memory| memory.trace.clear());
    }

    #[inline]
    fn learns_for(&self, player: Player) -> bool {
        self.restriction.as_ref().is_none_or(|only| only.player == player)
    }
}

fn new_players<G: Bitboards>(
    value: &Value<G>,
    settings: &TdFarlSettings,
    count: usize,
) -> Result<Vec<AfterstateMemory>, Invalid> {
    let memory = |_| {
        let trace = value.network.new_trace(&settings.trace)?;
        Ok(AfterstateMemory { trace, last: Box::default(), moved: false, pending: 0.0 })
    };
    (0..count).map(memory).collect()
}

impl<G: Bitboards> Learner<G> for TdFarl<G> {
    /// In games without chance the start state counts as an afterstate of the previous player.
    fn begin(&mut self, game: &G, state: &G::State) {
        for memory in &mut self.players {
            memory.trace.clear();
            (memory.moved, memory.pending) = (false, 0.0);
        }
        self.last_move = None;
        if let Some(player) = previous_player(game, state).filter(|p| self.learns_for(*p)) {
            let memory = &mut self.players[player.index()];
            self.value.evaluate(game, state, player, &mut memory.last);
            memory.moved = true;
        }
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.add_rewards(step.rewards, step.over);
        let value = self.value.evaluate_afterstate(game, step, &mut self.next);
        if step.explored && self.settings.reset {
            self.clear_traces();
        }
        let memory = &mut self.players[step.player.index()];
        if memory.moved && self.settings.exploration.allows(step) {
            let future = if step.over { 0.0 } else { value };
            let target = memory.pending + self.value.spec.discount * future;
            self.value.update(&mut memory.last, &mut memory.trace, target);
        }
        std::mem::swap(&mut memory.last, &mut self.next);
        (memory.moved, memory.pending) = (true, 0.0);
        self.last_move = Some(LastMove { player: step.player, over: step.over });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        let Some(last_move) = self.last_move else { return };
        if !last_move.over {
            self.add_rewards(rewards, true);
        }
        for player in Player::all(game.num_players()) {
            let learns = self.learns_for(player);
            let memory = &mut self.players[player.index()];
            let adapts = if player == last_move.player {
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

    fn one_player_td(&mut self) -> Option<OnePlayerTd<'_, G>> {
        let [AfterstateMemory { trace, last, moved, pending }] = &mut self.players[..] else {
            return None;
        };
        let (value, last_move) = (&mut self.value, &mut self.last_move);
        let exploration = self.settings.exploration;
        Some(OnePlayerTd { value, trace, last, moved, pending, last_move, exploration })
    }

    fn per_player(&mut self) -> Option<&mut dyn PerPlayerLearner<G>> {
        Some(self)
    }
}
