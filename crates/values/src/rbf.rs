//! Networks of radial basis functions (Broomhead and Lowe 1988; in games: Ito, after Ghory 2004).

use crate::stepsize::StepSize;
use crate::vector::{dot, exp};
use crate::{
    Active, Init, Net, Output, Sight, Store, Tensor, TensorMut, Trace, TraceForm, TraceSettings,
    Weights,
};
use ludens_core::{Invalid, Rng};

/// A weighted sum of bells around centres, where centres and weights are learned.
///
/// ```text
/// bell j = exp(-|x - c_j|^2 / (2 width^2))
/// value  = output(sum of v_j * bell j, + bias)
/// ```
///
/// All bells have one fixed width.
#[derive(Clone, Debug)]
pub struct Rbf<S: StepSize> {
    /// In each bank: the centres one after the other, the weight of each bell, the bias.
    weights: Weights<S>,
    settings: RbfSettings,
}

/// How a network of radial basis functions is made.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RbfSettings {
    /// How many numbers it reads.
    pub inputs: usize,
    /// How many bells there are.
    pub bells: usize,
    /// How wide each bell is; above zero.
    pub width: f32,
    /// What becomes of the sum.
    pub output: Output,
    /// Sets of weights.
    pub banks: usize,
    /// Where centres are at first.
    pub centres: Init,
    /// What the weights of the bells, and the bias, are at first.
    pub init: Init,
    /// The learning rate (alpha).
    pub rate: f32,
    /// What centres get of the rate; zero leaves them where they are.
    pub centre_share: f32,
}

impl<S: StepSize> Rbf<S> {
    /// A network with these settings.
    ///
    /// # Errors
    ///
    /// If the width is not above zero.
    pub fn new(settings: RbfSettings, rule: S, rng: &mut Rng) -> Result<Rbf<S>, Invalid> {
        let RbfSettings { inputs, bells, width, banks, centres, init, .. } = settings;
        if !(width > 0.0 && width.is_finite()) {
            return Err(Invalid(format!("expected a width above zero, found {width}")));
        }
        let bank = |_| {
            let mut values = centres.weights(bells * inputs, rng);
            values.extend(init.weights(bells + 1, rng));
            values
        };
        let values: Vec<f32> = (0..banks).flat_map(bank).collect();
        Ok(Rbf { weights: Weights::from_values(values, rule), settings })
    }

    /// The centres, the weights of the bells, and the bias.
    fn bank(&self, bank: usize) -> (&[f32], &[f32], f32) {
        let RbfSettings { inputs, bells, .. } = self.settings;
        let weights = &self.weights.values[bank * self.bank_size()..][..self.bank_size()];
        let (centres, rest) = weights.split_at(bells * inputs);
        (centres, &rest[..bells], rest[bells])
    }

    fn centre(&self, bell: usize) -> std::ops::Range<usize> {
        bell * self.settings.inputs..(bell + 1) * self.settings.inputs
    }
}

