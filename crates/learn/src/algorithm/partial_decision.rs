//! Partial decisions: first a region of the board, then a move in it.

use crate::Value;
use crate::algorithm::{FastPaths, LearnFromRandom, Learner, Step};
use ludens_approx::{Evaluation, Trace, TraceSettings};
use ludens_core::{Bitboards, Rewards};

/// Also learns the values of a state with a region, for a choice in two steps (Ghory 2004, section
/// 12.4.2).
///
/// The network has one more input for each region. All are zero for an afterstate; for a state in
/// which a region is chosen, that of the region is one. After the game each such value is updated
/// toward the reward of the move made there plus the value of its afterstate, as it was then.
pub struct PartialDecision<G: Bitboards, L: ?Sized> {
    trace: Trace,
    exploration: LearnFromRandom,
    /// The decisions of the game with their targets.
    decisions: Vec<(Evaluation, f32)>,
    spare: Vec<Evaluation>,
    after: Evaluation,
    game: std::marker::PhantomData<G>,
    learner: Box<L>,
}

impl<G: Bitboards, L: Learner<G> + ?Sized> PartialDecision<G, L> {
    /// Wraps `learner`, whose value must be one of afterstates with regions.
    pub fn new(mut learner: Box<L>, exploration: LearnFromRandom) -> PartialDecision<G, L> {
        let trace = learner.value().network.new_trace(&TraceSettings::TD0);
        PartialDecision {
            trace: trace.expect("every network supports TD(0)"),
            exploration,
            decisions: Vec::new(),
            spare: Vec::new(),
            after: Evaluation::default(),
            game: std::marker::PhantomData,
            learner,
        }
    }

    /// Remembers the decision of a step with its target.
    fn remember(&mut self, game: &G, step: &Step<'_, G::State>) {
        let value = self.learner.value();
        let reward = value.spec.reward(step.rewards, step.over, step.player);
        let future = match step.over {
            true => 0.0,
            false => value.evaluate(game, step.after, step.player, &mut self.after),
        };
        let target = reward + value.spec.discount * future;
        let mut decision = self.spare.pop().unwrap_or_default();
        let region = value.spec.region(game.num_moves(), step.mv);
        value.evaluate_region(game, step.before, step.player, region, &mut decision);
        self.decisions.push((decision, target));
    }
}

impl<G: Bitboards, L: Learner<G> + ?Sized> Learner<G> for PartialDecision<G, L> {
    fn begin(&mut self, game: &G, state: &G::State) {
        self.learner.begin(game, state);
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.learner.observe(game, step);
        if self.exploration.allows(step) {
            self.remember(game, step);
        }
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        self.learner.end(game, rewards);
        for (mut decision, target) in self.decisions.drain(..) {
            self.trace.clear();
            self.learner.value().update(&mut decision, &mut self.trace, target);
            self.spare.push(decision);
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }

    /// The wrapper must see every move.
    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
