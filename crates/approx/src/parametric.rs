//! Networks that are differentiable functions of real inputs.

use crate::step::{StepSize, Update};
use crate::weights::{ExclusiveWeights, WeightStore};
use crate::{
    BatchEvaluator, Differentiable, EncodedBatch, Evaluation, FusedNetwork, Network, Output,
    ParallelNetwork, Tensor, TensorMut, Trace, TraceForm, TraceSettings,
};
use ludens_core::Invalid;
use ludens_simd::add_scaled;
use std::ops::Range;

/// A function of inputs and one weight set, which [`Parametric`] keeps.
pub trait Function: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Returns the sum before the output function; `hidden` receives what the gradient needs.
    fn forward(&self, weights: &[f32], inputs: &[f32], hidden: &mut Vec<f32>) -> f32;

    /// Appends to `hidden` what [`Function::gradient`] needs of the weights.
    fn backward(&self, weights: &[f32], inputs: &[f32], slope: f32, hidden: &mut Vec<f32>);

    /// The gradient of the value, where `forward` and `backward` have written `hidden`.
    fn gradient<'a>(
        &'a self,
        inputs: &'a [f32],
        slope: f32,
        hidden: &'a [f32],
    ) -> impl Iterator<Item = GradientRow<'a>> + Clone;

    /// Appends the sum of each position of a batch.
    fn forward_batch(&self, weights: &[f32], batch: &mut EncodedBatch, sums: &mut Vec<f32>) {
        let mut hidden = std::mem::take(&mut batch.scratch.hidden);
        let positions = batch.positions().iter();
        sums.extend(positions.map(|position| self.forward(weights, &position.inputs, &mut hidden)));
        batch.scratch.hidden = hidden;
    }
}

/// The gradient of neighbouring weights: `factor * numbers`.
#[derive(Copy, Clone, Debug)]
pub struct GradientRow<'a> {
    /// The first weight, counted within the set.
    pub start: usize,
    /// What all numbers are multiplied by.
    pub factor: f32,
    /// One number per weight.
    pub numbers: &'a [f32],
}

/// A [`Function`] with its weights: V(s) = output(f(x(s), w)).
#[derive(Clone, Debug)]
pub struct Parametric<F, S: StepSize> {
    pub(crate) function: F,
    pub(crate) weights: ExclusiveWeights<S>,
    pub(crate) output: Output,
    pub(crate) alpha: f32,
    /// All weights of a set in ranges, each with its factor on alpha.
    pub(crate) step_factors: Vec<(Range<usize>, f32)>,
}

impl<F, S: StepSize> Parametric<F, S> {
    fn set_range(&self, weight_set: usize) -> Range<usize> {
        let size = self.step_factors.last().map_or(0, |(range, _)| range.end);
        weight_set * size..(weight_set + 1) * size
    }

    pub(crate) fn weight_set(&self, weight_set: usize) -> &[f32] {
        &self.weights.values[self.set_range(weight_set)]
    }
}

impl<F: Function, S: StepSize> Parametric<F, S> {
    /// TD(0): updates the weights for one position only.
    fn update_newest(&mut self, newest: &Evaluation, error: f32) {
        let (set, slope) = (self.set_range(newest.weight_set), newest.slope);
        let Parametric { function, weights, alpha, step_factors, .. } = self;
        let alpha_at = |index| *alpha * step_factor(step_factors, index);
        let rows = function.gradient(&newest.encoding.inputs, slope, &newest.hidden);
        if S::CONSTANT {
            let weights = &mut weights.values[set];
            return rows.for_each(|GradientRow { start, factor, numbers }| {
                add_scaled(&mut weights[start..], alpha_at(start) * error * factor, numbers);
            });
        }
        let updates = rows.flat_map(|GradientRow { start, factor, numbers }| {
            let alpha = alpha_at(start);
            (set.start + start..).zip(numbers).map(move |(index, number)| {
                let trace = factor * number;
                (index, Update { alpha, error, trace, input: trace / slope, slope })
            })
        });
        weights.update_each(updates.filter(|(_, update)| update.trace != 0.0));
    }
}

