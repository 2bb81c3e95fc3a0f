use super::*;
use crate::step::{Constant, Tcl, Transfer};
use crate::testing::{self, KINDS, OUTPUTS};
use crate::{Evaluation, Network, TraceForm, TraceSettings};

fn settings(hidden: &[usize], output: Output) -> MlpSettings {
    MlpSettings {
        inputs: 11,
        hidden: hidden.to_vec(),
        bias: true,
        activation: Activation::Sigmoid,
        output,
        weight_sets: 2,
        init: Init { low: -0.5, high: 0.5 },
        alpha: 0.1,
        layer_factors: Vec::new(),
    }
}

fn network<S: StepSize>(settings: MlpSettings, rule: S) -> Mlp<S> {
    Mlp::new(settings, rule, &mut Rng::seeded(1)).unwrap()
}

#[test]
fn a_value_worked_out_by_hand() {
    // Sums 0.5 * 1 - 1 * 2 + 0.1 = -1.4 and 0.25 * 1 + 0.5 * 2 - 0.2 = 1.05;
    // activations 0.197816 and 0.740775; output 2 * 0.197816 - 0.740775 + 0.3 = -0.045142.
    let settings = MlpSettings { inputs: 2, weight_sets: 1, ..settings(&[2], Output::Linear) };
    let mut network = network(settings, Constant);
    network.weights.values = vec![0.5, 0.25, -1.0, 0.5, 0.1, -0.2, 2.0, -1.0, 0.3];
    let mut evaluation = Evaluation::default();
    evaluation.encoding.inputs = vec![1.0, 2.0];
    let value = network.reevaluate(&mut evaluation);
    assert!((value + 0.045_142).abs() < 1e-5, "{value}");
}

#[test]
fn networks_of_every_shape_pass_the_conformance_tests() {
    for hidden in [&[1][..], &[20], &[9, 7], &[5, 1, 8]] {
        for output in OUTPUTS {
            testing::check_parametric(&network(settings(hidden, output), Constant), 11);
        }
        let (bias, activation) = (false, Activation::Tanh);
        let settings = MlpSettings { bias, activation, ..settings(hidden, Output::Linear) };
        testing::check_parametric(&network(settings.clone(), Constant), 11);
        testing::check_parametric(&network(settings, testing::tcl()), 11);
    }
}

#[test]
fn constant_steps_agree_with_the_path_of_any_step_size() {
    // Temporal coherence with beta = 0 has a constant step size.
    let encode = |rng: &mut Rng| testing::inputs(11, rng);
    let rule = Tcl { transfer: Transfer::Exponential, beta: 0.0, ..Tcl::default() };
    for hidden in [&[8][..], &[6, 5]] {
        let settings = settings(hidden, Output::Tanh);
        let (constant, any) = (network(settings.clone(), Constant), network(settings, rule));
        for kind in KINDS {
            let trace = TraceSettings { decay: 0.7, kind, form: TraceForm::Dense };
            testing::check_same_training(&constant, &any, &trace, encode);
        }
        testing::check_same_training(&constant, &any, &TraceSettings::TD0, encode);
    }
}

#[test]
fn each_layer_has_its_own_step_size() {
    let moved = |factors: &[f32]| {
        let settings =
            MlpSettings { layer_factors: factors.to_vec(), ..settings(&[3], Output::Linear) };
        let mut network = network(settings, Constant);
        let (before, mut evaluation) = (network.weights.values.clone(), Evaluation::default());
        *evaluation.begin(0) = testing::inputs(11, &mut Rng::seeded(3));
        let mut trace = network.new_trace(&TraceSettings::TD0).unwrap();
        network.update(&mut evaluation, &mut trace, 1.0);
        let moves = network.weights.values.iter().zip(before).map(|(a, b)| (a - b).abs());
        let moves: Vec<f32> = moves.collect();
        [0, 1].map(|layer| moves[network.step_factors[layer].0.clone()].iter().sum::<f32>())
    };
    let (both, first, second) = (moved(&[]), moved(&[1.0, 0.0]), moved(&[0.0, 0.5]));
    assert_eq!((first, second[0]), ([both[0], 0.0], 0.0));
    assert!((second[1] - both[1] / 2.0).abs() < 1e-6);
}

#[test]
fn invalid_settings_are_refused() {
    let error = |settings| {
        Mlp::new(settings, Constant, &mut Rng::seeded(1)).map(|_| ()).unwrap_err().to_string()
    };
    assert!(error(settings(&[], Output::Tanh)).contains("at least one hidden layer"));
    assert!(error(settings(&[3, 0], Output::Tanh)).contains("[3, 0]"));
    let factors = MlpSettings { layer_factors: vec![1.0], ..settings(&[3], Output::Tanh) };
    assert!(error(factors).contains("each of 2 layers"));
}
