//! Reevaluating a position and updating its weights.

use super::{DuplicateFeatures, Lookups, NTuple};
use crate::network::update_in_steps;
use crate::step::{PerWeight, StepSize, Update};
use crate::trace::Horizon;
use crate::weights::{WeightSlice, WeightStore, fits_one_block};
use crate::{
    Differentiable, Evaluation, FusedNetwork, Network, ParallelNetwork, Tensor, TensorMut, Trace,
    TraceKind, TraceSettings,
};
use ludens_core::Invalid;
use ludens_simd::{Indices, Kernel, dispatch_simd, sum_at};

impl<S: StepSize, W: WeightStore<S>> Network for NTuple<S, W> {
    fn reevaluate(&self, evaluation: &mut Evaluation) -> f32 {
        if evaluation.features.is_empty() {
            self.lookups.features(&evaluation.encoding, &mut evaluation.features);
        }
        evaluation.sum = self.sum(evaluation.weight_set, Indices::new(&evaluation.features));
        (evaluation.value, evaluation.slope) = self.output.value_and_slope(evaluation.sum);
        evaluation.value
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        Ok(Trace::new(settings, self.weights.values().len()))
    }

    fn accumulate(&self, evaluation: &Evaluation, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => self.push_on_horizon(evaluation, horizon),
            Trace::Sparse(sparse) => {
                sparse.begin_step(evaluation.slope);
                let each = self.duplicates == DuplicateFeatures::Each;
                if each || !self.lookups.has_duplicates(&evaluation.features) {
                    let offset = self.offset(evaluation.weight_set) as u32;
                    sparse.add_all(offset, &evaluation.features);
                } else {
                    self.for_each_weight(evaluation, |index| sparse.add(index as u32));
                }
            }
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.slope = evaluation.slope;
                self.add_gradient(evaluation, 1.0, &mut dense.gradient);
                dense.accumulate();
            }
        }
    }

    fn update_trace(&mut self, trace: &Trace, error: f32) {
        let alpha = self.alpha_per_lookup();
        match trace {
            Trace::Horizon(horizon) => self.update_horizon(horizon, error),
            Trace::Sparse(sparse) => self.weights.update_sparse_simd(sparse, error, alpha),
            Trace::Dense(dense) => self.weights.update_dense(dense, error, |_| alpha),
        }
    }

    fn update(&mut self, evaluation: &mut Evaluation, trace: &mut Trace, target: f32) -> f32 {
        match trace {
            Trace::Horizon(horizon) if self.updates_alone(horizon) => {
                trace.clear();
                self.update_alone(evaluation, target)
            }
            _ => update_in_steps(self, evaluation, trace, target),
        }
    }

    fn end_batch(&mut self) {
        self.weights.end_batch();
    }

    fn set_step_size(&mut self, alpha: f32) {
        self.alpha = alpha;
    }

    fn grow(&mut self, _: usize) {}

    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.lookups.set_size())
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.weights.tensors_mut(self.lookups.set_size())
    }

    fn fused(&self) -> Option<&dyn FusedNetwork> {
        let fits = self.lookups.bitboards.is_some() && self.exceeds_cache();
        fits.then_some(self as &dyn FusedNetwork)
    }

    fn parallel(&mut self) -> Option<&mut dyn ParallelNetwork> {
        W::parallel(self)
    }
}

impl<S: StepSize, W: WeightStore<S>> NTuple<S, W> {
    /// The sum of the weights of these features.
    #[inline(always)]
    pub(super) fn sum(&self, weight_set: usize, features: Indices<'_>) -> f32 {
        let set = self.set(weight_set);
        match &self.lookups.bitboards {
            Some(tuples) if self.exceeds_cache() => tuples.sum_features(features, set),
            _ => sum_at(set, features.as_slice()),
        }
    }

    /// The step size, divided among all lookups.
    fn alpha_per_lookup(&self) -> f32 {
        self.alpha / self.lookups.len() as f32
    }

    /// Calls `visit` with each weight of all sets that a position uses, as often as it counts.
    pub(super) fn for_each_weight(&self, evaluation: &Evaluation, mut visit: impl FnMut(usize)) {
        let (offset, tuples) = (self.offset(evaluation.weight_set), self.lookups.num_tuples());
        let features = &evaluation.features;
        for (lookup, &feature) in features.iter().enumerate() {
            let mut earlier = features[..lookup].iter().rev().skip(tuples - 1).step_by(tuples);
            let counts = self.duplicates == DuplicateFeatures::Each;
            if counts || !earlier.any(|other| *other == feature) {
                visit(offset + feature as usize);
            }
        }
    }

