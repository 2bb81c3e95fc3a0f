//! Learning states after chance events instead of afterstates.

use crate::Value;
use crate::algorithm::{FastPaths, Learner, Step};
use ludens_core::{Bitboards, Game, Move, Player, Rewards};

/// Shows another learner each move together with the chance event that followed it.
///
/// A step is passed on once the next one, or the end, shows the state after the event.
pub struct AfterChance<L, S> {
    learner: L,
    held: Option<HeldStep<S>>,
}

/// A step whose chance event is not known yet.
struct HeldStep<S> {
    player: Player,
    before: S,
    mv: Move,
    after: S,
    rewards: Rewards,
    over: bool,
    explored: bool,
    own: bool,
}

impl<L, S: Clone> AfterChance<L, S> {
    /// Wraps `learner`.
    pub fn new(learner: L) -> AfterChance<L, S> {
        AfterChance { learner, held: None }
    }

    /// Passes the held step on; `after` is the state after the chance event, if it is known.
    fn release<G: Game<State = S>>(&mut self, game: &G, after: Option<&S>)
    where
        L: Learner<G>,
    {
        let Some(held) = self.held.take() else { return };
        let HeldStep { player, mv, rewards, over, explored, own, .. } = held;
        let (before, after) = (&held.before, after.unwrap_or(&held.after));
        let step = Step { player, before, mv, after, rewards, over, explored, own };
        self.learner.observe(game, &step);
    }
}

impl<G: Bitboards, L: Learner<G>> Learner<G> for AfterChance<L, G::State> {
    fn begin(&mut self, game: &G, state: &G::State) {
        self.held = None;
        self.learner.begin(game, state);
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.release(game, Some(step.before));
        let Step { player, mv, rewards, over, explored, own, .. } = *step;
        let (before, after) = (step.before.clone(), step.after.clone());
        self.held = Some(HeldStep { player, before, mv, after, rewards, over, explored, own });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        self.release(game, None);
        self.learner.end(game, rewards);
    }

    fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }

    /// The fused loop evaluates afterstates, and threads for each player play without chance.
    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
