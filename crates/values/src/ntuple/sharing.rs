//! Threads that learn at once: on the same weights or copies of them, or each on a bank of its own.

use super::NTuple;
use crate::echo::Echo;
use crate::shared::{Lending, Shared, Sharing};
use crate::stepsize::StepSize;
use crate::store::Store;
use crate::{Lent, Net, TensorMut, Weights};
use ludens_core::Invalid;
use std::marker::PhantomData;

/// So many threads have copies of weights that are far; more of them would hear more than they tell.
const MOST_COPIES: usize = 4;

/// Whether so many threads have copies, and tell each other what they change.
pub(super) fn echoes<S: StepSize, W: Store<S>>(net: &NTuple<S, W>, threads: usize) -> bool {
    S::PLAIN && net.far().is_some() && (2..=MOST_COPIES).contains(&threads)
}

/// Lets each thread learn with a handle on all weights, or a copy.
pub(super) fn share<S: StepSize, W: Store<S> + Sharing<S>>(
    net: &mut NTuple<S, W>,
    threads: usize,
    work: &(dyn Fn(usize, Lent<dyn Net>) + Sync),
) -> Result<(), Invalid> {
    net.spread();
    let copies = echoes(net, threads);
    let frame =
        with_weights(net, Weights::from_values(Vec::new(), net.weights.rule().clone()), net.banks);
    net.alike = None;
    net.weights.lend(threads, copies, &Threads { frame, work })
}

/// Threads that learn at once.
struct Threads<'a, S: StepSize> {
    /// The net without weights.
    frame: NTuple<S>,
    work: &'a (dyn Fn(usize, Lent<dyn Net>) + Sync),
}

impl<S: StepSize> Threads<'_, S> {
    fn run<W: Store<S> + Sharing<S>>(&self, weights: impl Iterator<Item = W>) {
        std::thread::scope(|scope| {
            for (thread, weights) in weights.enumerate() {
                // Who comes first may see weights of which others have moved a part.
                let handle = with_weights(&self.frame, weights, self.frame.banks);
                let net: Lent<dyn Net> =
                    Lent::new(Box::new(NTuple { alike: Some(false), ..handle }));
                scope.spawn(move || (self.work)(thread, net));
            }
        });
    }
}

impl<S: StepSize> Lending<S> for Threads<'_, S> {
    fn share(&self, shared: &Shared<S>, threads: usize) {
        self.run((0..threads).map(|_| shared.clone()));
    }

    fn echo(&self, copies: Vec<Echo<S>>) {
        self.run(copies.into_iter());
    }
}

/// Lets a thread for each bank learn with a copy of its weights, and puts them in their place.
pub(super) fn divide<S: StepSize, W: Store<S>>(
    net: &mut NTuple<S, W>,
    work: &(dyn Fn(usize, Lent<dyn Net>) -> Lent<dyn Net> + Sync),
) {
    net.spread();
    let (size, rule) = (net.lookups.bank_size(), net.weights.rule().clone());
    let frame = with_weights(net, Weights::from_values(Vec::new(), rule.clone()), 1);
    let parts = split(net.weights.tensors_mut(size), net.banks);
    std::thread::scope(|scope| {
        for (bank, mut part) in parts.into_iter().enumerate() {
            let (mut net, rule) = (frame.clone(), rule.clone());
            scope.spawn(move || {
                net.weights = Weights::from_values(part[0].to_vec(), rule);
                for (tensor, numbers) in net.tensors_mut().into_iter().zip(&part) {
                    tensor.data.copy_from_slice(numbers);
                }
                let learned = work(bank, Lent::new(Box::new(net)));
                for (tensor, numbers) in learned.tensors().into_iter().zip(&mut part) {
                    numbers.copy_from_slice(&tensor.data);
                }
            });
        }
    });
    net.alike = None;
}

/// The same net with other weights.
fn with_weights<S: StepSize, W: Store<S>, V: Store<S>>(
    net: &NTuple<S, W>,
    weights: V,
    banks: usize,
) -> NTuple<S, V> {
    NTuple {
        lookups: net.lookups.clone(),
        weights,
        banks,
        output: net.output,
        rate: net.rate,
        repeats: net.repeats,
        alike: None,
        merged: None,
        rule: PhantomData,
    }
}

/// For each bank, its part of each tensor.
fn split(tensors: Vec<TensorMut<'_>>, banks: usize) -> Vec<Vec<&mut [f32]>> {
    let mut parts: Vec<Vec<&mut [f32]>> = (0..banks).map(|_| Vec::new()).collect();
    for tensor in tensors {
        let size = tensor.data.len() / banks;
        for (part, numbers) in parts.iter_mut().zip(tensor.data.chunks_exact_mut(size)) {
            part.push(numbers);
        }
    }
    parts
}
