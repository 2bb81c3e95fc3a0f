//! Monte Carlo: what came of the game is the target.

use crate::{Explore, Learner, Picker, Step, Value};
use ludens_core::{CellBoard, Choice, Player, Rewards, Rng};
use ludens_values::{Active, Trace, TraceSettings};

/// Corrects each afterstate toward what was gained after it, once the game is over.
///
/// The perspective may be either; the afterstates are corrected in the order they were met.
pub struct MonteCarlo<G: CellBoard> {
    value: Value<G>,
    trace: Trace,
    visits: Vec<Visit>,
    spare: Vec<Visit>,
    over: bool,
    picker: Picker,
}

/// An afterstate, and what everybody gained between it and the next one.
#[derive(Default)]
struct Visit {
    active: Active,
    player: Player,
    rewards: Rewards,
}

impl<G: CellBoard> MonteCarlo<G> {
    /// A learner of `value`.
    pub fn new(value: Value<G>) -> MonteCarlo<G> {
        let latest = value.net.new_trace(&TraceSettings::LATEST);
        let trace = latest.expect("every net can keep its latest position");
        let (visits, spare, picker) = Default::default();
        MonteCarlo { value, trace, visits, spare, over: false, picker }
    }

    /// What `visits[at..]` gained for the player of `visits[at]`, discounted from visit to visit of
    /// that player, or of anybody if the value is the first player's.
    fn gained_after(&self, at: usize) -> f32 {
        let Visit { player, .. } = self.visits[at];
        let (mut sum, mut weight) = (0.0, 1.0);
        for (i, visit) in self.visits.iter().enumerate().skip(at) {
            if i > at
                && (self.value.perspective.whose == crate::Whose::First || visit.player == player)
            {
                weight *= self.value.discount;
            }
            sum += weight * self.value.perspective.gain(visit.rewards, player);
        }
        sum
    }
}

impl<G: CellBoard> Learner<G> for MonteCarlo<G> {
    fn begin(&mut self, _: &G, _: &G::State) {
        self.spare.append(&mut self.visits);
        self.over = false;
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
        let seen = self.value.rewards.seen(step.rewards, step.over);
        if let Some(visit) = self.visits.last_mut() {
            visit.rewards += seen;
        }
        self.over = step.over;
        if !step.over {
            let mut visit = self.spare.pop().unwrap_or_default();
            self.value.look_after(game, step, &mut visit.active);
            (visit.player, visit.rewards) = (step.player, Rewards::NONE);
            self.visits.push(visit);
        }
    }

    fn end(&mut self, _: &G, rewards: Rewards) {
        if !self.over
            && let Some(visit) = self.visits.last_mut()
        {
            visit.rewards += self.value.rewards.seen(rewards, true);
        }
        for at in 0..self.visits.len() {
            let target = self.gained_after(at);
            self.trace.clear();
            self.value.correct(&mut self.visits[at].active, &mut self.trace, target);
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }
}
