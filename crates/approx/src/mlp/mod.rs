//! Multi-layer perceptrons with backpropagation (Rumelhart et al. 1986; in games: Tesauro 1992).

mod layers;
#[cfg(test)]
mod tests;

use crate::parametric::{Function, GradientRow, Parametric};
use crate::step::StepSize;
use crate::weights::ExclusiveWeights;
use crate::{EncodedBatch, Init, Output};
use layers::{AddRows, Layer, layers};
use ludens_core::{Invalid, Rng};
use ludens_simd::{dispatch_simd, dot, sigmoid_all, tanh_all};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A network of fully connected layers with one output.
///
/// ```text
/// h_1 = activation(W_1 x + b_1),  h_2 = activation(W_2 h_1 + b_2),  ...,  V = output(w h_n + b)
/// ```
///
/// Inputs that are zero cost nothing. A batch is evaluated incrementally, as in NNUE: the sums of
/// the first layer are those of the parent plus what the changed inputs contribute.
pub type Mlp<S> = Parametric<MlpFunction, S>;

/// The activation function of hidden neurons.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// 1 / (1 + e^-x).
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
}

/// The settings of a multi-layer perceptron.
#[derive(Clone, Debug, PartialEq)]
pub struct MlpSettings {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of neurons in each hidden layer, from the inputs to the output.
    pub hidden: Vec<usize>,
    /// Whether each neuron has a weight whose input is always one.
    pub bias: bool,
    /// The activation function of hidden neurons.
    pub activation: Activation,
    /// The output function.
    pub output: Output,
    /// The number of weight sets.
    pub weight_sets: usize,
    /// The initial weights.
    pub init: Init,
    /// The step size.
    pub alpha: f32,
    /// The factor on alpha in each layer, from the inputs to the output; all one if empty.
    pub layer_factors: Vec<f32>,
}

impl Activation {
    fn apply(self, sums: &mut [f32]) {
        match self {
            Activation::Sigmoid => sigmoid_all(sums),
            Activation::Tanh => tanh_all(sums),
        }
    }

    /// The derivative where the function is `value`.
    fn slope(self, value: f32) -> f32 {
        match self {
            Activation::Sigmoid => value * (1.0 - value),
            Activation::Tanh => 1.0 - value * value,
        }
    }
}

impl<S: StepSize> Mlp<S> {
    /// A network with these settings.
    ///
    /// # Errors
    ///
    /// If a hidden layer has no neuron, there is none, or a layer has no factor on alpha.
    pub fn new(settings: MlpSettings, rule: S, rng: &mut Rng) -> Result<Mlp<S>, Invalid> {
        let MlpSettings { hidden, mut layer_factors, output, alpha, .. } = settings;
        if hidden.is_empty() || hidden.contains(&0) {
            return Err(Invalid(format!(
                "expected at least one hidden layer and no layer without neurons, found {hidden:?}"
            )));
        }
        let layers = layers(settings.inputs, &hidden, settings.bias);
        if layer_factors.is_empty() {
            layer_factors.resize(layers.len(), 1.0);
        }
        if layer_factors.len() != layers.len() {
            return Err(Invalid(format!(
                "expected a step-size factor for each of {} layers, found {layer_factors:?}",
                layers.len()
            )));
        }
        let ranges = layers.iter().map(|layer| layer.weights.clone());
        let step_factors = ranges.zip(layer_factors).collect();
        let function = MlpFunction { layers, activation: settings.activation };
        let count = settings.weight_sets * function.output_layer().weights.end;
        let weights = ExclusiveWeights::new(count, settings.init, rule, rng);
        Ok(Parametric { function, weights, output, alpha, step_factors })
    }
}

/// Reads the weights layer by layer.
#[derive(Clone, Debug)]
pub struct MlpFunction {
    layers: Vec<Layer>,
    activation: Activation,
}

impl MlpFunction {
    fn output_layer(&self) -> &Layer {
        self.layers.last().expect("a network has an output layer")
    }

    /// The number of hidden neurons.
    fn neurons(&self) -> usize {
        self.output_layer().neurons.start
    }

    /// Replaces the sums of the first layer by the activations of all; returns the output's sum.
    fn propagate(&self, weights: &[f32], hidden: &mut [f32]) -> f32 {
        let mut neurons = self.layers[0].neurons.clone();
        self.activation.apply(&mut hidden[neurons.clone()]);
        for layer in &self.layers[1..self.layers.len() - 1] {
            let (below, sums) = hidden[..layer.neurons.end].split_at_mut(layer.neurons.start);
            layer.start_sums(weights, sums);
            let (matrix, factors) =
                (&weights[layer.weights.clone()], below[neurons].iter().copied());
            dispatch_simd(AddRows { sums, matrix, factors });
            self.activation.apply(sums);
            neurons = layer.neurons.clone();
        }
        let (row, bias) = weights[self.output_layer().weights.clone()].split_at(neurons.len());
        dot(row, &hidden[neurons]) + bias.first().unwrap_or(&0.0)
    }

