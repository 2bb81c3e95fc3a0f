//! Networks of neurons in layers, with backpropagation (Rumelhart and others 1986; Tesauro 1992).

mod learning;
mod rows;
mod shape;

use crate::stepsize::StepSize;
use crate::vector::{add_scaled, dot, list_changed, list_nonzero, sigmoid_all, tanh_all};
use crate::{
    Active, Init, Net, Output, Sight, Store, Tensor, TensorMut, Trace, TraceForm, TraceKind,
    TraceSettings, Weights,
};
use ludens_core::{Invalid, Rng};
use rows::add_rows;
use shape::Shape;
use std::sync::atomic::{AtomicU64, Ordering};

/// A network of fully connected layers with one output.
///
/// Inputs that are zero cost nothing, and neighbours of a position are evaluated by the inputs that
/// changed.
#[derive(Clone, Debug)]
pub struct Mlp<S: StepSize> {
    shape: Shape,
    weights: Weights<S>,
    banks: usize,
    neuron: Neuron,
    output: Output,
    rate: f32,
    shares: Vec<f32>,
    /// A name for the weights as they are now, which no other weights ever have.
    version: u64,
}

/// What a hidden neuron does with its sum.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Neuron {
    /// Squashes it into (0, 1): the Fermi function 1 / (1 + e^-x).
    Sigmoid,
    /// Squashes it into (-1, 1).
    Tanh,
}

/// How a network is made.
#[derive(Clone, Debug, PartialEq)]
pub struct MlpSettings {
    /// How many numbers it reads.
    pub inputs: usize,
    /// Neurons in each hidden layer, from the inputs to the output.
    pub hidden: Vec<usize>,
    /// Whether each neuron has one more weight, whose input is always one.
    pub bias: bool,
    /// What hidden neurons do.
    pub neuron: Neuron,
    /// What becomes of the sum at the output.
    pub output: Output,
    /// Sets of weights.
    pub banks: usize,
    /// What weights are at first.
    pub init: Init,
    /// The learning rate (alpha).
    pub rate: f32,
    /// What each layer of weights gets of the rate, from the inputs to the output; one if empty.
    pub shares: Vec<f32>,
}

impl Neuron {
    #[inline]
    fn answer_all(self, sums: &mut [f32]) {
        match self {
            Neuron::Sigmoid => sigmoid_all(sums),
            Neuron::Tanh => tanh_all(sums),
        }
    }

    /// The derivative where the answer is `answer`.
    #[inline]
    fn slope(self, answer: f32) -> f32 {
        match self {
            Neuron::Sigmoid => answer * (1.0 - answer),
            Neuron::Tanh => 1.0 - answer * answer,
        }
    }
}

impl<S: StepSize> Mlp<S> {
    /// A network with these settings.
    ///
    /// # Errors
    ///
    /// If there is no hidden neuron, or not one share of the rate for each layer of weights.
    pub fn new(settings: MlpSettings, rule: S, rng: &mut Rng) -> Result<Mlp<S>, Invalid> {
        let MlpSettings { inputs, hidden, bias, neuron, output, banks, init, rate, mut shares } =
            settings;
        if hidden.is_empty() || hidden.contains(&0) {
            return Err(Invalid(format!(
                "expected at least one neuron in each of at least one hidden layer, found {hidden:?}"
            )));
        }
        let shape = Shape::new(inputs, &hidden, bias);
        if shares.is_empty() {
            shares = vec![1.0; shape.layers.len()];
        }
        if shares.len() != shape.layers.len() {
            return Err(Invalid(format!(
                "expected a share of the rate for each of {} layers of weights, found {shares:?}",
                shape.layers.len()
            )));
        }
        let weights = Weights::new(banks * shape.bank_size, init, rule, rng);
        Ok(Mlp { shape, weights, banks, neuron, output, rate, shares, version: new_version() })
    }

