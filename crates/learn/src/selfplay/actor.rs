//! Playing by a value without learning.

use crate::algorithm::{FastPaths, FusedLearner, FusedStep, Learner, PerPlayerLearner, Step};
use crate::{Explore, Policy, Value};
use ludens_approx::Evaluation;
use ludens_core::{Agent, Bitboards, Choice, Forfeit, Rewards, Rng, Turn};

/// Plays by a value and learns nothing: generates games, or plays as an agent.
pub struct GreedyActor<G: Bitboards> {
    value: Value<G>,
    policy: Policy,
}

impl<G: Bitboards> GreedyActor<G> {
    /// Plays by `value`, looking `depth` moves ahead.
    pub fn new(value: Value<G>, depth: u32) -> GreedyActor<G> {
        GreedyActor { value, policy: Policy::new(depth) }
    }
}

impl<G: Bitboards> Learner<G> for GreedyActor<G> {
    fn begin(&mut self, _: &G, _: &G::State) {}

    fn observe(&mut self, _: &G, _: &Step<'_, G::State>) {}

    fn end(&mut self, _: &G, _: Rewards) {}

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        Some(self)
    }
}

impl<G: Bitboards> FastPaths<G> for GreedyActor<G> {
    fn fused(&mut self) -> Option<&mut dyn FusedLearner<G>> {
        Some(self)
    }

    fn per_player(&mut self) -> Option<&mut dyn PerPlayerLearner<G>> {
        None
    }
}

impl<G: Bitboards> FusedLearner<G> for GreedyActor<G> {
    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn learns(&self) -> bool {
        false
    }

    fn is_td0(&self) -> bool {
        true
    }

    fn observe_afterstate(&mut self, _: &mut Box<Evaluation>, _: FusedStep) {}
}

impl<G: Bitboards> Agent<G> for GreedyActor<G> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let Turn::Player(player) = game.turn(state) else { unreachable!("a player is to move") };
        Ok(self.policy.choose(&mut self.value, game, state, player, Explore::GREEDY, rng))
    }

    fn move_values(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Option<Vec<f32>> {
        let Turn::Player(player) = game.turn(state) else { return None };
        let (sign, rewards) = (self.value.spec.sign(player), self.value.spec.rewards);
        let scored = self.policy.score(&mut self.value, game, state, player);
        Some(scored.iter().map(|scored| sign * rewards.outcome(sign * scored.score)).collect())
    }
}