fn distance_squared(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

impl<S: StepSize> Net for Rbf<S> {
    fn banks(&self) -> usize {
        self.settings.banks
    }

    fn bank_size(&self) -> usize {
        self.settings.bells * (self.settings.inputs + 1) + 1
    }

    fn activate(&self, sight: &Sight, bank: usize, active: &mut Active) -> f32 {
        active.bank = bank;
        active.sight.copy_from(sight);
        self.refresh(active)
    }

    fn refresh(&self, active: &mut Active) -> f32 {
        let RbfSettings { bells, width, output, .. } = self.settings;
        let (centres, weights, bias) = self.bank(active.bank);
        let inputs = &active.sight.inputs;
        debug_assert_eq!(inputs.len(), self.settings.inputs, "as many inputs as the net reads");
        let nearness = -0.5 / (width * width);
        active.hidden.clear();
        active.hidden.extend((0..bells).map(|bell| {
            let centre = &centres[self.centre(bell)];
            exp(nearness * distance_squared(inputs, centre))
        }));
        active.sum = dot(&active.hidden, weights) + bias;
        (active.value, active.slope) = output.value_and_slope(active.sum);
        active.value
    }

    /// A trace of the latest position alone is kept as a dense one that does not last.
    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid> {
        let decay = match settings.form {
            TraceForm::Dense => settings.decay,
            TraceForm::Horizon { steps: 1 } => 0.0,
            TraceForm::Horizon { .. } | TraceForm::Sparse => {
                return Err(Invalid(
                    "a network of radial basis functions uses all its weights: its trace is dense \
                     or a horizon of one step"
                        .into(),
                ));
            }
        };
        let settings = TraceSettings { decay, form: TraceForm::Dense, ..*settings };
        Ok(Trace::new(&settings, self.weights.values.len()))
    }

    fn mark(&self, active: &Active, trace: &mut Trace) {
        let Trace::Dense(dense) = trace else { unreachable!("new_trace makes dense traces") };
        dense.gradient.fill(0.0);
        dense.slope = active.slope;
        self.add_gradient(active, 1.0, &mut dense.gradient);
        dense.mark();
    }

    fn learn(&mut self, trace: &Trace, error: f32) {
        let Trace::Dense(dense) = trace else { unreachable!("new_trace makes dense traces") };
        let RbfSettings { inputs, bells, rate, centre_share, .. } = self.settings;
        let bank_size = self.bank_size();
        self.weights.learn_dense(dense, error, |index| {
            if index % bank_size < bells * inputs { rate * centre_share } else { rate }
        });
    }

    fn end_batch(&mut self) {
        self.weights.settle();
    }

    fn add_gradient(&self, active: &Active, factor: f32, out: &mut [f32]) {
        let RbfSettings { bells, width, inputs, .. } = self.settings;
        let (centres, weights, _) = self.bank(active.bank);
        let slope = factor * active.slope;
        let out = &mut out[active.bank * self.bank_size()..][..self.bank_size()];
        for (bell, &height) in active.hidden.iter().enumerate() {
            let span = self.centre(bell);
            let pull = slope * weights[bell] * height / (width * width);
            let places = active.sight.inputs.iter().zip(&centres[span.clone()]);
            for (out, (input, centre)) in out[span].iter_mut().zip(places) {
                *out += pull * (input - centre);
            }
            out[bells * inputs + bell] += slope * height;
        }
        out[bells * (inputs + 1)] += slope;
    }

    fn set_rate(&mut self, rate: f32) {
        self.settings.rate = rate;
    }

    fn rate(&self) -> f32 {
        self.settings.rate
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        self.weights.tensors(self.bank_size())
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        let bank_size = self.bank_size();
        self.weights.tensors_mut(bank_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TraceKind;
    use crate::stepsize::{Constant, Idbd, Loss};
    use crate::testing::{self, OUTPUTS};

    fn settings(output: Output) -> RbfSettings {
        RbfSettings {
            inputs: 5,
            bells: 7,
            width: 1.5,
            output,
            banks: 2,
            centres: Init::Uniform { low: -1.0, high: 1.0 },
            init: Init::Uniform { low: -0.5, high: 0.5 },
            rate: 0.1,
            centre_share: 0.5,
        }
    }

    fn net(settings: RbfSettings) -> Rbf<Constant> {
        Rbf::new(settings, Constant, &mut Rng::seeded(1)).unwrap()
    }

    fn sight(rng: &mut Rng) -> Sight {
        testing::inputs(5, rng)
    }

    #[test]
    fn a_value_is_worked_out_as_on_paper() {
        // Distances squared 0.25 + 1 and 0: bells e^(-1.25 / 8) = 0.8553453 and 1.
        let settings =
            RbfSettings { inputs: 2, bells: 2, width: 2.0, banks: 1, ..settings(Output::Linear) };
        let mut net = net(settings);
        net.weights.values = vec![0.5, 1.0, 1.0, 2.0, 3.0, -1.0, 0.25];
        let sight = Sight { inputs: vec![1.0, 2.0], ..Sight::default() };
        let value = net.activate(&sight, 0, &mut Active::default());
        assert!((value - (3.0 * 0.855_345_3 - 1.0 + 0.25)).abs() < 1e-6, "{value}");
    }

    #[test]
    fn keeps_what_nets_promise() {
        for output in OUTPUTS {
            testing::promises(&net(settings(output)), sight);
        }
        let rule = Idbd { start: -5.0, meta: 0.1, loss: Loss::Squared };
        let net = Rbf::new(settings(Output::Tanh), rule, &mut Rng::seeded(1)).unwrap();
        testing::promises(&net, sight);
    }

    #[test]
    fn the_latest_position_alone_is_a_trace_that_does_not_last() {
        let net = net(settings(Output::Tanh));
        let dense = TraceSettings { form: TraceForm::Dense, ..TraceSettings::LATEST };
        let latest = TraceSettings { decay: 0.7, ..TraceSettings::LATEST };
        testing::settings_agree(&net, &latest, &dense, sight);
    }

    #[test]
    fn centres_without_a_share_of_the_rate_stay() {
        let mut net = net(RbfSettings { centre_share: 0.0, ..settings(Output::Tanh) });
        let (before, mut active) = (net.clone(), Active::default());
        let mut trace = net.new_trace(&TraceSettings::LATEST).unwrap();
        net.activate(&sight(&mut Rng::seeded(5)), 1, &mut active);
        net.mark(&active, &mut trace);
        net.learn(&trace, 1.0);
        assert_eq!(net.bank(1).0, before.bank(1).0);
        assert_ne!(net.bank(1).1, before.bank(1).1);
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_reason() {
        let flat = RbfSettings { width: 0.0, ..settings(Output::Tanh) };
        let message = Rbf::new(flat, Constant, &mut Rng::seeded(1)).map(|_| ()).unwrap_err();
        assert!(message.to_string().contains("above zero"));
        for form in [TraceForm::Sparse, TraceForm::Horizon { steps: 3 }] {
            let wanted = TraceSettings { decay: 0.5, kind: TraceKind::Accumulating, form };
            let message = net(settings(Output::Tanh)).new_trace(&wanted).map(|_| ()).unwrap_err();
            assert!(message.to_string().contains("its trace is dense"));
        }
    }
}
