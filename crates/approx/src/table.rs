//! Tables: one value for each state, without generalisation.

use crate::step::{StepSize, Update};
use crate::weights::{ExclusiveWeights, WeightStore};
use crate::{
    BatchEvaluator, Differentiable, EncodedBatch, Evaluation, FusedNetwork, Network, Output,
    ParallelNetwork, Tensor, TensorMut, Trace, TraceForm, TraceSettings,
};
use ludens_core::Invalid;

/// One weight for each state: V(s) = output(w\[s\]).
///
/// It grows while it learns. A state that was never updated has the initial value.
#[derive(Clone, Debug)]
pub struct Table<S: StepSize> {
    /// The weights of one state lie together, one for each set, so that growing moves none.
    weights: ExclusiveWeights<S>,
    settings: TableSettings,
}

/// The settings of a table.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TableSettings {
    /// The number of weight sets.
    pub weight_sets: usize,
    /// The output function.
    pub output: Output,
    /// The initial value of every weight.
    pub initial: f32,
    /// The step size.
    pub alpha: f32,
}

impl<S: StepSize> Table<S> {
    /// An empty table.
    pub fn new(settings: TableSettings, rule: S) -> Table<S> {
        Table { weights: ExclusiveWeights::from_values(Vec::new(), rule), settings }
    }

    fn index(&self, entry: u32, weight_set: usize) -> usize {
        entry as usize * self.settings.weight_sets + weight_set
    }

    fn sum(&self, entry: u32, weight_set: usize) -> f32 {
        let weight = self.weights.values.get(self.index(entry, weight_set));
        weight.copied().unwrap_or(self.settings.initial)
    }

    /// Makes room for the weight with this index.
    fn grow_to(&mut self, index: usize) {
        self.grow(index / self.settings.weight_sets + 1);
    }
}

impl<S: StepSize> BatchEvaluator for Table<S> {
    fn evaluate(&self, batch: &mut EncodedBatch) {
        let mut values = std::mem::take(&mut batch.values);
        values.clear();
        let sums = batch.positions().iter().map(|at| self.sum(at.entry, batch.weight_set));
        values.extend(sums.map(|sum| self.settings.output.value(sum)));
        batch.values = values;
    }

    fn take(&self, batch: &mut EncodedBatch, nth: usize, out: &mut Evaluation) {
        out.begin(batch.weight_set).copy_from(&batch.positions()[nth]);
        self.reevaluate(out);
    }
}

impl<S: StepSize> Network for Table<S> {
    fn reevaluate(&self, evaluation: &mut Evaluation) -> f32 {
        evaluation.sum = self.sum(evaluation.encoding.entry, evaluation.weight_set);
        (evaluation.value, evaluation.slope) = self.settings.output.value_and_slope(evaluation.sum);
        evaluation.value
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        match settings.form {
            TraceForm::Sparse | TraceForm::Horizon { steps: 1 } => {
                Ok(Trace::new(settings, self.weights.values.len()))
            }
            TraceForm::Horizon { .. } | TraceForm::Dense => Err(Invalid(
                "a table uses one weight in each position and supports sparse traces only; \
                 use trace.form = \"sparse\""
                    .into(),
            )),
        }
    }

    fn accumulate(&self, evaluation: &Evaluation, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => {
                horizon.push(evaluation);
            }
            Trace::Sparse(sparse) => {
                sparse.begin_step(evaluation.slope);
                let index = self.index(evaluation.encoding.entry, evaluation.weight_set);
                sparse.add(index as u32);
            }
            Trace::Dense(_) => unreachable!("new_trace makes no dense trace"),
        }
    }

    fn update_trace(&mut self, trace: &Trace, error: f32) {
        match trace {
            Trace::Horizon(horizon) => {
                let Some(newest) = horizon.entries.front() else { return };
                let index = self.index(newest.encoding.entry, newest.weight_set);
                self.grow_to(index);
                let (alpha, slope) = (self.settings.alpha, newest.slope);
                let update = Update { alpha, error, trace: slope, input: 1.0, slope };
                self.weights.update_each(std::iter::once((index, update)));
            }
            Trace::Sparse(sparse) => {
                if let Some(&last) = sparse.used.iter().max() {
                    self.grow_to(last as usize);
                }
                self.weights.update_sparse(sparse, error, self.settings.alpha);
            }
            Trace::Dense(_) => unreachable!("new_trace makes no dense trace"),
        }
    }

    fn end_batch(&mut self) {
        self.weights.end_batch();
    }

    fn set_step_size(&mut self, alpha: f32) {
        self.settings.alpha = alpha;
    }

    fn grow(&mut self, weights_per_set: usize) {
        let TableSettings { weight_sets, initial, .. } = self.settings;
        self.weights.grow(weights_per_set * weight_sets, initial);
    }

    /// Unlike in other networks, the first dimension is the state, the second the weight set.
    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.settings.weight_sets)
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.weights.tensors_mut(self.settings.weight_sets)
    }

    fn fused(&self) -> Option<&dyn FusedNetwork> {
        None
    }

    fn parallel(&mut self) -> Option<&mut dyn ParallelNetwork> {
        None
    }
}

