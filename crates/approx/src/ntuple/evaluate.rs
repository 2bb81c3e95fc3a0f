//! Evaluating positions with an n-tuple network.

use super::delta::BYTE_LOOKUPS;
use super::lookups::single_change;
use super::{Lookups, NTuple};
use crate::encoding::copy;
use crate::step::StepSize;
use crate::weights::WeightStore;
use crate::{Accumulator, BatchEvaluator, EncodedBatch, Encoding, Evaluation};
use ludens_simd::{Indices, LANES, WeightCell, prefetch, sum_at, sum_few_at, sum_lanes};

/// With so few lookups, a sum costs no more than the difference of two sums.
const FEW_LOOKUPS: usize = 16;

impl<S: StepSize, W: WeightStore<S>> BatchEvaluator for NTuple<S, W> {
    fn evaluate(&self, batch: &mut EncodedBatch) {
        self.sum_batch(batch);
        batch.values.clone_from(&batch.sums);
        self.output.value_all(&mut batch.values);
    }

    fn take(&self, batch: &mut EncodedBatch, nth: usize, out: &mut Evaluation) {
        self.take_features(batch, nth, out);
        out.weight_set = batch.weight_set;
        (out.sum, out.value) = (batch.sums[nth], batch.values[nth]);
        out.slope = self.output.slope(out.value);
    }
}

impl<S: StepSize, W: WeightStore<S>> NTuple<S, W> {
    /// Writes the sum of each position of the batch.
    fn sum_batch(&self, batch: &mut EncodedBatch) {
        batch.sums.clear();
        let Some(tuples) = &self.lookups.bitboards else { return self.sum_incrementally(batch) };
        if self.exceeds_cache() {
            return self.sum_prefetched(batch);
        }
        let (set, positions) = (self.set(batch.weight_set), &batch.positions[..batch.len]);
        if !tuples.sum_positions(positions, set, &mut batch.windows, &mut batch.sums) {
            let features = &mut batch.scratch.features;
            batch.sums.extend(positions.iter().map(|position| {
                self.lookups.features(position, features);
                sum_at(set, features)
            }));
        }
    }

    /// Finds the features of all positions and prefetches their weights before adding up any.
    fn sum_prefetched(&self, batch: &mut EncodedBatch) {
        let (set, features) = (self.set(batch.weight_set), &mut batch.scratch.features);
        batch.features.clear();
        for position in &batch.positions[..batch.len] {
            self.lookups.features(position, features);
            features.iter().for_each(|&feature| prefetch(set, feature as usize));
            batch.features.extend_from_slice(features);
        }
        let rows = batch.features.chunks_exact(self.lookups.len());
        batch.sums.extend(rows.map(|row| self.sum(batch.weight_set, Indices::new(row))));
    }

    /// Evaluates each position by its difference from the parent.
    fn sum_incrementally(&self, batch: &mut EncodedBatch) {
        let accumulator = &mut batch.accumulators[batch.accumulator];
        let (set, positions) = (self.set(batch.weight_set), &batch.positions[..batch.len]);
        let has_parent = !batch.parent.cells.is_empty();
        let parent = if has_parent { Some(&batch.parent) } else { positions.first() };
        if let Some(parent) = parent {
            self.move_accumulator(accumulator, parent);
        }
        if self.lookups.len() > FEW_LOOKUPS {
            accumulator.sum = keep_weights(set, &accumulator.features, &mut accumulator.weights);
            accumulator.has_weights = true;
        }
        let (lookups, scratch) = (&self.lookups, &mut batch.scratch.features);
        let sum = |position| sum_near(lookups, set, accumulator, position, scratch);
        batch.sums.extend(positions.iter().map(sum));
    }

    /// Makes the features of the accumulator those of `position`.
    #[inline]
    fn move_accumulator(&self, accumulator: &mut Accumulator, position: &Encoding) {
        let Accumulator { encoding, features, has_weights, .. } = accumulator;
        if features.len() == self.lookups.len() {
            self.lookups.shift(&encoding.cells, &position.cells, features);
        } else {
            self.lookups.features(position, features);
        }
        copy(&mut encoding.cells, &position.cells);
        *has_weights = false;
    }

    /// Writes the features of the `nth` position of the batch.
    ///
    /// The accumulator moves there: the next parent is close to it.
    #[inline]
    fn take_features(&self, batch: &mut EncodedBatch, nth: usize, out: &mut Evaluation) {
        if self.lookups.bitboards.is_none() {
            let accumulator = &mut batch.accumulators[batch.accumulator];
            self.move_accumulator(accumulator, &batch.positions[nth]);
            copy(&mut out.features, &accumulator.features);
        } else if self.exceeds_cache() {
            let lookups = self.lookups.len();
            copy(&mut out.features, &batch.features[nth * lookups..][..lookups]);
        } else {
            self.lookups.features(&batch.positions[nth], &mut out.features);
        }
    }
}

/// The sum of a position close to the accumulator.
#[inline]
fn sum_near<C: WeightCell>(
    lookups: &Lookups,
    set: &[C],
    from: &Accumulator,
    position: &Encoding,
    scratch: &mut Vec<u32>,
) -> f32 {
    let (old, new) = (&from.encoding.cells, &position.cells);
    let delta = single_change(old, new).map(|digit| lookups.delta(digit, old[digit], new[digit]));
    if let Some(delta) = delta.filter(|_| from.has_weights) {
        return from.sum + delta.difference(set, from);
    }
    copy(scratch, &from.features);
    match delta {
        Some(delta) => delta.apply(scratch),
        None => lookups.shift(old, new, scratch),
    }
    sum_few_at(set, scratch)
}

/// Keeps each feature with its weight and returns their sum, in the order of `sum_at`.
#[inline(always)]
fn keep_weights<C: WeightCell>(set: &[C], features: &[u32], kept: &mut Vec<(u32, f32)>) -> f32 {
    kept.resize(features.len().max(BYTE_LOOKUPS), (0, 0.0));
    let (chunks, rest) = features.as_chunks::<LANES>();
    let (kept_chunks, _) = kept.as_chunks_mut::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (chunk, kept) in chunks.iter().zip(kept_chunks) {
        for lane in 0..LANES {
            let weight = set[chunk[lane] as usize].load();
            kept[lane] = (chunk[lane], weight);
            sums[lane] += weight;
        }
    }
    let from = features.len() - rest.len();
    for (kept, &feature) in kept[from..].iter_mut().zip(rest) {
        *kept = (feature, set[feature as usize].load());
    }
    let rest: f32 = kept[from..from + rest.len()].iter().map(|kept| kept.1).sum();
    sum_lanes(sums) + rest
}
