//! Monte Carlo: the return of the whole game is the target.

use crate::algorithm::{FastPaths, Learner, Step};
use crate::{Value, ValueOwner};
use ludens_approx::{Evaluation, Trace, TraceSettings};
use ludens_core::{Bitboards, Player, Rewards};

/// Every-visit Monte Carlo (Sutton and Barto 2018, chapter 5).
///
/// After the game, each afterstate is updated toward the discounted return that followed it, in the
/// order of the visits.
pub struct MonteCarlo<G: Bitboards> {
    value: Value<G>,
    trace: Trace,
    visits: Vec<Visit>,
    spare: Vec<Visit>,
    over: bool,
}

/// An afterstate, and the rewards between it and the next one.
#[derive(Default)]
struct Visit {
    evaluation: Evaluation,
    player: Player,
    rewards: Rewards,
}

impl<G: Bitboards> MonteCarlo<G> {
    /// A learner of `value`, of either owner.
    pub fn new(value: Value<G>) -> MonteCarlo<G> {
        let trace = value.network.new_trace(&TraceSettings::TD0);
        let trace = trace.expect("every network supports TD(0)");
        let (visits, spare) = Default::default();
        MonteCarlo { value, trace, visits, spare, over: false }
    }

    /// The return after `visits[at]` for its player, discounted from visit to visit of that player,
    /// or of anybody if the owner is the first player.
    fn return_after(&self, at: usize) -> f32 {
        let spec = &self.value.spec;
        let Visit { player, .. } = self.visits[at];
        let (mut sum, mut weight) = (0.0, 1.0);
        for (i, visit) in self.visits.iter().enumerate().skip(at) {
            if i > at && (spec.owner == ValueOwner::FirstPlayer || visit.player == player) {
                weight *= spec.discount;
            }
            sum += weight * visit.rewards[spec.owner_of(player)];
        }
        sum
    }
}

impl<G: Bitboards> Learner<G> for MonteCarlo<G> {
    fn begin(&mut self, _: &G, _: &G::State) {
        self.spare.append(&mut self.visits);
        self.over = false;
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        let seen = self.value.spec.rewards.apply_all(step.rewards, step.over);
        if let Some(visit) = self.visits.last_mut() {
            visit.rewards += seen;
        }
        self.over = step.over;
        if !step.over {
            let mut visit = self.spare.pop().unwrap_or_default();
            self.value.evaluate_afterstate(game, step, &mut visit.evaluation);
            (visit.player, visit.rewards) = (step.player, Rewards::NONE);
            self.visits.push(visit);
        }
    }

    fn end(&mut self, _: &G, rewards: Rewards) {
        if !self.over
            && let Some(visit) = self.visits.last_mut()
        {
            visit.rewards += self.value.spec.rewards.apply_all(rewards, true);
        }
        for at in 0..self.visits.len() {
            let target = self.return_after(at);
            self.trace.clear();
            self.value.update(&mut self.visits[at].evaluation, &mut self.trace, target);
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
