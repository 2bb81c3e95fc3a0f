//! Threads that learn at once: on the same weights, or each on a bank of its own.

use super::NTuple;
use crate::shared::Sharing;
use crate::stepsize::StepSize;
use crate::store::Store;
use crate::{Lent, Net, TensorMut, Weights};
use std::marker::PhantomData;

/// Lets each thread learn with a handle on all weights.
pub(super) fn share<S: StepSize, W: Store<S> + Sharing<S>>(
    net: &mut NTuple<S, W>,
    threads: usize,
    work: &(dyn Fn(usize, Lent<dyn Net>) + Sync),
) {
    net.spread();
    let shared = net.weights.lend();
    // Who comes first may see weights of which others have moved a part.
    let handle = NTuple { alike: Some(false), ..with_weights(net, shared.clone(), net.banks) };
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let net: Lent<dyn Net> = Lent::new(Box::new(handle.clone()));
            scope.spawn(move || work(thread, net));
        }
    });
    drop(handle);
    net.weights.take_back(shared);
    net.alike = None;
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
