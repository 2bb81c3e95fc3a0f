//! The greedy agent of a learned value, without search.

use crate::pick;
use ludens_core::{Agent, Choice, Forfeit, Game, Move, Rng, ValueFunction};

/// Plays the move with the highest value; breaks ties at random.
pub struct Greedy<G: Game> {
    value: Box<dyn ValueFunction<G>>,
    legal: Vec<Move>,
    values: Vec<f32>,
}

impl<G: Game> Greedy<G> {
    /// Plays by this value.
    pub fn new(value: Box<dyn ValueFunction<G>>) -> Greedy<G> {
        Greedy { value, legal: Vec::new(), values: Vec::new() }
    }

    fn evaluate_moves(&mut self, game: &G, state: &G::State) {
        self.legal.clear();
        self.values.clear();
        game.legal_moves(state, &mut self.legal);
        self.value.move_values(game, state, &self.legal, &mut self.values);
    }
}

impl<G: Game> Agent<G> for Greedy<G> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        self.evaluate_moves(game, state);
        let best = pick::best(&self.values, rng);
        Ok(Choice { mv: self.legal[best], value: Some(self.values[best]), explored: false })
    }

    fn move_values(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Option<Vec<f32>> {
        self.evaluate_moves(game, state);
        Some(self.values.clone())
    }
}
