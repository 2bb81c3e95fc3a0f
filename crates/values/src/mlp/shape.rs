//! Where the weights of a network lie, and which numbers its gradient is made of.

use crate::Active;
use std::ops::Range;

/// The layers of a network.
///
/// A bank holds the weights layer by layer. The weights of a layer are a matrix with one row for
/// each neuron that they come from (the bias last) and one column for each that they lead to: a row
/// is what one input adds to the sums, and what changes when that input is at fault.
///
/// ```text
/// Active::hidden   sums of layer 1 | answers of layer 1 | answers of layer 2 | ...
/// errors           layer 1 | layer 2 | ... | output (the slope)
/// ```
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub layers: Vec<Layer>,
    pub inputs: usize,
    pub bank_size: usize,
    /// How many strips the gradient consists of.
    pub parts: usize,
    /// Neurons in the first hidden layer, and in all.
    pub first: usize,
    pub neurons: usize,
}

/// The weights from one layer of neurons to the next.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Neurons they come from, without the bias.
    pub from: usize,
    /// Neurons they lead to.
    pub to: usize,
    pub bias: bool,
    /// Where its weights start in the bank.
    pub start: usize,
    /// The number of its first strip.
    pub part: usize,
    /// Where the answers of the neurons that it leads to start among all answers.
    pub answers: usize,
}

/// Neighbouring weights whose gradient is one number times a row of numbers.
pub(super) struct Strip<'a> {
    /// Its number among all strips of the bank.
    pub part: usize,
    pub layer: usize,
    /// Where its weights start in the bank.
    pub start: usize,
    pub factor: f32,
    pub numbers: &'a [f32],
}

impl Shape {
    pub(super) fn new(inputs: usize, hidden: &[usize], bias: bool) -> Shape {
        let (mut layers, mut bank_size, mut parts, mut answers) = (Vec::new(), 0, 0, 0);
        let mut from = inputs;
        for (layer, &to) in hidden.iter().chain(&[1]).enumerate() {
            layers.push(Layer { from, to, bias, start: bank_size, part: parts, answers });
            let rows = from + usize::from(bias);
            bank_size += rows * to;
            // The one column of the output is one strip; elsewhere each row is.
            parts += if layer == hidden.len() { 1 + usize::from(bias) } else { rows };
            answers += to;
            from = to;
        }
        let (first, neurons) = (hidden[0], hidden.iter().sum());
        Shape { layers, inputs, bank_size, parts, first, neurons }
    }

    /// The weights of one layer, bias included.
    pub(super) fn weights(&self, layer: usize) -> Range<usize> {
        let Layer { from, to, bias, start, .. } = self.layers[layer];
        start..start + (from + usize::from(bias)) * to
    }

    /// Which layer a weight of the bank belongs to.
    pub(super) fn layer_of(&self, index: usize) -> usize {
        self.layers.partition_point(|layer| layer.start <= index) - 1
    }

    /// Where the answers of the hidden neurons of one layer lie in `Active::hidden`.
    pub(super) fn answers(&self, layer: usize) -> Range<usize> {
        let Layer { to, answers, .. } = self.layers[layer];
        self.first + answers..self.first + answers + to
    }

    /// The length of `Active::hidden`.
    pub(super) fn hidden_len(&self) -> usize {
        self.first + self.neurons
    }

    /// Visits the strips of a gradient in the order of the weights.
    #[inline]
    pub(super) fn each_strip<'a>(
        &self,
        active: &'a Active,
        errors: &'a [f32],
        visit: impl FnMut(Strip<'a>),
    ) {
        self.each_strip_of(active, errors, 0..self.inputs, visit);
    }

    /// The same without the strips of inputs that are zero, which `active` must list.
    #[inline]
    pub(super) fn each_used_strip<'a>(
        &self,
        active: &'a Active,
        errors: &'a [f32],
        visit: impl FnMut(Strip<'a>),
    ) {
        self.each_strip_of(active, errors, active.indices.iter().map(|&i| i as usize), visit);
    }

    /// The same without the strips of any input.
    #[inline]
    pub(super) fn each_inner_strip<'a>(
        &self,
        active: &'a Active,
        errors: &'a [f32],
        visit: impl FnMut(Strip<'a>),
    ) {
        self.each_strip_of(active, errors, std::iter::empty(), visit);
    }

    /// Visits the strips of the listed inputs and of all neurons.
    #[inline]
    fn each_strip_of<'a>(
        &self,
        active: &'a Active,
        errors: &'a [f32],
        inputs: impl Iterator<Item = usize>,
        mut visit: impl FnMut(Strip<'a>),
    ) {
        let outer = self.layers.len() - 1;
        let errors_of = |layer: &Layer| &errors[layer.answers..layer.answers + layer.to];
        let mut row = |layer: usize, row: usize, factor: f32| {
            let place = &self.layers[layer];
            let (part, start) = (place.part + row, place.start + row * place.to);
            visit(Strip { part, layer, start, factor, numbers: errors_of(place) });
        };
        inputs.for_each(|i| row(0, i, active.sight.inputs[i]));
        for layer in 0..outer {
            if layer > 0 {
                let received = active.hidden[self.answers(layer - 1)].iter().enumerate();
                received.for_each(|(i, &factor)| row(layer, i, factor));
            }
            if self.layers[layer].bias {
                row(layer, self.layers[layer].from, 1.0);
            }
        }
        let Layer { part, start, from, bias, .. } = self.layers[outer];
        let numbers = &active.hidden[self.answers(outer - 1)];
        let errors = errors_of(&self.layers[outer]);
        visit(Strip { part, layer: outer, start, factor: errors[0], numbers });
        if bias {
            let (part, start) = (part + 1, start + from);
            visit(Strip { part, layer: outer, start, factor: 1.0, numbers: errors });
        }
    }

    /// Visits each strip's number, layer and place in the bank.
    #[inline]
    pub(super) fn each_part(&self, mut visit: impl FnMut(usize, usize, Range<usize>)) {
        let outer = self.layers.len() - 1;
        for (layer, &Layer { to, bias, start, from, part, .. }) in self.layers.iter().enumerate() {
            if layer == outer {
                visit(part, layer, start..start + from);
                if bias {
                    visit(part + 1, layer, start + from..start + from + 1);
                }
            } else {
                for row in 0..from + usize::from(bias) {
                    visit(part + row, layer, start + row * to..start + (row + 1) * to);
                }
            }
        }
    }
}
