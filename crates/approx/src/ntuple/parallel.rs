//! Training an n-tuple network by several threads.

use super::NTuple;
use crate::network::TrainShared;
use crate::step::StepSize;
use crate::weights::WeightStore;
use crate::{Network, ParallelNetwork, UniqueArc};

impl<S: StepSize> ParallelNetwork for NTuple<S> {
    fn sets_are_independent(&self) -> bool {
        !S::KEEPS_BOUND
    }

    fn train_shared(&mut self, handles: usize, train: TrainShared<'_>) {
        let shared = self.weights.share();
        let handle = |_| -> Box<dyn Network> { Box::new(self.with_weights(shared.clone())) };
        train((0..handles).map(handle).map(UniqueArc::new).collect());
        self.weights.reclaim(shared);
    }
}

impl<S: StepSize, W: WeightStore<S>> NTuple<S, W> {
    /// The same network with other weights.
    fn with_weights<V: WeightStore<S>>(&self, weights: V) -> NTuple<S, V> {
        NTuple {
            lookups: self.lookups.clone(),
            weights,
            output: self.output,
            alpha: self.alpha,
            duplicates: self.duplicates,
            rule: self.rule,
        }
    }
}
