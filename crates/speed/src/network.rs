//! How fast a network of neurons learns from one position.

use ludens_core::{Invalid, Rng};
use ludens_values::mlp::{Mlp, MlpSettings, Neuron};
use ludens_values::stepsize::Constant;
use ludens_values::{Active, Init, Net, Output, Sight, TraceSettings};

/// Inputs and hidden neurons of TD-Gammon (Tesauro 1992).
const INPUTS: usize = 198;
const HIDDEN: usize = 80;

/// Positions that are learned in turn.
const POSITIONS: usize = 64;

/// Learns so many positions one by one: each is evaluated, and the weights go one step toward a
/// target. One in `one_in` inputs of a position is not zero.
pub(crate) fn online_steps(one_in: usize) -> Result<Box<dyn FnMut(u64) -> u64>, Invalid> {
    let (rng, range) = (&mut Rng::seeded(1), Init::Uniform { low: -0.1, high: 0.1 });
    let settings = MlpSettings {
        inputs: INPUTS,
        hidden: vec![HIDDEN],
        bias: true,
        neuron: Neuron::Sigmoid,
        output: Output::Sigmoid,
        banks: 1,
        init: range,
        rate: 0.1,
        shares: Vec::new(),
    };
    let mut net = Mlp::new(settings, Constant, rng)?;
    let input = |rng: &mut Rng| if rng.below(one_in) == 0 { rng.between(0.1, 1.0) } else { 0.0 };
    let position =
        |_| Sight { inputs: (0..INPUTS).map(|_| input(rng)).collect(), ..Sight::default() };
    let positions: Vec<Sight> = (0..POSITIONS).map(position).collect();
    let (mut trace, mut active) = (net.new_trace(&TraceSettings::LATEST)?, Active::default());
    Ok(Box::new(move |steps| {
        for step in 0..steps as usize {
            let value = net.activate(&positions[step % POSITIONS], 0, &mut active);
            net.mark(&active, &mut trace);
            net.learn(&trace, (step % 2) as f32 - value);
        }
        steps
    }))
}
