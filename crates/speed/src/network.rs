//! How fast a multilayer perceptron learns from one position.

use ludens_approx::mlp::{Activation, MlpSettings};
use ludens_approx::{
    Evaluation, Init, NetworkSpec, Output, StepRule, TraceSettings, build_network,
};
use ludens_core::{Invalid, Rng};

/// Inputs and hidden neurons of TD-Gammon (Tesauro 1992).
const INPUTS: usize = 198;
const HIDDEN: usize = 80;

/// Positions that are learned in turn.
const POSITIONS: usize = 64;

/// Learns so many positions one by one: each is evaluated, and the weights go one step toward a
/// target. One in `one_in` inputs of a position is not zero.
pub(crate) fn online_steps(one_in: usize) -> Result<Box<dyn FnMut(u64) -> u64>, Invalid> {
    let (rng, range) = (&mut Rng::seeded(1), Init { low: -0.1, high: 0.1 });
    let settings = MlpSettings {
        inputs: INPUTS,
        hidden: vec![HIDDEN],
        bias: true,
        activation: Activation::Sigmoid,
        output: Output::Sigmoid,
        weight_sets: 1,
        init: range,
        alpha: 0.1,
        layer_factors: Vec::new(),
    };
    let rule = StepRule::Constant;
    let mut network = build_network(NetworkSpec::Mlp(settings), rule, rng)?;
    let input = |rng: &mut Rng| if rng.below(one_in) == 0 { rng.between(0.1, 1.0) } else { 0.0 };
    let position = |_| -> Vec<f32> { (0..INPUTS).map(|_| input(rng)).collect() };
    let positions: Vec<Vec<f32>> = (0..POSITIONS).map(position).collect();
    let (mut trace, mut evaluation) =
        (network.new_trace(&TraceSettings::TD0)?, Evaluation::default());
    Ok(Box::new(move |steps| {
        for step in 0..steps as usize {
            evaluation.begin(0).inputs.clone_from(&positions[step % POSITIONS]);
            network.update(&mut evaluation, &mut trace, (step % 2) as f32);
        }
        steps
    }))
}
