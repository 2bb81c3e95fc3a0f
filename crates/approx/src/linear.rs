//! Linear functions of features (Konen 2015, appendix B).

use crate::parametric::{Function, GradientRow, Parametric};
use crate::step::StepSize;
use crate::weights::ExclusiveWeights;
use crate::{Init, Output};
use ludens_core::Rng;
use ludens_simd::dot;

/// A weighted sum of the inputs: V(s) = output(w x(s) + bias).
///
/// Unlike in n-tuple networks, alpha is not divided by the number of weights.
pub type Linear<S> = Parametric<LinearFunction, S>;

/// The settings of a linear function.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LinearSettings {
    /// The number of inputs.
    pub inputs: usize,
    /// Whether there is a weight whose input is always one.
    pub bias: bool,
    /// The number of weight sets.
    pub weight_sets: usize,
    /// The output function.
    pub output: Output,
    /// The initial weights.
    pub init: Init,
    /// The step size.
    pub alpha: f32,
}

impl<S: StepSize> Linear<S> {
    /// A linear function with these settings.
    pub fn new(settings: LinearSettings, rule: S, rng: &mut Rng) -> Linear<S> {
        let LinearSettings { inputs, bias, weight_sets, output, init, alpha } = settings;
        let size = inputs + usize::from(bias);
        let weights = ExclusiveWeights::new(weight_sets * size, init, rule, rng);
        let function = LinearFunction { bias };
        Parametric { function, weights, output, alpha, step_factors: vec![(0..size, 1.0)] }
    }
}

/// Reads one weight per input, then the bias.
#[derive(Copy, Clone, Debug)]
pub struct LinearFunction {
    bias: bool,
}

impl Function for LinearFunction {
    fn forward(&self, weights: &[f32], inputs: &[f32], _: &mut Vec<f32>) -> f32 {
        let (weights, bias) = weights.split_at(inputs.len());
        dot(weights, inputs) + bias.first().unwrap_or(&0.0)
    }

    fn backward(&self, _: &[f32], _: &[f32], _: f32, _: &mut Vec<f32>) {}

    fn gradient<'a>(
        &'a self,
        inputs: &'a [f32],
        slope: f32,
        _: &'a [f32],
    ) -> impl Iterator<Item = GradientRow<'a>> + Clone {
        let row = move |start, numbers| GradientRow { start, factor: slope, numbers };
        let bias = self.bias.then(|| row(inputs.len(), &[1.0]));
        std::iter::once(row(0, inputs)).chain(bias)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Constant;
    use crate::testing::{self, OUTPUTS};
    use crate::{Differentiable, Evaluation, Network};

    fn settings(output: Output) -> LinearSettings {
        let init = Init { low: -0.5, high: 0.5 };
        LinearSettings { inputs: 11, bias: true, weight_sets: 2, output, init, alpha: 0.1 }
    }

    #[test]
    fn the_value_is_the_weighted_sum_of_the_inputs() {
        let settings = LinearSettings { inputs: 2, weight_sets: 1, ..settings(Output::Linear) };
        let mut network = Linear::new(settings, Constant, &mut Rng::seeded(1));
        network.weights.values = vec![2.0, -3.0, 0.5];
        let mut evaluation = Evaluation::default();
        evaluation.encoding.inputs = vec![1.5, 0.25];
        assert_eq!(network.reevaluate(&mut evaluation), 3.0 - 0.75 + 0.5);
        let mut gradient = [0.0; 3];
        network.add_gradient(&evaluation, 2.0, &mut gradient);
        assert_eq!(gradient, [3.0, 0.5, 2.0]);
    }

    #[test]
    fn passes_the_conformance_tests() {
        for output in OUTPUTS {
            let settings = settings(output);
            for bias in [false, true] {
                let new = |rng| Linear::new(LinearSettings { bias, ..settings }, Constant, rng);
                testing::check_parametric(&new(&mut Rng::seeded(1)), 11);
            }
            let network = Linear::new(settings, testing::tcl(), &mut Rng::seeded(1));
            testing::check_parametric(&network, 11);
        }
    }
}
