//! A weaker player that errs as people do: small mistakes often, large ones seldom.

use crate::pick;
use ludens_core::{Agent, Choice, Forfeit, Game, Move, Played, Rng, Study};
use std::time::Duration;

/// The strength at which nothing but the best is played.
pub const FULL_STRENGTH: f32 = 10.0;

/// Plays each move the more often, the better another agent thinks it.
///
/// Strength 0 plays anything, [`FULL_STRENGTH`] what the agent itself would. In between a move is
/// drawn in proportion to `exp(value * (2^strength - 1))`, values beyond one being scaled down.
pub struct Level<A> {
    strength: f32,
    agent: A,
    legal: Vec<Move>,
}

impl<A> Level<A> {
    /// Plays this strongly, from 0 to [`FULL_STRENGTH`].
    pub fn new(strength: f32, agent: A) -> Level<A> {
        Level { strength, agent, legal: Vec::new() }
    }

    fn weights(&self, values: &[f32]) -> Vec<f32> {
        let (low, high) = values
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
        let scale = (high - low).max(1.0);
        let mut weights = values.to_vec();
        pick::softmax(&mut weights, scale / (self.strength.exp2() - 1.0).max(1e-6));
        weights
    }
}

impl<G: Game, A: Agent<G>> Agent<G> for Level<A> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        if self.strength >= FULL_STRENGTH {
            return self.agent.choose(game, state, rng);
        }
        let values = self.agent.move_values(game, state, rng).ok_or_else(|| {
            Forfeit("level plays by what its agent thinks of each move; it says nothing".into())
        })?;
        self.legal.clear();
        game.legal_moves(state, &mut self.legal);
        let at = pick::in_proportion(&self.weights(&values), rng);
        let best = values.iter().all(|v| *v <= values[at]);
        Ok(Choice { mv: self.legal[at], value: Some(values[at]), explored: !best })
    }

    fn move_values(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Option<Vec<f32>> {
        self.agent.move_values(game, state, rng)
    }

    fn study(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Study {
        self.agent.study(game, state, rng)
    }

    fn limit_time(&mut self, time: Option<Duration>) {
        self.agent.limit_time(time);
    }

    fn begin(&mut self, game: &G, state: &G::State) {
        self.agent.begin(game, state);
    }

    fn watch(&mut self, game: &G, before: &G::State, played: Played) {
        self.agent.watch(game, before, played);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MaxN;
    use ludens_games::TextTree;

    /// The number of times each of three moves is played; the first is best, the second nearly so.
    fn counts(strength: f32) -> [u32; 3] {
        let tree = TextTree::parse("A(1:. 0.9:. -1:.)").unwrap();
        let mut agent = Level::new(strength, MaxN::new(1, None));
        let (mut rng, mut counts) = (Rng::seeded(1), [0; 3]);
        for _ in 0..3000 {
            let mv = agent.choose(&tree, &tree.start(), &mut rng).unwrap().mv;
            counts[mv.0 as usize] += 1;
        }
        counts
    }

    #[test]
    fn mistakes_grow_fewer_with_strength_and_small_ones_last_longest() {
        assert!(counts(0.0).iter().all(|n| (900..1100).contains(n)), "{:?}", counts(0.0));
        let [best, near, bad] = counts(3.0);
        assert!(best > near && near > 500 && bad < 60, "{best} {near} {bad}");
        assert_eq!(counts(FULL_STRENGTH), [3000, 0, 0]);
    }
}
