//! Positions as networks read them, and what evaluating them yields.

use crate::ntuple::WindowBatch;

/// A position as a network reads it. Each network reads one of the fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Encoding {
    /// The values of the cells, or the joint states of their groups.
    pub cells: Vec<u8>,
    /// The packed board under each symmetry, for games that pack it.
    pub bitboards: Vec<[u64; 2]>,
    /// Real-valued inputs, for linear functions and neural networks.
    pub inputs: Vec<f32>,
    /// The row of the state in a table.
    pub entry: u32,
}

impl Encoding {
    /// Becomes a copy of `other` and keeps its own buffers.
    pub fn copy_from(&mut self, other: &Encoding) {
        copy(&mut self.cells, &other.cells);
        copy(&mut self.bitboards, &other.bitboards);
        copy(&mut self.inputs, &other.inputs);
        self.entry = other.entry;
    }
}

/// Positions that are evaluated together: usually the successors of one state.
#[derive(Clone, Debug, Default)]
pub struct EncodedBatch {
    /// The weight set that evaluates all positions: a player's, or a player's and a move's.
    pub weight_set: usize,
    /// The state whose successors these are, for networks that evaluate incrementally.
    pub parent: Encoding,
    /// Which accumulator holds the parent: one for each weight set and point of view.
    pub accumulator: usize,
    /// The value of each position, once
    /// [`BatchEvaluator::evaluate`](crate::BatchEvaluator::evaluate) has run.
    pub values: Vec<f32>,
    /// Buffers for positions, of which the first `len` are in use.
    pub(crate) positions: Vec<Encoding>,
    pub(crate) len: usize,
    pub(crate) accumulators: Vec<Accumulator>,
    /// The sum of each position before the output function.
    pub(crate) sums: Vec<f32>,
    /// The features of all positions, for networks that prefetch their weights.
    pub(crate) features: Vec<u32>,
    pub(crate) scratch: Evaluation,
    pub(crate) windows: WindowBatch,
}

impl EncodedBatch {
    /// Empties the batch and names the weight set and the accumulator of the next positions.
    #[inline]
    pub fn begin(&mut self, weight_set: usize, accumulator: usize) {
        (self.weight_set, self.accumulator, self.len) = (weight_set, accumulator, 0);
        if self.accumulators.len() <= accumulator {
            self.accumulators.resize_with(accumulator + 1, Accumulator::default);
        }
    }

    /// Adds a position, whose encoding the caller overwrites.
    #[inline]
    pub fn push(&mut self) -> &mut Encoding {
        if self.len == self.positions.len() {
            self.positions.push(Encoding::default());
        }
        self.len += 1;
        &mut self.positions[self.len - 1]
    }

    /// The positions.
    #[inline]
    pub fn positions(&self) -> &[Encoding] {
        &self.positions[..self.len]
    }

    /// Exchanges the accumulators, so that several games keep their own.
    pub fn swap_accumulators(&mut self, others: &mut Vec<Accumulator>) {
        std::mem::swap(&mut self.accumulators, others);
    }
}

/// The parent position, kept from move to move so that only differences are computed.
///
/// This is the accumulator of NNUE: active features with their weights for n-tuple networks, the
/// sums of the first hidden layer for perceptrons.
#[derive(Clone, Debug, Default)]
pub struct Accumulator {
    pub(crate) encoding: Encoding,
    /// The active features.
    pub(crate) features: Vec<u32>,
    /// Each feature with the weight that went into `sum`; padded to 256.
    pub(crate) weights: Vec<(u32, f32)>,
    /// Whether `weights` and `sum` belong to `features`.
    pub(crate) has_weights: bool,
    pub(crate) sum: f32,
    /// The sums of the first hidden layer.
    pub(crate) hidden: Vec<f32>,
}

/// The result of evaluating one position, with all that its gradient needs.
///
/// The value is as old as the last call that wrote it;
/// [`Network::reevaluate`](crate::Network::reevaluate) renews it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The weight set used.
    pub weight_set: usize,
    /// The position, for networks that do not work with active features alone.
    pub encoding: Encoding,
    /// The active features, as weight numbers within the set; empty before the first evaluation.
    pub features: Vec<u32>,
    /// What the output function received.
    pub sum: f32,
    /// The value.
    pub value: f32,
    /// The derivative of the value with respect to `sum`.
    pub slope: f32,
    /// One for each feature, but zero where it occurred before; empty without duplicates.
    pub(crate) first_uses: Vec<f32>,
    /// How often each feature occurs, where duplicates were merged; empty if each occurs once.
    pub(crate) counts: Vec<f32>,
    /// Scratch for finding duplicates.
    pub(crate) matches: Vec<i32>,
    /// Sums and activations of hidden neurons.
    pub(crate) hidden: Vec<f32>,
}

impl Evaluation {
    /// Begins the evaluation of another position, whose encoding the caller overwrites.
    #[inline]
    pub fn begin(&mut self, weight_set: usize) -> &mut Encoding {
        self.weight_set = weight_set;
        self.features.clear();
        &mut self.encoding
    }

    /// Becomes a copy of `other`, without its duplicates, and keeps its own buffers.
    pub(crate) fn copy_from(&mut self, other: &Evaluation) {
        self.weight_set = other.weight_set;
        self.encoding.copy_from(&other.encoding);
        copy(&mut self.features, &other.features);
        copy(&mut self.hidden, &other.hidden);
        self.first_uses.clear();
        self.counts.clear();
        (self.sum, self.value, self.slope) = (other.sum, other.value, other.slope);
    }
}

/// Overwrites a vector without giving up its buffer.
#[inline]
pub(crate) fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}