    /// Whether duplicate features are merged before such a trace keeps them.
    ///
    /// The step rule then runs once for each weight instead of once for each lookup.
    #[inline]
    fn merges_duplicates(&self, trace: &Horizon) -> bool {
        S::COUNTS_DUPLICATES
            && trace.kind == TraceKind::Accumulating
            && self.duplicates == DuplicateFeatures::Once
            && self.lookups.can_merge_duplicates()
    }

    /// Whether the position that is updated need not be kept on such a trace.
    #[inline]
    pub(super) fn updates_alone(&self, trace: &Horizon) -> bool {
        trace.is_td0() && !S::NORMALISES && !self.merges_duplicates(trace)
    }

    /// Reevaluates and updates one position without a trace. Returns the error.
    #[inline]
    fn update_alone(&mut self, evaluation: &mut Evaluation, target: f32) -> f32 {
        if evaluation.features.is_empty() {
            self.lookups.features(&evaluation.encoding, &mut evaluation.features);
        }
        let mut error = 0.0;
        dispatch_simd(Td0Update { network: self, evaluation, target, error: &mut error });
        error
    }

    /// Updates the weights of all positions on the trace.
    fn update_horizon(&mut self, trace: &Horizon, error: f32) {
        dispatch_simd(HorizonUpdate { network: self, trace, error });
    }

    /// Adds a position to the trace, with its duplicate features found.
    fn push_on_horizon(&self, evaluation: &Evaluation, trace: &mut Horizon) {
        let merge = self.merges_duplicates(trace);
        let entry = trace.push_features(evaluation);
        if !(S::CONSTANT && self.duplicates == DuplicateFeatures::Each) {
            dispatch_simd(FindDuplicates { lookups: &self.lookups, entry, merge });
        }
    }

    /// Updates the weights of one entry of the trace one by one, unless a newer entry replaces them.
    fn update_one_by_one(&mut self, trace: &Horizon, age: usize, update: Update) {
        let entry = &trace.entries[age];
        let (offset, tuples) = (self.offset(entry.weight_set), self.lookups.num_tuples());
        let replaced = |tuple: usize, feature: u32| {
            let mut newer = trace.entries.range(..age);
            trace.kind == TraceKind::Replacing
                && newer.any(|newer| {
                    let mut same = newer.features.iter().skip(tuple).step_by(tuples);
                    newer.weight_set == entry.weight_set && same.any(|other| *other == feature)
                })
        };
        if S::NORMALISES {
            let single = single_updates(tuples, &entry.features, self.duplicates, update);
            let kept = single.filter(|(tuple, feature, _)| !replaced(*tuple, *feature));
            let updates = kept.map(|(_, feature, update)| (offset + feature as usize, update));
            return self.weights.update_each(updates);
        }
        let rule = self.weights.rule().clone();
        let mut set = self.weights.slice_mut(offset, self.lookups.set_size());
        for (lookup, &feature) in entry.features.iter().enumerate() {
            if replaced(lookup % tuples, feature) {
                continue;
            }
            let again = entry.first_uses.get(lookup) == Some(&0.0);
            if again && self.duplicates == DuplicateFeatures::Once {
                set.record_only(&rule, feature, &update);
            } else {
                set.update(&rule, feature, &update, 0.0);
            }
        }
    }
}

/// Updates all weights that a position uses.
///
/// With duplicates, the first uses are updated as vectors, then the others one by one: the step rule
/// remembers each use, and the weight moves with all of them or with the first alone.
#[inline(always)]
fn update_position<S: StepSize>(
    mut set: impl WeightSlice<S>,
    rule: &S,
    position: &PositionFeatures<'_>,
    update: &Update,
    tuples: usize,
    duplicates: DuplicateFeatures,
) {
    let PositionFeatures { features, first_uses, counts } = *position;
    let each = duplicates == DuplicateFeatures::Each;
    if first_uses.is_empty() || S::CONSTANT {
        let shares = if each { &[][..] } else { first_uses };
        let per_weight = PerWeight { shares, counts, ..PerWeight::default() };
        return set.update_alike(rule, features, &per_weight, update);
    }
    if !fits_one_block(first_uses.len()) {
        let mut first_uses = first_uses.chunks_exact(tuples);
        for image in features.chunks(tuples) {
            let first_uses = first_uses.next().unwrap_or_default();
            let shares = if each { &[][..] } else { first_uses };
            let per_weight = PerWeight { shares, ..PerWeight::default() };
            set.update_alike(rule, image, &per_weight, update);
        }
        return;
    }
    // Further uses compute what their first does and store the same memory, but do not move yet.
    let per_weight = PerWeight { shares: first_uses, ..PerWeight::default() };
    set.update_alike(rule, features, &per_weight, update);
    for (&feature, _) in features.as_slice().iter().zip(first_uses).filter(|(_, f)| **f == 0.0) {
        if each {
            set.update(rule, feature, update, 0.0);
        } else {
            set.record_only(rule, feature, update);
        }
    }
}

