//! The learned value at the leaves of a search.

use crate::pick;
use ludens_core::{Game, Move, Player, Rewards, ValueFunction};

/// A learned value at the last move of a search, if there is one.
pub(crate) struct Frontier<G: Game> {
    value: Option<Box<dyn ValueFunction<G>>>,
    estimates: Vec<f32>,
    /// Whether `estimates` holds the probabilities of a policy.
    has_priors: bool,
}

impl<G: Game> Frontier<G> {
    pub(crate) fn new(value: Option<Box<dyn ValueFunction<G>>>) -> Frontier<G> {
        Frontier { value, estimates: Vec::new(), has_priors: false }
    }

    pub(crate) fn has_value(&self) -> bool {
        self.value.is_some()
    }

    /// The value of each legal move for the player to move; `None` without a learned value.
    pub(crate) fn move_values(
        &mut self,
        game: &G,
        state: &G::State,
        legal: &[Move],
    ) -> Option<&[f32]> {
        let value = self.value.as_mut()?;
        self.has_priors = false;
        self.estimates.clear();
        value.move_values(game, state, legal, &mut self.estimates);
        Some(&self.estimates)
    }

    /// The policy's priors of the state that was last looked at, or else the softmax of the values
    /// of its moves.
    pub(crate) fn priors(&mut self, temperature: f32) -> &[f32] {
        if !self.has_priors {
            pick::softmax(&mut self.estimates, temperature);
        }
        &self.estimates
    }

    /// The expected rewards of all players if `mover` plays the best of these moves, the first of
    /// equals; `None` without a learned value. With a policy, the value of the state itself.
    pub(crate) fn expect(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Player,
        legal: &[Move],
    ) -> Option<Rewards> {
        let value = self.value.as_mut()?;
        self.estimates.clear();
        if let Some(expected) = value.values_and_priors(game, state, legal, &mut self.estimates) {
            self.has_priors = true;
            return Some(expected);
        }
        let estimates = self.move_values(game, state, legal)?;
        let best = first_best(estimates);
        let own = estimates[best];
        if game.num_players() == 1 {
            return Some(Rewards::only(mover, own));
        }
        let mut after = state.clone();
        let gained = game.play(&mut after, legal[best]);
        let value = self.value.as_mut().expect("it has just estimated the moves");
        let mut expected = gained + value.values(game, &after);
        expected[mover] = own;
        Some(expected)
    }
}

/// The index of the first largest value.
fn first_best(values: &[f32]) -> usize {
    let better = |best, i| if values[i] > values[best] { i } else { best };
    (0..values.len()).fold(0, better)
}
