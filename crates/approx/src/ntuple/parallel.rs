//! Training an n-tuple network by several threads.

use super::NTuple;
use crate::network::{HogwildWork, SplitWork};
use crate::step::StepSize;
use crate::weights::{ExclusiveWeights, WeightStore};
use crate::{Network, ParallelNetwork, TensorMut, UniqueArc};
use ludens_core::Invalid;

impl<S: StepSize> ParallelNetwork for NTuple<S> {
    fn check_split(&self) -> Result<(), Invalid> {
        match S::KEEPS_BOUND {
            true => Err(Invalid("the step size depends on the weights of all players".into())),
            false => Ok(()),
        }
    }

    fn train_hogwild(&mut self, threads: usize, work: HogwildWork<'_>) {
        let shared = self.weights.share();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let handle: Box<dyn Network> = Box::new(self.with_weights(shared.clone()));
                scope.spawn(move || work(thread, UniqueArc::new(handle)));
            }
        });
        self.weights.reclaim(shared);
    }

    fn train_split(&mut self, work: SplitWork<'_>) {
        let (size, rule) = (self.lookups.set_size(), self.weights.rule().clone());
        let empty = self.with_weights(ExclusiveWeights::from_values(Vec::new(), rule.clone()));
        let sets = self.weights.values.len() / size;
        let parts = split_tensors(self.weights.tensors_mut(size), sets);
        std::thread::scope(|scope| {
            for (set, mut part) in parts.into_iter().enumerate() {
                let (mut network, rule) = (empty.clone(), rule.clone());
                scope.spawn(move || {
                    network.weights = ExclusiveWeights::from_values(part[0].to_vec(), rule);
                    for (tensor, numbers) in network.tensors_mut().into_iter().zip(&part) {
                        tensor.data.copy_from_slice(numbers);
                    }
                    let trained = work(set, UniqueArc::new(Box::new(network)));
                    for (tensor, numbers) in trained.tensors().into_iter().zip(&mut part) {
                        numbers.copy_from_slice(tensor.data);
                    }
                });
            }
        });
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

/// For each weight set, its part of each tensor.
fn split_tensors(tensors: Vec<TensorMut<'_>>, sets: usize) -> Vec<Vec<&mut [f32]>> {
    let mut parts: Vec<Vec<&mut [f32]>> = (0..sets).map(|_| Vec::new()).collect();
    for tensor in tensors {
        let size = tensor.data.len() / sets;
        for (part, numbers) in parts.iter_mut().zip(tensor.data.chunks_exact_mut(size)) {
            part.push(numbers);
        }
    }
    parts
}