impl<S: StepSize> Differentiable for Table<S> {
    /// Skips states that are not yet in the table: they have no number in `out`.
    fn add_gradient(&self, evaluation: &Evaluation, factor: f32, out: &mut [f32]) {
        let index = self.index(evaluation.encoding.entry, evaluation.weight_set);
        if let Some(out) = out.get_mut(index) {
            *out += factor * evaluation.slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Constant;
    use crate::testing::{self, OUTPUTS};
    use crate::{Encoding, TraceKind};
    use ludens_core::Rng;

    fn table(output: Output) -> Table<Constant> {
        let settings = TableSettings { weight_sets: 2, output, initial: 0.3, alpha: 0.1 };
        Table::new(settings, Constant)
    }

    fn encode(rng: &mut Rng) -> Encoding {
        Encoding { entry: rng.below(7) as u32, ..Encoding::default() }
    }

    #[test]
    fn passes_the_conformance_tests() {
        for output in OUTPUTS {
            let mut table = table(output);
            table.grow(7);
            testing::check_network(&table, encode);
        }
    }

    #[test]
    fn td0_is_a_sparse_trace_without_decay() {
        let sparse = TraceSettings { form: TraceForm::Sparse, ..TraceSettings::TD0 };
        testing::check_traces(&table(Output::Tanh), &sparse, &TraceSettings::TD0, encode);
    }

    #[test]
    fn sparse_traces_accumulate_or_are_replaced() {
        // State 0, state 1, then state 0 again with decay 0.5: traces 1.25 or 1, and 0.5.
        for (kind, expected) in [(TraceKind::Accumulating, 1.25), (TraceKind::Replacing, 1.0)] {
            let mut table = table(Output::Linear);
            let settings = TraceSettings { decay: 0.5, kind, form: TraceForm::Sparse };
            let mut trace = table.new_trace(&settings).unwrap();
            for entry in [0, 1, 0] {
                let encoding = Encoding { entry, ..Encoding::default() };
                let mut evaluation = Evaluation { encoding, ..Evaluation::default() };
                table.reevaluate(&mut evaluation);
                table.accumulate(&evaluation, &mut trace);
            }
            table.update_trace(&trace, 1.0);
            let found = [table.sum(0, 0), table.sum(1, 0)].map(|value| (value - 0.3) / 0.1);
            assert!(
                (found[0] - expected).abs() < 1e-6 && (found[1] - 0.5).abs() < 1e-6,
                "{found:?}"
            );
        }
    }

    #[test]
    fn updating_a_new_state_grows_the_table() {
        let mut table = table(Output::Linear);
        assert_eq!((table.sum(1000, 1), table.weights.values.len()), (0.3, 0));
        let mut evaluation = Evaluation { weight_set: 1, ..Evaluation::default() };
        evaluation.encoding.entry = 1000;
        let mut trace = table.new_trace(&TraceSettings::TD0).unwrap();
        table.update(&mut evaluation, &mut trace, 1.3);
        assert_eq!(table.weights.values.len(), 2 * 1001);
        assert_eq!([table.sum(1000, 1), table.sum(1000, 0), table.sum(4, 1)], [0.4, 0.3, 0.3]);
    }

    #[test]
    fn a_smaller_table_grows_before_it_is_loaded() {
        let empty = Table::new(table(Output::Tanh).settings, testing::tcl());
        testing::check_saving(&empty, 7, &encode);
    }

    #[test]
    fn other_traces_are_refused() {
        for form in [TraceForm::Dense, TraceForm::Horizon { steps: 2 }] {
            let settings = TraceSettings { form, ..TraceSettings::TD0 };
            let error = table(Output::Linear).new_trace(&settings).map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("use trace.form = \"sparse\""), "{error}");
        }
    }
}
