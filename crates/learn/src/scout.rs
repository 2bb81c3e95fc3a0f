//! Playing by a value without learning.

use crate::solo::PlayOn;
use crate::{Explore, Learner, Picker, Solo, Step, Value};
use ludens_core::{Agent, CellBoard, Choice, Forfeit, Move, Player, Rewards, Rng, Turn};
use ludens_values::run_widely;

/// Plays by a value and learns nothing: gathers games, or plays as an agent.
pub struct Scout<G: CellBoard> {
    value: Value<G>,
    picker: Picker,
}

impl<G: CellBoard> Scout<G> {
    /// Plays by `value`, looking `depth` moves ahead.
    pub fn new(value: Value<G>, depth: u32) -> Scout<G> {
        Scout { value, picker: Picker::new(depth) }
    }

    /// Plays by what `value` has become.
    pub fn renew(&mut self, value: Value<G>) {
        self.value = value;
    }
}

impl<G: CellBoard> Learner<G> for Scout<G> {
    fn begin(&mut self, _: &G, _: &G::State) {}

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

    fn chosen(&self, before: &G::State, mv: Move) -> Option<(&G::State, Rewards)> {
        self.value.chosen(before, mv)
    }

    fn foresee(&mut self, game: &G, state: &G::State, player: Player) {
        self.picker.foresee(&mut self.value, game, state, player);
    }

    fn observe(&mut self, _: &G, _: &Step<'_, G::State>) {}

    fn end(&mut self, _: &G, _: Rewards) {}

    fn play_on(&mut self, solo: &mut Solo<'_, G>, rng: &mut Rng) {
        let value = &mut self.value;
        if self.picker.depth() == 1 && value.plays_on(solo.explore) {
            run_widely(PlayOn { solo, value, lesson: None, rng });
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }
}

impl<G: CellBoard> Agent<G> for Scout<G> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let Turn::Player(player) = game.turn(state) else { unreachable!("a player is to move") };
        Ok(self.picker.choose(&mut self.value, game, state, player, Explore::GREEDY, rng))
    }

    fn move_values(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Option<Vec<f32>> {
        let Turn::Player(player) = game.turn(state) else { return None };
        let (sign, rewards) = (self.value.perspective.sign(player), self.value.rewards);
        let rated = self.picker.rate(&mut self.value, game, state, player);
        Some(rated.iter().map(|r| sign * rewards.outcome(sign * r.worth)).collect())
    }
}
