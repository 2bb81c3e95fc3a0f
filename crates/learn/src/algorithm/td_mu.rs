//! TD(mu): skip moves of others that were not good.

use crate::algorithm::{FastPaths, Learner, Step};
use crate::{Policy, Value};
use ludens_core::{Bitboards, Rewards};

/// Treats bad moves of others as exploratory (Beal; Ekker et al. 2004).
///
/// A move is good if, by the value learned so far, no other scores higher by more than a tolerance.
pub struct TdMu<L> {
    learner: L,
    tolerance: f32,
    policy: Policy,
}

impl<L> TdMu<L> {
    /// Wraps `learner`.
    pub fn new(learner: L, tolerance: f32) -> TdMu<L> {
        TdMu { learner, tolerance, policy: Policy::new(1) }
    }
}

impl<G: Bitboards, L: Learner<G>> Learner<G> for TdMu<L> {
    fn begin(&mut self, game: &G, state: &G::State) {
        self.learner.begin(game, state);
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        let mut explored = step.explored;
        if !step.own {
            let value = self.learner.value();
            let scored = self.policy.score(value, game, step.before, step.player);
            let best = scored.iter().map(|s| s.score).fold(f32::NEG_INFINITY, f32::max);
            let made = scored.iter().find(|s| s.mv == step.mv).map_or(best, |s| s.score);
            explored |= made < best - self.tolerance;
        }
        self.learner.observe(game, &Step { explored, ..*step });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        self.learner.end(game, rewards);
    }

    fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }

    /// The wrapper must see every move, with the state of the player who made it.
    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
