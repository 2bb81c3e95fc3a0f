//! Learning the states that chance leaves, instead of afterstates.

use crate::{Explore, Learner, Step, Value};
use ludens_core::{Choice, Game, Player, Rewards, Rng};

/// Shows another learner each move together with what chance made of it.
///
/// A step is passed on once the next one, or the end, tells what chance did.
pub struct AfterChance<L, S> {
    learner: L,
    held: Option<Held<S>>,
}

/// A step whose outcome is not known yet.
struct Held<S> {
    player: Player,
    before: S,
    mv: ludens_core::Move,
    after: S,
    rewards: Rewards,
    over: bool,
    explored: bool,
}

impl<L, S> AfterChance<L, S> {
    /// Lets `learner` see what chance did.
    pub fn new(learner: L) -> AfterChance<L, S> {
        AfterChance { learner, held: None }
    }
}

impl<S: Clone, L> AfterChance<L, S> {
    /// Passes the held step on; `after` is what became of it.
    fn release<G: Game<State = S>>(&mut self, game: &G, after: Option<&S>)
    where
        L: Learner<G>,
    {
        let Some(held) = self.held.take() else { return };
        let step = Step {
            player: held.player,
            before: &held.before,
            mv: held.mv,
            after: after.unwrap_or(&held.after),
            rewards: held.rewards,
            over: held.over,
            explored: held.explored,
        };
        self.learner.observe(game, &step);
    }
}

impl<G: Game, L: Learner<G>> Learner<G> for AfterChance<L, G::State> {
    fn begin(&mut self, game: &G, state: &G::State) {
        self.held = None;
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
        self.learner.choose(game, state, player, explore, rng)
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.release(game, Some(step.before));
        self.held = Some(Held {
            player: step.player,
            before: step.before.clone(),
            mv: step.mv,
            after: step.after.clone(),
            rewards: step.rewards,
            over: step.over,
            explored: step.explored,
        });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        self.release(game, None);
        self.learner.end(game, rewards);
    }

    fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }
}
