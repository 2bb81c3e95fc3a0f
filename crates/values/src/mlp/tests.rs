use super::*;
use crate::stepsize::{Constant, Counting, Tcl, Transfer};
use crate::testing::{self, OUTPUTS};

fn settings(hidden: &[usize], output: Output) -> MlpSettings {
    MlpSettings {
        inputs: 11,
        hidden: hidden.to_vec(),
        bias: true,
        neuron: Neuron::Sigmoid,
        output,
        banks: 2,
        init: Init::Uniform { low: -0.5, high: 0.5 },
        rate: 0.1,
        shares: Vec::new(),
    }
}

fn net(settings: MlpSettings) -> Mlp<Constant> {
    Mlp::new(settings, Constant, &mut Rng::seeded(1)).unwrap()
}

fn sight(rng: &mut Rng) -> Sight {
    testing::inputs(11, rng)
}

fn tcl() -> Tcl {
    Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 }
}

#[test]
fn a_value_is_worked_out_as_on_paper() {
    // Sums 0.5 * 1 - 1 * 2 + 0.1 = -1.4 and 0.25 * 1 + 0.5 * 2 - 0.2 = 1.05;
    // answers 0.197816 and 0.740775; output 2 * 0.197816 - 0.740775 + 0.3 = -0.045142.
    let settings = MlpSettings { inputs: 2, banks: 1, ..settings(&[2], Output::Linear) };
    let mut net = net(settings);
    net.weights.values = vec![0.5, 0.25, -1.0, 0.5, 0.1, -0.2, 2.0, -1.0, 0.3];
    let sight = Sight { inputs: vec![1.0, 2.0], ..Sight::default() };
    let value = net.activate(&sight, 0, &mut Active::default());
    assert!((value + 0.045_142).abs() < 1e-5, "{value}");
}

#[test]
fn networks_of_every_shape_keep_what_nets_promise() {
    for hidden in [&[1][..], &[20], &[9, 7], &[5, 1, 8]] {
        for output in OUTPUTS {
            testing::promises(&net(settings(hidden, output)), sight);
        }
        let plain =
            MlpSettings { bias: false, neuron: Neuron::Tanh, ..settings(hidden, Output::Linear) };
        testing::promises(&net(plain.clone()), sight);
        testing::promises(&Mlp::new(plain, tcl(), &mut Rng::seeded(1)).unwrap(), sight);
    }
}

#[test]
fn all_forms_of_a_trace_agree() {
    for hidden in [&[8][..], &[6, 5]] {
        let net = net(settings(hidden, Output::Tanh));
        let forms = [TraceForm::Dense, TraceForm::Horizon { steps: 10 }];
        testing::traces_agree(&net, &forms, TraceKind::Accumulating, sight);
        // Coherence with one-sided counters is the constant rate, on the way of any step size.
        for kind in [TraceKind::Accumulating, TraceKind::Replacing] {
            let transfer = Transfer::Exponential { beta: 0.0 };
            let rule = Tcl { transfer, ..tcl() };
            let any = Mlp::new(settings(hidden, Output::Tanh), rule, &mut Rng::seeded(1)).unwrap();
            testing::nets_agree(&net, &any, TraceForm::Dense, kind, sight);
        }
    }
}

#[test]
fn the_latest_position_alone_is_a_trace_that_does_not_last() {
    let latest = TraceSettings::LATEST;
    let dense = TraceSettings { form: TraceForm::Dense, ..latest };
    let net = net(settings(&[8], Output::Tanh));
    let other = Mlp::new(settings(&[8], Output::Tanh), tcl(), &mut Rng::seeded(1)).unwrap();
    testing::settings_agree(&net, &latest, &dense, sight);
    testing::settings_agree(&other, &latest, &dense, sight);
}

#[test]
fn each_layer_gets_its_share_of_the_rate() {
    let moved = |shares: &[f32]| {
        let settings = MlpSettings { shares: shares.to_vec(), ..settings(&[3], Output::Linear) };
        let mut net = net(settings);
        let (before, mut active) = (net.weights.values.clone(), Active::default());
        net.activate(&sight(&mut Rng::seeded(3)), 0, &mut active);
        let mut trace = net.new_trace(&TraceSettings::LATEST).unwrap();
        net.mark(&active, &mut trace);
        net.learn(&trace, 1.0);
        let moves = net.weights.values.iter().zip(before).map(|(a, b)| (a - b).abs());
        let (first, second) = (net.shape.weights(0).end, net.shape.weights(1).end);
        let moves: Vec<f32> = moves.collect();
        (moves[..first].iter().sum::<f32>(), moves[first..second].iter().sum::<f32>())
    };
    let (both, first, second) = (moved(&[]), moved(&[1.0, 0.0]), moved(&[0.0, 0.5]));
    assert_eq!((first.0, first.1, second.0), (both.0, 0.0, 0.0));
    assert!((second.1 - both.1 / 2.0).abs() < 1e-6);
}

#[test]
fn impossible_settings_are_refused_with_the_reason() {
    let message = |settings| {
        Mlp::new(settings, Constant, &mut Rng::seeded(1)).map(|_| ()).unwrap_err().to_string()
    };
    assert!(message(settings(&[], Output::Tanh)).contains("at least one neuron"));
    assert!(message(settings(&[3, 0], Output::Tanh)).contains("[3, 0]"));
    let settings = MlpSettings { shares: vec![1.0], ..settings(&[3], Output::Tanh) };
    assert!(message(settings).contains("each of 2 layers"));
    let net = net(self::settings(&[3], Output::Tanh));
    let refuse = |kind, form| {
        net.new_trace(&TraceSettings { decay: 0.5, kind, form })
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(refuse(TraceKind::Accumulating, TraceForm::Sparse).contains("not sparse"));
    let horizon = TraceForm::Horizon { steps: 2 };
    assert!(refuse(TraceKind::Replacing, horizon).contains("expected a dense trace"));
}

#[test]
fn sums_of_a_copy_that_learned_are_not_taken_for_its_own() {
    let net = net(settings(&[4], Output::Linear));
    let mut copies = [net.clone(), net.clone()];
    let (start, mut active) = (sight(&mut Rng::seeded(3)), Active::default());
    net.activate(&start, 0, &mut active);
    for (copy, error) in copies.iter_mut().zip([1.0, -1.0]) {
        let mut trace = copy.new_trace(&TraceSettings::LATEST).unwrap();
        copy.refresh(&mut active);
        copy.mark(&active, &mut trace);
        copy.learn(&trace, error);
    }
    copies[0].activate(&start, 0, &mut active);
    let (mut scratch, mut fresh) = Default::default();
    let expected = copies[1].activate(&start, 0, &mut fresh);
    assert_eq!(copies[1].peek(&active, &start, &mut scratch), expected);
}
