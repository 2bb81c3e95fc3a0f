//! Q-self-play, for one and two players.

use crate::algorithm::{FastPaths, Learner, Step};
use crate::{Policy, Value};
use ludens_approx::{Evaluation, Trace, TraceSettings};
use ludens_core::{Bitboards, Invalid, Player, Rewards};

/// Q-self-play (Konen 2015, algorithm 3): Q(s, a) = V(A(s, a)), with the afterstate A(s, a).
///
/// The target is always the best reply of the next player, whatever he plays, so that exploratory
/// moves are learned from too:
///
/// ```text
/// delta = r + gamma best Q(s', .) - Q(s, a)     Q(s', .) = 0 at the end
/// e  = gamma lambda e + grad Q(s, a)
/// w += alpha delta e
/// ```
///
/// Unlike in TD, the value of an afterstate includes the reward of the move into it, and the value
/// of the final afterstate is learned.
pub struct Q<G: Bitboards> {
    value: Value<G>,
    trace: Trace,
    last: Evaluation,
    /// The reward of the last move and of chance after it; nothing before the first move.
    pending: Option<f32>,
    over: bool,
    policy: Policy,
}

impl<G: Bitboards> Q<G> {
    /// A learner of `value`: afterstates with reward, owned by the first player.
    ///
    /// # Errors
    ///
    /// If the network does not support such a trace.
    pub fn new(value: Value<G>, trace: &TraceSettings) -> Result<Q<G>, Invalid> {
        let trace = value.network.new_trace(trace)?;
        let (last, policy) = (Evaluation::default(), Policy::new(1));
        Ok(Q { value, trace, last, pending: None, over: false, policy })
    }

    /// Updates the last afterstate toward its reward plus the discounted `future`.
    fn update(&mut self, future: f32) {
        let Some(pending) = self.pending else { return };
        let target = pending + self.value.spec.discount * future;
        self.value.update(&mut self.last, &mut self.trace, target);
    }
}

impl<G: Bitboards> Learner<G> for Q<G> {
    fn begin(&mut self, _: &G, _: &G::State) {
        self.trace.clear();
        (self.pending, self.over) = (None, false);
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        if self.pending.is_some() {
            let scored = self.policy.score(&mut self.value, game, step.before, step.player);
            let best = scored.iter().max_by(|a, b| a.score.total_cmp(&b.score));
            let best = best.expect("a player to move has a legal move").value;
            self.update(best);
        }
        self.value.evaluate_afterstate(game, step, &mut self.last);
        self.pending = Some(self.value.spec.reward(step.rewards, step.over, Player(0)));
        self.over = step.over;
    }

    fn end(&mut self, _: &G, rewards: Rewards) {
        if !self.over {
            let reward = self.value.spec.reward(rewards, true, Player(0));
            self.pending = self.pending.map(|pending| pending + reward);
        }
        self.update(0.0);
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