/// The factor on alpha of the weight with this index in its set.
fn step_factor(factors: &[(Range<usize>, f32)], index: usize) -> f32 {
    factors[factors.partition_point(|(range, _)| range.end <= index)].1
}

impl<F: Function, S: StepSize> BatchEvaluator for Parametric<F, S> {
    fn evaluate(&self, batch: &mut EncodedBatch) {
        let mut values = std::mem::take(&mut batch.values);
        values.clear();
        self.function.forward_batch(self.weight_set(batch.weight_set), batch, &mut values);
        self.output.value_all(&mut values);
        batch.values = values;
    }

    fn take(&self, batch: &mut EncodedBatch, nth: usize, out: &mut Evaluation) {
        out.begin(batch.weight_set).copy_from(&batch.positions()[nth]);
        self.reevaluate(out);
    }
}

impl<F: Function, S: StepSize> Network for Parametric<F, S> {
    fn reevaluate(&self, evaluation: &mut Evaluation) -> f32 {
        let Evaluation { weight_set, encoding, hidden, .. } = evaluation;
        let weights = self.weight_set(*weight_set);
        evaluation.sum = self.function.forward(weights, &encoding.inputs, hidden);
        (evaluation.value, evaluation.slope) = self.output.value_and_slope(evaluation.sum);
        evaluation.value
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        match settings.form {
            TraceForm::Dense | TraceForm::Horizon { steps: 1 } => {
                Ok(Trace::new(settings, self.weights.values.len()))
            }
            TraceForm::Horizon { .. } | TraceForm::Sparse => Err(Invalid(
                "this network uses most of its weights in each position and supports dense traces \
                 only; use trace.form = \"dense\""
                    .into(),
            )),
        }
    }

    fn accumulate(&self, evaluation: &Evaluation, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => {
                // Now, because the gradient depends on the weights before the update.
                let Evaluation { weight_set, encoding, slope, hidden, .. } =
                    horizon.push(evaluation);
                let weights = self.weight_set(*weight_set);
                self.function.backward(weights, &encoding.inputs, *slope, hidden);
            }
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.slope = evaluation.slope;
                self.add_gradient(evaluation, 1.0, &mut dense.gradient);
                dense.accumulate();
            }
            Trace::Sparse(_) => unreachable!("new_trace makes no sparse trace"),
        }
    }

    fn update_trace(&mut self, trace: &Trace, error: f32) {
        let size = self.set_range(0).end;
        let Parametric { weights, alpha, step_factors, .. } = self;
        match trace {
            Trace::Horizon(horizon) => {
                horizon.entries.iter().for_each(|newest| self.update_newest(newest, error));
            }
            Trace::Dense(dense) if S::CONSTANT => {
                let sets = weights.values.chunks_mut(size);
                for (weights, traces) in sets.zip(dense.eligibility.chunks(size)) {
                    for (range, factor) in &*step_factors {
                        let (weights, traces) =
                            (&mut weights[range.clone()], &traces[range.clone()]);
                        add_scaled(weights, *alpha * factor * error, traces);
                    }
                }
            }
            Trace::Dense(dense) => weights.update_dense(dense, error, |index| {
                *alpha * step_factor(step_factors, index % size)
            }),
            Trace::Sparse(_) => unreachable!("new_trace makes no sparse trace"),
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
        self.weights.tensors(self.set_range(0).end)
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.weights.tensors_mut(self.set_range(0).end)
    }

    fn fused(&self) -> Option<&dyn FusedNetwork> {
        None
    }

    fn parallel(&mut self) -> Option<&mut dyn ParallelNetwork> {
        None
    }
}

impl<F: Function, S: StepSize> Differentiable for Parametric<F, S> {
    fn add_gradient(&self, evaluation: &Evaluation, factor: f32, out: &mut [f32]) {
        let (inputs, slope) = (&evaluation.encoding.inputs, evaluation.slope);
        let mut hidden = evaluation.hidden.clone();
        self.function.backward(self.weight_set(evaluation.weight_set), inputs, slope, &mut hidden);
        let out = &mut out[self.set_range(evaluation.weight_set)];
        self.function.gradient(inputs, slope, &hidden).for_each(|row| {
            add_scaled(&mut out[row.start..], factor * row.factor, row.numbers);
        });
    }
}
