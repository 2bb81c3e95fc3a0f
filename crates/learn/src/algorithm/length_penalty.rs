//! Final rewards that shrink with the length of the game.

use crate::Value;
use crate::algorithm::{FastPaths, Learner, Step};
use ludens_core::{Bitboards, Choice, Game, PerPlayer, Player, Rewards};

/// Shows another learner final rewards times 1 - penalty * moves, at least 0.
///
/// Thill et al. (2014) pay 1 - stones / 100 for a win: a penalty of 0.01. Moves are counted from
/// where the game begins. Moves that end the game are still scored by the full reward.
pub struct LengthPenalty<L> {
    learner: L,
    penalty: f32,
    moves: u32,
    over: bool,
}

impl<L> LengthPenalty<L> {
    /// Wraps `learner`.
    pub fn new(learner: L, penalty: f32) -> LengthPenalty<L> {
        LengthPenalty { learner, penalty, moves: 0, over: false }
    }

    fn shorten(&self, rewards: Rewards) -> Rewards {
        let factor = (1.0 - self.penalty * self.moves as f32).max(0.0);
        PerPlayer(rewards.0.map(|reward| factor * reward))
    }
}

impl<G: Bitboards, L: Learner<G> + ?Sized> Learner<G> for LengthPenalty<Box<L>> {
    fn begin(&mut self, game: &G, state: &G::State) {
        (self.moves, self.over) = (0, false);
        self.learner.begin(game, state);
    }

    fn learn_before_move(
        &mut self,
        game: &G,
        state: &<G as Game>::State,
        player: Player,
        drawn: &Choice,
    ) -> bool {
        self.learner.learn_before_move(game, state, player, drawn)
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        (self.moves, self.over) = (self.moves + 1, step.over);
        let rewards = if step.over { self.shorten(step.rewards) } else { step.rewards };
        self.learner.observe(game, &Step { rewards, ..*step });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        let rewards = if self.over { rewards } else { self.shorten(rewards) };
        self.learner.end(game, rewards);
    }

    fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }

    /// The wrapper must see every move, and reports of opponents' moves carry full rewards.
    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
