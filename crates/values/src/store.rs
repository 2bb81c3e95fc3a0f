//! Where weights are kept.

use crate::hardware::{Work, run_widely};
use crate::stepsize::{LANES, Lanes, Push, StepSize};
use crate::trace::{Dense, Sparse};
use crate::{Tensor, TensorMut};
use bytemuck::Zeroable;
use std::marker::PhantomData;

/// How many pushes ahead the memory hears of them.
const AHEAD: usize = 32;

/// Where weights are kept, with what the step size remembers of each.
pub trait Store<S: StepSize>: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// How many weights there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How far weights move.
    fn rule(&self) -> &S;

    /// The weight with this index.
    fn value(&self, index: usize) -> f32;

    /// Says that the weight with this index will be asked for soon.
    fn expect_value(&self, index: usize);

    /// Says that the weight with this index will be pushed soon.
    fn expect_push(&self, index: usize);

    /// Moves the weight with this index.
    fn add(&mut self, index: usize, step: f32);

    /// What is remembered of the weight with this index.
    fn memory(&self, index: usize) -> S::Memory;

    /// Remembers this of the weight with this index.
    fn set_memory(&mut self, index: usize, memory: S::Memory);

    /// Lets the step size measure the push of one weight.
    fn measure_one(&mut self, index: usize, push: &Push) -> f32;

    /// What each push of a correction gets to know of the sum of all that was measured.
    fn conclude(&mut self, sum: f32) -> f32;

    /// Pushes weight `index`.
    fn push(&mut self, index: usize, push: &Push, measured: f32);

    /// Lets the step size remember a push without moving weight `index`.
    fn note(&mut self, index: usize, push: &Push, measured: f32);

    /// Lets a step size that works in batches move the weights.
    fn settle(&mut self);

    /// The weights and the memory, in banks of `bank_size` weights; nothing while they are shared.
    fn tensors(&self, bank_size: usize) -> Vec<Tensor<'_>>;

    /// The same, for loading.
    fn tensors_mut(&mut self, bank_size: usize) -> Vec<TensorMut<'_>>;

    /// Lets the step size measure the pushes of one correction, each of the weight with that index.
    #[inline]
    fn measure(&mut self, pushes: impl Iterator<Item = (usize, Push)>) -> f32 {
        if !S::MEASURES {
            return 0.0;
        }
        let sum = pushes.map(|(i, push)| self.measure_one(i, &push)).sum();
        self.conclude(sum)
    }

    /// Pushes each of these weights; none may occur twice.
    #[inline]
    fn push_all(&mut self, pushes: impl Iterator<Item = (usize, Push)> + Clone) {
        let measured = self.measure(pushes.clone());
        for (index, push) in pushes {
            self.push(index, &push, measured);
        }
    }

    /// Pushes each weight `offset + index` alike, moving it by its share of the step; none may
    /// occur twice. Without shares, all move by the whole step. For step sizes that do not measure.
    #[inline(always)]
    fn push_alike(&mut self, offset: usize, indices: &[u32], shares: &[f32], push: &Push) {
        let lanes = Lanes { traces: [push.trace; LANES], inputs: [push.input; LANES] };
        let (chunks, rest) = indices.as_chunks::<LANES>();
        let (chunk_shares, rest_shares) = shares.as_chunks::<LANES>();
        if shares.is_empty() {
            chunks.iter().for_each(|c| self.push_lanes(offset, c, &[1.0; LANES], push, &lanes));
        } else {
            for (chunk, shares) in chunks.iter().zip(chunk_shares) {
                self.push_lanes(offset, chunk, shares, push, &lanes);
            }
        }
        for (i, &index) in rest.iter().enumerate() {
            let index = offset + index as usize;
            match rest_shares.get(i) {
                Some(0.0) => self.note(index, push, 0.0),
                _ => self.push(index, push, 0.0),
            }
        }
    }

    /// Pushes weights side by side; none may occur twice.
    #[inline(always)]
    fn push_lanes(
        &mut self,
        offset: usize,
        indices: &[u32; LANES],
        shares: &[f32; LANES],
        push: &Push,
        lanes: &Lanes,
    ) {
        let mut memory = [S::Memory::zeroed(); LANES];
        for lane in 0..LANES {
            memory[lane] = self.memory(offset + indices[lane] as usize);
        }
        let steps = self.rule().step_lanes(&mut memory, push, lanes);
        for lane in 0..LANES {
            let index = offset + indices[lane] as usize;
            self.set_memory(index, memory[lane]);
            self.add(index, shares[lane] * steps[lane]);
        }
    }

    /// Corrects every weight used lately.
    #[inline(always)]
    fn learn_sparse(&mut self, trace: &Sparse, error: f32, rate: f32) {
        let slope = trace.slope;
        let uses = trace.uses();
        if S::MEASURES {
            let push =
                |(index, trace, input)| (index as usize, Push { rate, error, trace, input, slope });
            self.push_all(uses.map(push));
            return;
        }
        let push = Push { rate, error, trace: 0.0, input: 0.0, slope };
        let mut indices = [0; LANES];
        let mut lanes = Lanes { traces: [0.0; LANES], inputs: [0.0; LANES] };
        let mut count = 0;
        let mut soon = trace.used.iter().skip(AHEAD);
        for (index, trace, input) in uses {
            if let Some(&index) = soon.next() {
                self.expect_push(index as usize);
            }
            (indices[count], lanes.traces[count], lanes.inputs[count]) = (index, trace, input);
            count += 1;
            if count == LANES {
                self.push_lanes(0, &indices, &[1.0; LANES], &push, &lanes);
                count = 0;
            }
        }
        for (i, &index) in indices[..count].iter().enumerate() {
            let push = Push { trace: lanes.traces[i], input: lanes.inputs[i], ..push };
            self.push(index as usize, &push, 0.0);
        }
    }

    /// The same, with wide vectors where the processor has them.
    fn learn_sparse_widely(&mut self, trace: &Sparse, error: f32, rate: f32) {
        let (store, rule) = (self, PhantomData);
        run_widely(Lesson { store, rule, trace, error, rate });
    }

    /// Corrects every weight with a trace; `rate` tells each weight's share of the rate.
    fn learn_dense(&mut self, trace: &Dense, error: f32, rate: impl Fn(usize) -> f32) {
        let push = |index: usize, eligibility: f32| Push {
            rate: rate(index),
            error,
            trace: eligibility,
            input: if trace.slope == 0.0 { 0.0 } else { trace.gradient[index] / trace.slope },
            slope: trace.slope,
        };
        let eligible = trace.eligibility.iter().enumerate().filter(|(_, e)| **e != 0.0);
        self.push_all(eligible.map(|(index, &e)| (index, push(index, e))));
    }
}

/// What is to be learned from a sparse trace.
struct Lesson<'a, S, W> {
    store: &'a mut W,
    rule: PhantomData<S>,
    trace: &'a Sparse,
    error: f32,
    rate: f32,
}

impl<S: StepSize, W: Store<S>> Work for Lesson<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        self.store.learn_sparse(self.trace, self.error, self.rate);
    }
}
