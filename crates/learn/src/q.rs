//! Q-self-play, for one and two players.

use crate::{Explore, Learner, Picker, Step, Value};
use ludens_core::{CellBoard, Choice, Invalid, Player, Rewards, Rng};
use ludens_values::{Active, Trace, TraceSettings};

/// Q-self-play (Konen 2015, algorithm 3): Q(s, a) = V(A(s, a)), A(s, a) the afterstate.
///
/// The target is always the best that the next player can do, whatever he does, so that exploratory
/// moves are learned from too:
///
/// ```text
/// delta = r + gamma best Q(s', .) - Q(s, a)     Q(s', .) = 0 at the end
/// e  = gamma lambda e + grad Q(s, a)
/// w += alpha delta e
/// ```
///
/// Unlike in TD, the value of an afterstate includes what the move into it gained, and the value of
/// a last afterstate is learned.
pub struct Q<G: CellBoard> {
    value: Value<G>,
    trace: Trace,
    last: Active,
    /// What the last move gained, and chance after it; nothing before the first move.
    pending: Option<f32>,
    over: bool,
    picker: Picker,
}

impl<G: CellBoard> Q<G> {
    /// A learner of `value`, which must be one of arrivals in the first player's perspective.
    ///
    /// # Errors
    ///
    /// If the net cannot keep such a trace.
    pub fn new(value: Value<G>, trace: &TraceSettings) -> Result<Q<G>, Invalid> {
        let trace = value.net.new_trace(trace)?;
        let (last, picker) = Default::default();
        Ok(Q { value, trace, last, pending: None, over: false, picker })
    }

    /// Corrects the last afterstate toward what it gained and what can be gained next.
    fn correct(&mut self, future: f32) {
        let Some(pending) = self.pending else { return };
        let target = pending + self.value.discount * future;
        self.value.correct(&mut self.last, &mut self.trace, target);
    }

    fn gain(&self, rewards: Rewards, over: bool) -> f32 {
        self.value.perspective.gain(self.value.rewards.seen(rewards, over), Player(0))
    }
}

impl<G: CellBoard> Learner<G> for Q<G> {
    fn begin(&mut self, _: &G, _: &G::State) {
        self.trace.clear();
        (self.pending, self.over) = (None, false);
    }

    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice {
        self.picker.choose(&mut self.value, game, state, player, explore, rng)
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        if self.pending.is_some() {
            let rated = self.picker.rate(&mut self.value, game, step.before, step.player);
            let best = rated.iter().max_by(|a, b| a.worth.total_cmp(&b.worth));
            let best = best.expect("a player to move has a legal move").value;
            self.correct(best);
        }
        self.value.look_after(game, step, &mut self.last);
        self.pending = Some(self.gain(step.rewards, step.over));
        self.over = step.over;
    }

    fn end(&mut self, _: &G, rewards: Rewards) {
        if !self.over {
            let gained = self.gain(rewards, true);
            self.pending = self.pending.map(|pending| pending + gained);
        }
        self.correct(0.0);
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }
}