    fn bank(&self, bank: usize) -> &[f32] {
        &self.weights.values[bank * self.shape.bank_size..][..self.shape.bank_size]
    }

    /// Evaluates the inputs that `active` names from nothing.
    fn evaluate(&self, active: &mut Active) -> f32 {
        let inputs = active.sight.inputs.len();
        debug_assert_eq!(inputs, self.shape.inputs, "as many inputs as the network reads");
        active.version = self.version;
        active.hidden.resize(self.shape.hidden_len(), 0.0);
        list_nonzero(&active.sight.inputs, &mut active.indices);
        let weights = &self.bank(active.bank)[self.shape.weights(0)];
        let sums = &mut active.hidden[..self.shape.first];
        start_sums(sums, &weights[inputs * sums.len()..]);
        add_rows(sums, weights, &active.indices, |i| active.sight.inputs[i]);
        self.conclude(active)
    }

    /// Evaluates `sight` from the sums in `active`, which belong to the inputs `old`.
    ///
    /// What `active` lists afterwards is the inputs that changed.
    fn shift(&self, old: &[f32], sight: &Sight, active: &mut Active) -> f32 {
        let weights = &self.bank(active.bank)[self.shape.weights(0)];
        let (new, sums) = (&sight.inputs, &mut active.hidden[..self.shape.first]);
        list_changed(new, old, &mut active.indices);
        add_rows(sums, weights, &active.indices, |i| new[i] - old[i]);
        self.conclude(active)
    }

    /// Whether fewer inputs changed since `from` than are not zero, and its sums are of now.
    fn is_near(&self, from: &Active, sight: &Sight) -> bool {
        let (mut changed, mut used) = (0, 0);
        for (new, old) in sight.inputs.iter().zip(&from.sight.inputs) {
            changed += u32::from(new != old);
            used += u32::from(*new != 0.0);
        }
        from.version == self.version && changed < used
    }

    /// Works out answers, sum, value and slope from the sums of the first layer.
    fn conclude(&self, active: &mut Active) -> f32 {
        let (weights, first) = (self.bank(active.bank), self.shape.first);
        active.hidden.copy_within(..first, first);
        self.neuron.answer_all(&mut active.hidden[self.shape.answers(0)]);
        let outer = self.shape.layers.len() - 1;
        for layer in 1..outer {
            let answers = self.shape.answers(layer);
            let (before, sums) = active.hidden[..answers.end].split_at_mut(answers.start);
            let received = &before[self.shape.answers(layer - 1)];
            let weights = &weights[self.shape.weights(layer)];
            start_sums(sums, &weights[received.len() * sums.len()..]);
            for (row, &factor) in weights.chunks_exact(sums.len()).zip(received) {
                add_scaled(sums, factor, row);
            }
            self.neuron.answer_all(sums);
        }
        let received = &active.hidden[self.shape.answers(outer - 1)];
        let (rows, bias) = weights[self.shape.weights(outer)].split_at(received.len());
        active.sum = dot(rows, received) + bias.first().unwrap_or(&0.0);
        (active.value, active.slope) = self.output.value_and_slope(active.sum);
        active.value
    }

    /// Appends the derivative of the value by the sum of each neuron, the output's last.
    fn errors(&self, active: &Active, out: &mut Vec<f32>) {
        let (weights, base) = (self.bank(active.bank), out.len());
        let outer = self.shape.layers.len() - 1;
        out.resize(base + self.shape.neurons + 1, active.slope);
        let errors = &mut out[base..];
        for layer in (0..outer).rev() {
            let answers = self.shape.layers[layer].answers;
            let received = &active.hidden[self.shape.answers(layer)];
            let (errors, next) = errors[answers..].split_at_mut(received.len());
            let next = &next[..self.shape.layers[layer + 1].to];
            let rows = &weights[self.shape.weights(layer + 1)];
            if let &[slope] = next {
                for ((error, answer), weight) in errors.iter_mut().zip(received).zip(rows) {
                    *error = slope * weight * self.neuron.slope(*answer);
                }
            } else {
                let rows = rows.chunks_exact(next.len());
                for ((error, answer), row) in errors.iter_mut().zip(received).zip(rows) {
                    *error = dot(row, next) * self.neuron.slope(*answer);
                }
            }
        }
    }
}

