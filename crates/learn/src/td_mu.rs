//! TD(mu): not learning from moves of others that were not good.

use crate::{Explore, Learner, Picker, Step, Value};
use ludens_core::{CellBoard, Choice, Player, Rewards, Rng};

/// Keeps the moves of others that were not good from another learner (Beal; Ekker and others 2004).
///
/// A move is good if, by the value learned so far, no other is better for its player by more than a
/// tolerance. A move that is not good counts as exploratory.
pub struct TdMu<L> {
    learner: L,
    tolerance: f32,
    /// Whether the learner itself made the next move to be observed.
    own: bool,
    picker: Picker,
}

impl<L> TdMu<L> {
    /// Guards `learner`.
    pub fn new(learner: L, tolerance: f32) -> TdMu<L> {
        TdMu { learner, tolerance, own: false, picker: Picker::default() }
    }
}

impl<G: CellBoard, L: Learner<G>> Learner<G> for TdMu<L> {
    fn begin(&mut self, game: &G, state: &G::State) {
        self.own = false;
        self.learner.begin(game, state);
    }

    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice {
        self.own = true;
        self.learner.choose(game, state, player, explore, rng)
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        let mut explored = step.explored;
        if !self.own {
            let value = self.learner.value();
            let rated = self.picker.rate(value, game, step.before, step.player);
            let best = rated.iter().map(|r| r.worth).fold(f32::NEG_INFINITY, f32::max);
            let made = rated.iter().find(|r| r.mv == step.mv).map_or(best, |r| r.worth);
            explored |= made < best - self.tolerance;
        }
        self.own = false;
        self.learner.observe(game, &Step { explored, ..*step });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        self.learner.end(game, rewards);
    }

    fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }
}
