//! Delayed TD(lambda) as the fused loop drives it.

use super::DelayedTd;
use crate::algorithm::{FastPaths, FusedLearner, FusedStep, LastMove, PerPlayerLearner};
use crate::{Value, ValueOwner};
use ludens_approx::Evaluation;
use ludens_core::{Bitboards, Player};

impl<G: Bitboards> FastPaths<G> for DelayedTd<G> {
    /// The fused loop knows players who maximise their own return only.
    fn fused(&mut self) -> Option<&mut dyn FusedLearner<G>> {
        let alone = self.chains.len() == 1 && self.value.spec.owner == ValueOwner::Mover;
        if alone { Some(self) } else { None }
    }

    fn per_player(&mut self) -> Option<&mut dyn PerPlayerLearner<G>> {
        None
    }
}

impl<G: Bitboards> FusedLearner<G> for DelayedTd<G> {
    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn learns(&self) -> bool {
        true
    }

    fn is_td0(&self) -> bool {
        self.value.network.fused().is_some_and(|network| network.is_td0(&self.trace))
    }

    fn observe_afterstate(&mut self, next: &mut Box<Evaluation>, step: FusedStep) {
        std::mem::swap(&mut self.next, next);
        self.chains[0].pending += step.reward;
        let learns = self.settings.exploration.allows_before_end(step.explored);
        self.advance(0, step.value, learns, step.explored);
        self.last_move = Some(LastMove { player: Player(0), over: false });
    }
}