/// The features of a position and their duplicates.
struct PositionFeatures<'a> {
    features: Indices<'a>,
    first_uses: &'a [f32],
    counts: &'a [f32],
}

/// An update of all positions on a trace.
struct HorizonUpdate<'a, S: StepSize, W: WeightStore<S>> {
    network: &'a mut NTuple<S, W>,
    trace: &'a Horizon,
    error: f32,
}

impl<S: StepSize, W: WeightStore<S>> Kernel for HorizonUpdate<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        let HorizonUpdate { network, trace, error } = self;
        let mut factor = 1.0;
        for (age, entry) in trace.entries.iter().enumerate() {
            let update = Update {
                alpha: network.alpha_per_lookup(),
                error,
                trace: factor * entry.slope,
                input: if age == 0 { 1.0 } else { 0.0 },
                slope: entry.slope,
            };
            factor *= trace.decay;
            if S::NORMALISES || trace.kind == TraceKind::Replacing && age > 0 {
                network.update_one_by_one(trace, age, update);
                continue;
            }
            let (offset, size) = (network.offset(entry.weight_set), network.lookups.set_size());
            let rule = network.weights.rule().clone();
            let Evaluation { features, first_uses, counts, .. } = &**entry;
            let position =
                PositionFeatures { features: Indices::new(features), first_uses, counts };
            let set = network.weights.slice_mut(offset, size);
            let tuples = network.lookups.num_tuples();
            update_position(set, &rule, &position, &update, tuples, network.duplicates);
        }
    }
}

/// An update of one position that alone is responsible for its error.
///
/// Skips the trace, and with it a copy of the features.
struct Td0Update<'a, S: StepSize, W: WeightStore<S>> {
    network: &'a mut NTuple<S, W>,
    evaluation: &'a mut Evaluation,
    target: f32,
    error: &'a mut f32,
}

impl<S: StepSize, W: WeightStore<S>> Kernel for Td0Update<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        let Td0Update { network, evaluation, target, error } = self;
        let Evaluation { weight_set, features, first_uses, sum, value, slope, .. } = evaluation;
        let indices = Indices::new(features);
        *sum = network.sum(*weight_set, indices);
        (*value, *slope) = network.output.value_and_slope(*sum);
        *error = target - *value;
        if !(S::CONSTANT && network.duplicates == DuplicateFeatures::Each) {
            network.lookups.mark_first_uses(features, first_uses);
        }
        let position = PositionFeatures { features: indices, first_uses, counts: &[] };
        let (slope, alpha) = (*slope, network.alpha_per_lookup());
        let update = Update { alpha, error: *error, trace: slope, input: 1.0, slope };
        let (offset, size) = (network.offset(*weight_set), network.lookups.set_size());
        let (tuples, rule) = (network.lookups.num_tuples(), network.weights.rule().clone());
        let set = network.weights.slice_mut(offset, size);
        update_position(set, &rule, &position, &update, tuples, network.duplicates);
    }
}

/// Finds the duplicate features of a position.
struct FindDuplicates<'a> {
    lookups: &'a Lookups,
    entry: &'a mut Evaluation,
    /// Whether they are merged.
    merge: bool,
}

impl Kernel for FindDuplicates<'_> {
    #[inline(always)]
    fn run(self) {
        let Evaluation { features, first_uses, counts, matches, .. } = self.entry;
        if self.merge {
            first_uses.clear();
            return self.lookups.merge_duplicates(features, counts, matches);
        }
        self.lookups.mark_first_uses(features, first_uses);
    }
}

/// Each tuple and feature once, with an update that counts duplicates if they count.
///
/// A step size that normalises must see each weight once: it rescales what it has seen.
fn single_updates(
    tuples: usize,
    features: &[u32],
    duplicates: DuplicateFeatures,
    update: Update,
) -> impl Iterator<Item = (usize, u32, Update)> + Clone {
    let images = move |tuple: usize| features.iter().skip(tuple).step_by(tuples);
    (0..tuples).flat_map(move |tuple| {
        let first =
            move |(i, feature): &(usize, &u32)| !images(tuple).take(*i).any(|f| f == *feature);
        images(tuple).enumerate().filter(first).map(move |(_, &feature)| {
            let count = match duplicates {
                DuplicateFeatures::Once => 1.0,
                DuplicateFeatures::Each => images(tuple).filter(|f| **f == feature).count() as f32,
            };
            let (trace, input) = (count * update.trace, count * update.input);
            (tuple, feature, Update { trace, input, ..update })
        })
    })
}
