//! Radial basis function networks (Broomhead and Lowe 1988; in games: Ito, after Ghory 2004).

use crate::parametric::{Function, GradientRow, Parametric};
use crate::step::StepSize;
use crate::weights::ExclusiveWeights;
use crate::{Init, Output};
use ludens_core::{Invalid, Rng};
use ludens_simd::{dot, exp};

/// A weighted sum of Gaussians around centres; training moves both.
///
/// ```text
/// phi_j = exp(-|x - c_j|^2 / (2 width^2))
/// V     = output(sum of v_j * phi_j, + bias)
/// ```
///
/// All Gaussians have one fixed width.
pub type Rbf<S> = Parametric<RbfFunction, S>;

/// The settings of a radial basis function network.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RbfSettings {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of Gaussians.
    pub centres: usize,
    /// The standard deviation of each Gaussian; above zero.
    pub width: f32,
    /// The output function.
    pub output: Output,
    /// The number of weight sets.
    pub weight_sets: usize,
    /// The initial centres.
    pub centre_init: Init,
    /// The initial weights of the Gaussians, and the initial bias.
    pub init: Init,
    /// The step size.
    pub alpha: f32,
    /// The factor on alpha for centres; zero keeps them fixed.
    pub centre_factor: f32,
}

impl<S: StepSize> Rbf<S> {
    /// A network with these settings.
    ///
    /// # Errors
    ///
    /// If the width is not above zero.
    pub fn new(settings: RbfSettings, rule: S, rng: &mut Rng) -> Result<Rbf<S>, Invalid> {
        let RbfSettings { inputs, centres, width, output, weight_sets, alpha, .. } = settings;
        if !(width > 0.0 && width.is_finite()) {
            return Err(Invalid(format!("expected a width above zero, found {width}")));
        }
        let set = |_| {
            let mut values = settings.centre_init.weights(centres * inputs, rng);
            values.extend(settings.init.weights(centres + 1, rng));
            values
        };
        let values = (0..weight_sets).flat_map(set).collect();
        let weights = ExclusiveWeights::from_values(values, rule);
        let (split, end) = (centres * inputs, centres * (inputs + 1) + 1);
        let step_factors = vec![(0..split, settings.centre_factor), (split..end, 1.0)];
        let function = RbfFunction { centres, width };
        Ok(Parametric { function, weights, output, alpha, step_factors })
    }
}

/// Reads the centres one after the other, the weight of each Gaussian, then the bias.
#[derive(Copy, Clone, Debug)]
pub struct RbfFunction {
    centres: usize,
    width: f32,
}

impl Function for RbfFunction {
    /// Writes the Gaussians to `hidden`.
    fn forward(&self, weights: &[f32], inputs: &[f32], hidden: &mut Vec<f32>) -> f32 {
        let (centres, weights) = weights.split_at(self.centres * inputs.len());
        let scale = -0.5 / (self.width * self.width);
        hidden.clear();
        hidden.extend(centres.chunks_exact(inputs.len()).map(|centre| {
            let distances = inputs.iter().zip(centre).map(|(x, c)| (x - c) * (x - c));
            exp(scale * distances.sum::<f32>())
        }));
        dot(hidden, &weights[..self.centres]) + weights[self.centres]
    }

    /// Appends the gradient of the centres: dV/dc_j = slope v_j phi_j (x - c_j) / width^2.
    fn backward(&self, weights: &[f32], inputs: &[f32], slope: f32, hidden: &mut Vec<f32>) {
        let (centres, weights) = weights.split_at(self.centres * inputs.len());
        for (j, centre) in centres.chunks_exact(inputs.len()).enumerate() {
            let scale = slope * weights[j] * hidden[j] / (self.width * self.width);
            hidden.extend(inputs.iter().zip(centre).map(|(x, c)| scale * (x - c)));
        }
    }

    /// Adds the gradient of the weights: dV/dv_j = slope phi_j.
    fn gradient<'a>(
        &'a self,
        inputs: &'a [f32],
        slope: f32,
        hidden: &'a [f32],
    ) -> impl Iterator<Item = GradientRow<'a>> + Clone {
        let (gaussians, centres) = hidden.split_at(self.centres);
        let (weights, bias) = (self.centres * inputs.len(), self.centres * (inputs.len() + 1));
        [(0, 1.0, centres), (weights, slope, gaussians), (bias, slope, &[1.0][..])]
            .into_iter()
            .map(|(start, factor, numbers)| GradientRow { start, factor, numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Constant;
    use crate::testing::{self, OUTPUTS};
    use crate::{Evaluation, Network, TraceSettings};

    fn settings(output: Output) -> RbfSettings {
        RbfSettings {
            inputs: 5,
            centres: 7,
            width: 1.5,
            output,
            weight_sets: 2,
            centre_init: Init { low: -1.0, high: 1.0 },
            init: Init { low: -0.5, high: 0.5 },
            alpha: 0.1,
            centre_factor: 0.5,
        }
    }

    fn network(settings: RbfSettings) -> Rbf<Constant> {
        Rbf::new(settings, Constant, &mut Rng::seeded(1)).unwrap()
    }

    #[test]
    fn a_value_worked_out_by_hand() {
        // Distances squared 0.25 + 1 and 0: Gaussians e^(-1.25 / 8) = 0.8553453 and 1.
        let settings = RbfSettings { inputs: 2, centres: 2, ..settings(Output::Linear) };
        let mut network = network(RbfSettings { width: 2.0, weight_sets: 1, ..settings });
        network.weights.values = vec![0.5, 1.0, 1.0, 2.0, 3.0, -1.0, 0.25];
        let mut evaluation = Evaluation::default();
        evaluation.encoding.inputs = vec![1.0, 2.0];
        let value = network.reevaluate(&mut evaluation);
        assert!((value - (3.0 * 0.855_345_3 - 1.0 + 0.25)).abs() < 1e-6, "{value}");
    }

    #[test]
    fn passes_the_conformance_tests() {
        for output in OUTPUTS {
            testing::check_parametric(&network(settings(output)), 5);
            let rng = &mut Rng::seeded(1);
            testing::check_parametric(&Rbf::new(settings(output), testing::tcl(), rng).unwrap(), 5);
        }
    }

    #[test]
    fn centres_whose_factor_is_zero_stay() {
        let mut network = network(RbfSettings { centre_factor: 0.0, ..settings(Output::Tanh) });
        let (before, mut evaluation) = (network.clone(), Evaluation::default());
        let mut trace = network.new_trace(&TraceSettings::TD0).unwrap();
        *evaluation.begin(1) = testing::inputs(5, &mut Rng::seeded(5));
        network.update(&mut evaluation, &mut trace, 1.0);
        let parts = |network: &Rbf<Constant>| {
            let (centres, weights) = network.weight_set(1).split_at(5 * 7);
            (centres.to_vec(), weights.to_vec())
        };
        assert_eq!(parts(&network).0, parts(&before).0);
        assert_ne!(parts(&network).1, parts(&before).1);
    }

    #[test]
    fn a_width_of_zero_is_refused() {
        let flat = RbfSettings { width: 0.0, ..settings(Output::Tanh) };
        let error = Rbf::new(flat, Constant, &mut Rng::seeded(1)).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("above zero"), "{error}");
    }
}
