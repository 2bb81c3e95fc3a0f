//! Linear functions of features (Konen 2015, appendix B).

use crate::stepsize::{Push, StepSize};
use crate::trace::Horizon;
use crate::vector::{add_scaled, dot};
use crate::{
    Active, Init, Net, Output, Sight, Store, Tensor, TensorMut, Trace, TraceKind, TraceSettings,
    Weights,
};
use ludens_core::{Invalid, Rng};

/// A weighted sum of the inputs.
///
/// The learning rate is not shared between the weights: what a rate means depends on how large the
/// inputs are.
#[derive(Clone, Debug)]
pub struct Linear<S: StepSize> {
    weights: Weights<S>,
    inputs: usize,
    bias: bool,
    banks: usize,
    output: Output,
    rate: f32,
}

/// How a linear function is made.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LinearSettings {
    /// How many numbers it reads.
    pub inputs: usize,
    /// Whether there is one more weight, whose input is always one.
    pub bias: bool,
    /// Sets of weights.
    pub banks: usize,
    /// What becomes of the sum.
    pub output: Output,
    /// What weights are at first.
    pub init: Init,
    /// The learning rate (alpha).
    pub rate: f32,
}

impl<S: StepSize> Linear<S> {
    /// A function with these settings.
    pub fn new(settings: LinearSettings, rule: S, rng: &mut Rng) -> Linear<S> {
        let LinearSettings { inputs, bias, banks, output, init, rate } = settings;
        let weights = Weights::new(banks * (inputs + usize::from(bias)), init, rule, rng);
        Linear { weights, inputs, bias, banks, output, rate }
    }

    fn sum(&self, inputs: &[f32], bank: usize) -> f32 {
        debug_assert_eq!(inputs.len(), self.inputs, "as many inputs as the function was made for");
        let weights = &self.weights.values[bank * self.bank_size()..][..self.bank_size()];
        let bias = if self.bias { weights[self.inputs] } else { 0.0 };
        dot(&weights[..self.inputs], inputs) + bias
    }

    fn learn_horizon(&mut self, trace: &Horizon, error: f32) {
        let (rate, size) = (self.rate, self.bank_size());
        let eligibility = |bank: usize, index: usize| {
            let (mut sum, mut factor) = (0.0, 1.0);
            for entry in &trace.entries {
                let input = if entry.bank == bank { input(entry, index) } else { 0.0 };
                sum += factor * entry.slope * input;
                if trace.kind == TraceKind::Replacing && input != 0.0 {
                    break;
                }
                factor *= trace.decay;
            }
            sum
        };
        let Some(newest) = trace.entries.front() else { return };
        let push = |at: usize| {
            let (bank, index) = (at / size, at % size);
            let input = if bank == newest.bank { input(newest, index) } else { 0.0 };
            let trace = eligibility(bank, index);
            (at, Push { rate, error, trace, input, slope: newest.slope })
        };
        let pushes = (0..self.banks * size).map(push).filter(|(_, push)| push.trace != 0.0);
        self.weights.push_all(pushes);
    }
}

/// The input of the weight with this index in its bank; the bias comes last.
#[inline]
fn input(active: &Active, index: usize) -> f32 {
    active.sight.inputs.get(index).copied().unwrap_or(1.0)
}

impl<S: StepSize> Net for Linear<S> {
    fn banks(&self) -> usize {
        self.banks
    }

    fn bank_size(&self) -> usize {
        self.inputs + usize::from(self.bias)
    }

    fn activate(&self, sight: &Sight, bank: usize, active: &mut Active) -> f32 {
        active.bank = bank;
        active.sight.copy_from(sight);
        self.refresh(active)
    }

    fn peek(&self, from: &Active, sight: &Sight, _: &mut Active) -> f32 {
        self.output.value(self.sum(&sight.inputs, from.bank))
    }

    fn refresh(&self, active: &mut Active) -> f32 {
        active.sum = self.sum(&active.sight.inputs, active.bank);
        (active.value, active.slope) = self.output.value_and_slope(active.sum);
        active.value
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        Ok(Trace::new(settings, self.weights.values.len()))
    }

    fn mark(&self, active: &Active, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => {
                horizon.push(active);
            }
            Trace::Sparse(sparse) => {
                sparse.fade(active.slope);
                let start = active.bank * self.bank_size();
                let inputs = (0..self.bank_size()).map(|index| input(active, index));
                for (index, input) in inputs.enumerate().filter(|(_, input)| *input != 0.0) {
                    sparse.mark((start + index) as u32, input);
                }
            }
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.slope = active.slope;
                self.add_gradient(active, 1.0, &mut dense.gradient);
                dense.mark();
            }
        }
    }

    fn learn(&mut self, trace: &Trace, error: f32) {
        let rate = self.rate;
        match trace {
            Trace::Horizon(horizon) => self.learn_horizon(horizon, error),
            Trace::Sparse(sparse) => self.weights.learn_sparse(sparse, error, rate),
            Trace::Dense(dense) => self.weights.learn_dense(dense, error, |_| rate),
        }
    }

    fn end_batch(&mut self) {
        self.weights.settle();
    }

    fn add_gradient(&self, active: &Active, factor: f32, out: &mut [f32]) {
        let out = &mut out[active.bank * self.bank_size()..][..self.bank_size()];
        add_scaled(&mut out[..self.inputs], factor * active.slope, &active.sight.inputs);
        if self.bias {
            out[self.inputs] += factor * active.slope;
        }
    }

    fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    fn rate(&self) -> f32 {
        self.rate
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.bank_size())
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.weights.tensors_mut(self.inputs + usize::from(self.bias))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TraceForm;
    use crate::stepsize::{Constant, Counting, Tcl, Transfer};
    use crate::testing::{self, OUTPUTS};

    fn settings(output: Output) -> LinearSettings {
        let init = Init::Uniform { low: -0.5, high: 0.5 };
        LinearSettings { inputs: 11, bias: true, banks: 2, output, init, rate: 0.1 }
    }

    fn net(output: Output) -> Linear<Constant> {
        Linear::new(settings(output), Constant, &mut Rng::seeded(1))
    }

    fn sight(rng: &mut Rng) -> Sight {
        testing::inputs(11, rng)
    }

    #[test]
    fn the_value_is_the_weighted_sum_of_the_inputs() {
        let settings = LinearSettings { inputs: 2, banks: 1, ..settings(Output::Linear) };
        let mut net = Linear::new(settings, Constant, &mut Rng::seeded(1));
        net.weights.values = vec![2.0, -3.0, 0.5];
        let sight = Sight { inputs: vec![1.5, 0.25], ..Sight::default() };
        let mut active = Active::default();
        assert_eq!(net.activate(&sight, 0, &mut active), 3.0 - 0.75 + 0.5);
        let mut gradient = [0.0; 3];
        net.add_gradient(&active, 2.0, &mut gradient);
        assert_eq!(gradient, [3.0, 0.5, 2.0]);
    }

    #[test]
    fn keeps_what_nets_promise() {
        for output in OUTPUTS {
            testing::promises(&net(output), sight);
        }
    }

    #[test]
    fn all_forms_of_a_trace_agree() {
        let forms = [TraceForm::Dense, TraceForm::Sparse, TraceForm::Horizon { steps: 10 }];
        for kind in [TraceKind::Accumulating, TraceKind::Replacing] {
            testing::traces_agree(&net(Output::Tanh), &forms, kind, sight);
            let tcl = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 };
            let net = Linear::new(settings(Output::Tanh), tcl, &mut Rng::seeded(1));
            testing::traces_agree(&net, &forms, kind, sight);
        }
    }
}