/// A name for weights that changed; it never names a fresh `Active`, which has zero.
///
/// Counted over all networks: a copy that goes on to learn is not taken for its original.
fn new_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Begins sums with the bias, if there is one.
fn start_sums(sums: &mut [f32], bias: &[f32]) {
    if bias.is_empty() {
        sums.fill(0.0);
    } else {
        sums.copy_from_slice(bias);
    }
}

impl<S: StepSize> Net for Mlp<S> {
    fn banks(&self) -> usize {
        self.banks
    }

    fn bank_size(&self) -> usize {
        self.shape.bank_size
    }

    fn activate(&self, sight: &Sight, bank: usize, active: &mut Active) -> f32 {
        active.bank = bank;
        active.sight.copy_from(sight);
        self.evaluate(active)
    }

    fn advance(&self, sight: &Sight, active: &mut Active) -> f32 {
        if !self.is_near(active, sight) {
            return self.activate(sight, active.bank, active);
        }
        let old = std::mem::take(&mut active.sight.inputs);
        let value = self.shift(&old, sight, active);
        active.sight.inputs = old;
        active.sight.copy_from(sight);
        list_nonzero(&sight.inputs, &mut active.indices);
        value
    }

    fn peek(&self, from: &Active, sight: &Sight, scratch: &mut Active) -> f32 {
        if !self.is_near(from, sight) {
            return self.activate(sight, from.bank, scratch);
        }
        scratch.bank = from.bank;
        scratch.hidden.resize(self.shape.hidden_len(), 0.0);
        scratch.hidden[..self.shape.first].copy_from_slice(&from.hidden[..self.shape.first]);
        self.shift(&from.sight.inputs, sight, scratch)
    }

    fn refresh(&self, active: &mut Active) -> f32 {
        self.evaluate(active)
    }

    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        let steps = match settings.form {
            TraceForm::Sparse => {
                return Err(Invalid(
                    "a network uses all its weights: its trace is dense or a horizon, not sparse"
                        .into(),
                ));
            }
            TraceForm::Horizon { steps } => steps,
            TraceForm::Dense => 1,
        };
        if steps > 1 && (!S::PLAIN || settings.kind == TraceKind::Replacing) {
            return Err(Invalid(
                "a network keeps a horizon of several steps only for accumulating traces and a \
                 constant step size; expected a dense trace"
                    .into(),
            ));
        }
        Ok(self.empty_trace(settings))
    }

    fn mark(&self, active: &Active, trace: &mut Trace) {
        debug_assert_eq!(active.version, self.version, "what is marked is fresh");
        self.mark_trace(active, trace);
    }

    fn learn(&mut self, trace: &Trace, error: f32) {
        self.version = new_version();
        self.learn_trace(trace, error);
    }

    fn end_batch(&mut self) {
        self.version = new_version();
        self.weights.settle();
    }

    fn add_gradient(&self, active: &Active, factor: f32, out: &mut [f32]) {
        let mut errors = Vec::new();
        self.errors(active, &mut errors);
        let out = &mut out[active.bank * self.shape.bank_size..][..self.shape.bank_size];
        self.shape.each_used_strip(active, &errors, |strip| {
            add_scaled(&mut out[strip.start..], factor * strip.factor, strip.numbers);
        });
    }

    fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    fn rate(&self) -> f32 {
        self.rate
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.shape.bank_size)
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        self.version = new_version();
        self.weights.tensors_mut(self.shape.bank_size)
    }
}

#[cfg(test)]
mod tests;
