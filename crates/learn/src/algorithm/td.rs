//! TD(lambda) from move to move, for one and two players; TD-Leaf and TD-Directed.

use super::lookahead::look_ahead;
use crate::Value;
use crate::algorithm::{FastPaths, Learner, LearnerSettings, Step};
use crate::scoring::previous_player;
use ludens_approx::{Evaluation, Trace};
use ludens_core::{Bitboards, Invalid, Player, Rewards};

/// Incremental self-play TD(lambda) (Konen 2015, algorithm 2; Thill et al. 2014, algorithm 1).
///
/// The value predicts the first player's return; the second player minimises it. Each afterstate is
/// updated toward the next one:
///
/// ```text
/// delta = r + gamma V(s') - V(s)        V(s') = 0 at the end
/// w += alpha delta e                    unless the move was exploratory
/// e  = gamma lambda e + grad V(s')
/// ```
///
/// With residual-lambda (Baird 1995; Ekker et al. 2004), the next value moves too: the trace of the
/// update is e - phi gamma y, where y = gamma lambda y + grad V(s') keeps next positions.
pub struct Td<G: Bitboards> {
    value: Value<G>,
    settings: LearnerSettings,
    /// With TD-Leaf (Baxter et al. 1998): the depth of the search, the move itself included. The
    /// value of an afterstate is then that of the principal leaf.
    leaf_depth: Option<u32>,
    trace: Trace,
    /// The gradients of the positions after those on the trace; empty unless `residual` is set.
    next_trace: Trace,
    last: Box<Prediction>,
    next: Box<Prediction>,
    /// Whether there is an afterstate to update.
    begun: bool,
    /// Whether the last move ended the game.
    over: bool,
}

/// The predicted return after an afterstate, and the position that it rests on.
#[derive(Default)]
struct Prediction {
    evaluation: Evaluation,
    /// The reward on the way to the evaluated position.
    reward: f32,
    /// The discount on its value.
    discount: f32,
    /// Whether a position is evaluated at all; if not, the game ends on the way.
    has_leaf: bool,
}

impl<G: Bitboards> Td<G> {
    /// A learner of `value`, whose owner must be the first player.
    ///
    /// # Errors
    ///
    /// If the network does not support such a trace.
    pub fn new(
        value: Value<G>,
        settings: LearnerSettings,
        leaf_depth: Option<u32>,
    ) -> Result<Td<G>, Invalid> {
        let trace = value.network.new_trace(&settings.trace)?;
        let next_trace = value.network.new_trace(&settings.trace)?;
        let (last, next) = Default::default();
        let (begun, over) = (false, false);
        Ok(Td { value, settings, leaf_depth, trace, next_trace, last, next, begun, over })
    }

    /// Updates the last afterstate toward `target`; no weight has changed since it was evaluated.
    fn update(&mut self, target: f32) {
        let error = target - self.last.value();
        self.value.update_trace(&self.trace, error);
        if self.settings.residual > 0.0 {
            let factor = self.settings.residual * self.value.spec.discount;
            self.value.network_mut().update_trace(&self.next_trace, -factor * error);
        }
    }

    /// Adds the gradient of the next position to its trace; the end has none.
    fn trace_next(&mut self, has_gradient: bool) {
        if self.settings.residual > 0.0 && has_gradient {
            self.value.network.accumulate(&self.next.evaluation, &mut self.next_trace);
        } else if self.settings.residual > 0.0 {
            self.next_trace.decay();
        }
    }

    /// Predicts the return after a step.
    fn predict_after(&mut self, game: &G, step: &Step<'_, G::State>) -> f32 {
        if self.leaf_depth.is_some() {
            return self.predict(game, step.after, step.player);
        }
        self.next.rest_on_position();
        self.value.evaluate_afterstate(game, step, &mut self.next.evaluation)
    }

    /// Predicts the return after the afterstate of `player`.
    fn predict(&mut self, game: &G, state: &G::State, player: Player) -> f32 {
        let next = &mut self.next;
        next.rest_on_position();
        let Some(depth) = self.leaf_depth else {
            return self.value.evaluate(game, state, player, &mut next.evaluation);
        };
        let line = look_ahead(&mut self.value, game, state, player, depth - 1);
        (next.reward, next.discount) = (line.reward, line.discount);
        match line.leaf {
            Some((leaf, mover)) => {
                self.value.evaluate(game, &leaf, mover, &mut next.evaluation);
            }
            None => next.has_leaf = false,
        }
        line.value
    }

    /// Makes the next prediction the last one and adds its gradient to the trace.
    fn advance(&mut self) {
        std::mem::swap(&mut self.last, &mut self.next);
        if self.last.has_leaf {
            self.value.network.reevaluate(&mut self.last.evaluation);
            self.value.network.accumulate(&self.last.evaluation, &mut self.trace);
        } else {
            self.trace.decay();
        }
    }
}

impl Prediction {
    /// The position itself is evaluated.
    fn rest_on_position(&mut self) {
        (self.reward, self.discount, self.has_leaf) = (0.0, 1.0, true);
    }

    fn value(&self) -> f32 {
        self.reward + if self.has_leaf { self.discount * self.evaluation.value } else { 0.0 }
    }
}

impl<G: Bitboards> Learner<G> for Td<G> {
    /// In games without chance the start state counts as the first afterstate.
    fn begin(&mut self, game: &G, state: &G::State) {
        self.trace.clear();
        self.next_trace.clear();
        (self.begun, self.over) = (false, false);
        if let Some(previous) = previous_player(game, state) {
            self.predict(game, state, previous);
            self.advance();
            self.begun = true;
        }
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        if step.explored && self.settings.reset {
            self.trace.clear();
            self.next_trace.clear();
        }
        let value = self.predict_after(game, step);
        let reward = self.value.spec.reward(step.rewards, step.over, step.player);
        let learns = self.begun && self.settings.exploration.allows(step);
        self.trace_next(learns && !step.over);
        if learns {
            let future = if step.over { 0.0 } else { self.value.spec.discount * value };
            self.update(reward + future);
        }
        self.advance();
        (self.begun, self.over) = (true, step.over);
        if step.over && self.value.spec.bootstrap_terminal {
            self.trace_next(false);
            self.update(reward);
        }
    }

    fn end(&mut self, _: &G, rewards: Rewards) {
        if self.begun && !self.over {
            self.trace_next(false);
            self.update(self.value.spec.reward(rewards, true, Player(0)));
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        None
    }
}
