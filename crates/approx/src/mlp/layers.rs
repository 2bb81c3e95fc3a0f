//! The layout of a perceptron's weights.

use ludens_simd::{Kernel, add_scaled};
use std::ops::Range;

/// The weights from one layer of neurons to the next.
///
/// A matrix with one row for each neuron it reads (the bias last) and one column for each neuron it
/// feeds: a row is what one input adds to the sums, and what changes when that input is to blame.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// How many neurons it feeds.
    pub width: usize,
    pub bias: bool,
    /// Where its weights lie in a set.
    pub weights: Range<usize>,
    /// The neurons it feeds, counted over all layers; the output is the last neuron.
    pub neurons: Range<usize>,
}

/// The layers of a network; the last has one neuron, the output.
pub(super) fn layers(inputs: usize, hidden: &[usize], bias: bool) -> Vec<Layer> {
    let (mut read, mut start, mut neuron) = (inputs, 0, 0);
    let layer = |&width: &usize| {
        let end = start + (read + usize::from(bias)) * width;
        let (weights, neurons) = (start..end, neuron..neuron + width);
        (read, start, neuron) = (width, end, neurons.end);
        Layer { width, bias, weights, neurons }
    };
    hidden.iter().chain(&[1]).map(layer).collect()
}

impl Layer {
    /// Starts the sums of the neurons with their bias, or with zero.
    pub(super) fn start_sums(&self, weights: &[f32], sums: &mut [f32]) {
        if self.bias {
            sums.copy_from_slice(&weights[self.weights.end - self.width..self.weights.end]);
        } else {
            sums.fill(0.0);
        }
    }
}

/// Adds each row of a matrix times its factor to `sums`, which is as long as a row.
///
/// Rows whose factor is zero cost nothing.
pub(super) struct AddRows<'a, I> {
    pub sums: &'a mut [f32],
    pub matrix: &'a [f32],
    pub factors: I,
}

impl<I: Iterator<Item = f32>> Kernel for AddRows<'_, I> {
    #[inline(always)]
    fn run(self) {
        let rows = self.matrix.chunks_exact(self.sums.len());
        for (row, factor) in rows.zip(self.factors).filter(|(_, factor)| *factor != 0.0) {
            add_scaled(self.sums, factor, row);
        }
    }
}
