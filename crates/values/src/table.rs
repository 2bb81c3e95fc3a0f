//! Tables: one value for each state, nothing generalised.

use crate::stepsize::{Push, StepSize};
use crate::trace::Horizon;
use crate::{
    Active, Net, Output, Sight, Store, Tensor, TensorMut, Trace, TraceForm, TraceKind,
    TraceSettings, Weights,
};
use ludens_core::Invalid;

/// One weight for each state, by the number of the state.
///
/// It grows while it learns: a state never learned has the value that all start with.
#[derive(Clone, Debug)]
pub struct Table<S: StepSize> {
    /// The weights of each state lie together, one for each bank, so that growing moves none.
    weights: Weights<S>,
    banks: usize,
    output: Output,
    initial: f32,
    rate: f32,
}

/// How a table is made.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TableSettings {
    /// Sets of weights.
    pub banks: usize,
    /// What becomes of a weight.
    pub output: Output,
    /// What every weight is at first.
    pub initial: f32,
    /// The learning rate (alpha).
    pub rate: f32,
}

impl<S: StepSize> Table<S> {
    /// An empty table.
    pub fn new(settings: TableSettings, rule: S) -> Table<S> {
        let TableSettings { banks, output, initial, rate } = settings;
        Table { weights: Weights::from_values(Vec::new(), rule), banks, output, initial, rate }
    }

    fn index(&self, entry: u32, bank: usize) -> usize {
        entry as usize * self.banks + bank
    }

    fn sum(&self, entry: u32, bank: usize) -> f32 {
        let weight = self.weights.values.get(self.index(entry, bank));
        weight.copied().unwrap_or(self.initial)
    }

    fn learn_horizon(&mut self, trace: &Horizon, error: f32) {
        let mut age = 1.0;
        for (i, entry) in trace.entries.iter().enumerate() {
            let place = |active: &Active| (active.bank, active.sight.entry);
            let again = trace.entries.range(..i).any(|other| place(other) == place(entry));
            if !(again && trace.kind == TraceKind::Replacing) {
                let index = self.index(entry.sight.entry, entry.bank);
                let input = if i == 0 { 1.0 } else { 0.0 };
                let (rate, trace, slope) = (self.rate, age * entry.slope, entry.slope);
                let push = Push { rate, error, trace, input, slope };
                self.reach(index);
                self.weights.push_all(std::iter::once((index, push)));
            }
            age *= trace.decay;
        }
    }

    /// Makes room for the weight with this index.
    fn reach(&mut self, index: usize) {
        let entries = index / self.banks + 1;
        self.weights.grow(entries * self.banks, self.initial);
    }
}

impl<S: StepSize> Net for Table<S> {
    fn banks(&self) -> usize {
        self.banks
    }

    /// How many states it knows by now.
    fn bank_size(&self) -> usize {
        self.weights.values.len() / self.banks
    }

    fn activate(&self, sight: &Sight, bank: usize, active: &mut Active) -> f32 {
        active.bank = bank;
        active.sight.copy_from(sight);
        self.refresh(active)
    }

    fn peek(&self, from: &Active, sight: &Sight, _: &mut Active) -> f32 {
        self.output.value(self.sum(sight.entry, from.bank))
    }

    fn refresh(&self, active: &mut Active) -> f32 {
        active.sum = self.sum(active.sight.entry, active.bank);
        (active.value, active.slope) = self.output.value_and_slope(active.sum);
        active.value
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        if settings.form == TraceForm::Dense {
            return Err(Invalid(
                "a table grows while it learns: its trace is sparse or a horizon, not dense".into(),
            ));
        }
        Ok(Trace::new(settings, self.weights.values.len()))
    }

    fn mark(&self, active: &Active, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => {
                horizon.push(active);
            }
            Trace::Sparse(sparse) => {
                sparse.fade(active.slope);
                sparse.mark(self.index(active.sight.entry, active.bank) as u32, 1.0);
            }
            Trace::Dense(_) => unreachable!("new_trace makes no dense trace"),
        }
    }

    fn learn(&mut self, trace: &Trace, error: f32) {
        match trace {
            Trace::Horizon(horizon) => self.learn_horizon(horizon, error),
            Trace::Sparse(sparse) => {
                if let Some(&last) = sparse.used.iter().max() {
                    self.reach(last as usize);
                }
                self.weights.learn_sparse(sparse, error, self.rate);
            }
            Trace::Dense(_) => unreachable!("new_trace makes no dense trace"),
        }
    }

    fn end_batch(&mut self) {
        self.weights.settle();
    }

    fn grow(&mut self, bank_size: usize) {
        self.weights.grow(bank_size * self.banks, self.initial);
    }

    /// States beyond the table have no place in `out` and are left out.
    fn add_gradient(&self, active: &Active, factor: f32, out: &mut [f32]) {
        if let Some(out) = out.get_mut(self.index(active.sight.entry, active.bank)) {
            *out += factor * active.slope;
        }
    }

    fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    fn rate(&self) -> f32 {
        self.rate
    }

    /// Unlike in other nets, the first dimension is the state, the second the bank.
    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.banks)
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.weights.tensors_mut(self.banks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stepsize::{Constant, Counting, Tcl, Transfer};
    use crate::testing::{self, OUTPUTS};
    use ludens_core::Rng;

    fn settings(output: Output) -> TableSettings {
        TableSettings { banks: 2, output, initial: 0.3, rate: 0.1 }
    }

    fn sight(rng: &mut Rng) -> Sight {
        Sight { entry: rng.below(7) as u32, ..Sight::default() }
    }

    fn at(entry: u32) -> Sight {
        Sight { entry, ..Sight::default() }
    }

    #[test]
    fn keeps_what_nets_promise() {
        for output in OUTPUTS {
            let mut table = Table::new(settings(output), Constant);
            table.grow(7);
            testing::promises(&table, sight);
        }
    }

    #[test]
    fn all_forms_of_a_trace_agree() {
        let forms = [TraceForm::Sparse, TraceForm::Horizon { steps: 10 }];
        for kind in [TraceKind::Accumulating, TraceKind::Replacing] {
            let table = Table::new(settings(Output::Tanh), Constant);
            testing::traces_agree(&table, &forms, kind, sight);
        }
    }

    #[test]
    fn a_table_grows_when_a_new_state_is_learned() {
        let mut table = Table::new(settings(Output::Linear), Constant);
        let mut active = Active::default();
        assert_eq!(table.activate(&at(1000), 1, &mut active), 0.3);
        assert_eq!(table.bank_size(), 0);
        let mut trace = table.new_trace(&TraceSettings::LATEST).unwrap();
        table.mark(&active, &mut trace);
        table.learn(&trace, 1.0);
        assert_eq!((table.bank_size(), table.refresh(&mut active)), (1001, 0.4));
        assert_eq!(table.activate(&at(1000), 0, &mut active), 0.3);
        assert_eq!(table.activate(&at(4), 1, &mut active), 0.3);
    }

    #[test]
    fn a_smaller_table_is_grown_before_loading() {
        let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 };
        let empty = Table::new(settings(Output::Tanh), rule);
        testing::learned_weights_can_be_saved_and_loaded(&empty, &mut Rng::seeded(4), &sight);
    }

    #[test]
    fn a_dense_trace_is_refused() {
        let table = Table::new(settings(Output::Linear), Constant);
        let dense = TraceSettings { form: TraceForm::Dense, ..TraceSettings::LATEST };
        let message = table.new_trace(&dense).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains("sparse or a horizon"), "{message}");
    }
}