    fn first_sums(&self, weights: &[f32], inputs: &[f32], sums: &mut [f32]) {
        self.layers[0].start_sums(weights, sums);
        dispatch_simd(AddRows { sums, matrix: weights, factors: inputs.iter().copied() });
    }
}

impl Function for MlpFunction {
    /// Writes the activations of all hidden neurons to `hidden`.
    fn forward(&self, weights: &[f32], inputs: &[f32], hidden: &mut Vec<f32>) -> f32 {
        hidden.resize(self.neurons(), 0.0);
        self.first_sums(weights, inputs, &mut hidden[..self.layers[0].width]);
        self.propagate(weights, hidden)
    }

    /// Appends the error of each neuron, which is dV/dsum; the output's error is the slope.
    fn backward(&self, weights: &[f32], _: &[f32], slope: f32, hidden: &mut Vec<f32>) {
        hidden.resize(2 * self.neurons() + 1, slope);
        let (activations, errors) = hidden.split_at_mut(self.neurons());
        for (layer, above) in self.layers.iter().zip(&self.layers[1..]).rev() {
            let (errors, next) = errors.split_at_mut(above.neurons.start);
            let next = &next[..above.width];
            let rows = weights[above.weights.clone()].chunks_exact(above.width);
            for (neuron, row) in layer.neurons.clone().zip(rows) {
                errors[neuron] = dot(row, next) * self.activation.slope(activations[neuron]);
            }
        }
    }

    /// Yields dV/dw_ij = x_i * error_j, where x_i is what neuron i sends (Rumelhart et al. 1986).
    fn gradient<'a>(
        &'a self,
        inputs: &'a [f32],
        _: f32,
        hidden: &'a [f32],
    ) -> impl Iterator<Item = GradientRow<'a>> + Clone {
        let (activations, errors) = hidden.split_at(self.neurons());
        let below = self.layers.iter().map(|layer| &activations[layer.neurons.clone()]);
        let sent = std::iter::once(inputs).chain(below);
        let hidden_layers = self.layers[..self.layers.len() - 1].iter().zip(sent);
        let rows = hidden_layers.flat_map(move |(layer, sent)| {
            let factors = sent.iter().chain(layer.bias.then_some(&1.0));
            let rows = layer.weights.clone().step_by(layer.width).zip(factors);
            let numbers = &errors[layer.neurons.clone()];
            let row = move |(start, &factor)| GradientRow { start, factor, numbers };
            rows.filter(|(_, factor)| **factor != 0.0).map(row)
        });
        // The matrix of the output is one column: its rows are gathered in one.
        let (layer, factor) = (self.output_layer(), errors[errors.len() - 1]);
        let numbers = &activations[self.layers[self.layers.len() - 2].neurons.clone()];
        let column = GradientRow { start: layer.weights.start, factor, numbers };
        let bias = GradientRow { start: layer.weights.end - 1, factor, numbers: &[1.0] };
        rows.chain([column]).chain(layer.bias.then_some(bias))
    }

    /// Adds to the first sums of the parent what changed, if fewer inputs changed than are active.
    fn forward_batch(&self, weights: &[f32], batch: &mut EncodedBatch, sums: &mut Vec<f32>) {
        let mut hidden = std::mem::take(&mut batch.scratch.hidden);
        let mut accumulated = std::mem::take(&mut batch.accumulators[batch.accumulator].hidden);
        let (parent, positions) = (&batch.parent.inputs, batch.positions());
        let width = self.layers[0].width;
        let incremental = !parent.is_empty() && positions.len() > 1;
        if incremental {
            accumulated.resize(width, 0.0);
            self.first_sums(weights, parent, &mut accumulated);
        }
        let active = parent.iter().filter(|input| **input != 0.0).count();
        for inputs in positions.iter().map(|position| &position.inputs) {
            let pairs = inputs.iter().zip(parent);
            if incremental && pairs.clone().filter(|(new, old)| new != old).count() < active {
                hidden.resize(self.neurons(), 0.0);
                let (first, factors) = (&mut hidden[..width], pairs.map(|(new, old)| new - old));
                first.copy_from_slice(&accumulated);
                dispatch_simd(AddRows { sums: first, matrix: weights, factors });
                sums.push(self.propagate(weights, &mut hidden));
            } else {
                sums.push(self.forward(weights, inputs, &mut hidden));
            }
        }
        batch.scratch.hidden = hidden;
        batch.accumulators[batch.accumulator].hidden = accumulated;
    }
}
