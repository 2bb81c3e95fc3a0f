//! An agent that sometimes plays anything.

use ludens_core::{Agent, Choice, Forfeit, Game, Played, RandomAgent, Rng, Study};
use std::time::Duration;

/// Replaces a share of another agent's moves by random ones: epsilon-greedy, if the other is.
pub struct Decay<A> {
    share: f32,
    agent: A,
    random: RandomAgent,
}

impl<A> Decay<A> {
    /// Replaces this share of the agent's moves.
    pub fn new(share: f32, agent: A) -> Decay<A> {
        Decay { share, agent, random: RandomAgent::default() }
    }
}

impl<G: Game, A: Agent<G>> Agent<G> for Decay<A> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        if rng.chance(self.share) {
            let choice = self.random.choose(game, state, rng)?;
            return Ok(Choice { explored: true, ..choice });
        }
        self.agent.choose(game, state, rng)
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
    use ludens_games::TicTacToe;

    #[test]
    fn the_given_share_of_moves_is_random() {
        let mut agent = Decay::new(0.3, MaxN::new(1, None));
        let (state, mut rng) = (TicTacToe.start(), Rng::seeded(1));
        let mut explored = || agent.choose(&TicTacToe, &state, &mut rng).unwrap().explored;
        let count = (0..2000).filter(|_| explored()).count();
        assert!((540..660).contains(&count), "{count}");
    }
}
