use super::*;
use crate::stepsize::{Autostep, Constant, Counting, Tcl, Transfer};
use crate::testing;
use crate::{Init, TraceForm, TraceKind};
use ludens_core::{CellLayout, square_symmetries};

fn layout() -> CellLayout {
    CellLayout::grid(3, 3, 3).with_symmetries(square_symmetries(3))
}

fn settings(output: Output) -> NTupleSettings {
    let init = Init::Uniform { low: -0.1, high: 0.1 };
    NTupleSettings { banks: 2, output, init, rate: 0.5, repeats: Repeats::Once }
}

fn net(output: Output) -> NTuple<Constant> {
    let lookups = Lookups::new(&layout(), vec![vec![0, 1, 4], vec![2, 5]]).unwrap();
    NTuple::new(lookups, settings(output), Constant, &mut Rng::seeded(1))
}

fn sight(rng: &mut Rng) -> Sight {
    Sight { digits: (0..9).map(|_| rng.below(3) as u8).collect(), ..Sight::default() }
}

fn position(digits: [u8; 9]) -> Sight {
    Sight { digits: digits.to_vec(), ..Sight::default() }
}

#[test]
fn an_index_is_a_number_to_the_base_of_the_cell_values() {
    let net = net(Output::Linear);
    assert_eq!((net.bank_size(), net.lookups().len()), (27 + 9, 16));
    let mut active = Active::default();
    net.activate(&position([1, 2, 0, 0, 1, 0, 0, 0, 0]), 0, &mut active);
    assert_eq!(net.indices(&active)[..2], [1 + 2 * 3 + 9, 27]);
}

#[test]
fn symmetric_boards_have_the_same_value() {
    let (net, layout, mut active) = (net(Output::Tanh), layout(), Active::default());
    let board = sight(&mut Rng::seeded(5));
    let value = net.activate(&board, 1, &mut active);
    for symmetry in &layout.symmetries {
        let mut image = board.clone();
        (0..9).for_each(|i| image.digits[usize::from(symmetry[i])] = board.digits[i]);
        assert!((net.activate(&image, 1, &mut active) - value).abs() < 1e-6);
    }
}

/// Nets over boards that are known by heart, that are not, and of too many look-ups for a byte.
fn nets() -> Vec<NTuple<Constant>> {
    let large = CellLayout::grid(4, 4, 3).with_symmetries(square_symmetries(4));
    let net = |tuples| {
        let lookups = Lookups::new(&large, tuples).unwrap();
        NTuple::new(lookups, settings(Output::Tanh), Constant, &mut Rng::seeded(1))
    };
    let many: Vec<Vec<u16>> = (0..15).map(|cell| vec![cell, cell + 1]).cycle().take(40).collect();
    vec![self::net(Output::Tanh), net(vec![vec![0, 1, 4], vec![2, 5, 7]]), net(many)]
}

#[test]
fn stepping_to_a_neighbour_is_the_same_as_starting_there() {
    for net in nets() {
        let (cells, rng) = (if net.needs_base() { 16 } else { 9 }, &mut Rng::seeded(2));
        let mut board = Sight { digits: vec![0; cells], ..Sight::default() };
        let (mut active, mut scratch, mut fresh) = Default::default();
        net.activate(&board, 1, &mut active);
        for step in 0..200 {
            for _ in 0..step % 4 {
                board.digits[rng.below(cells)] = rng.below(3) as u8;
            }
            let value = net.activate(&board, 1, &mut fresh);
            assert!((net.peek(&active, &board, &mut scratch) - value).abs() < 1e-5);
            net.advance(&board, &mut active);
            assert_eq!(active, fresh);
        }
    }
}

#[test]
fn the_gradient_is_the_derivative() {
    for output in [Output::Linear, Output::Tanh, Output::Sigmoid] {
        let mut net = net(output);
        net.repeats = Repeats::Each;
        let (board, mut active) = (sight(&mut Rng::seeded(9)), Active::default());
        net.activate(&board, 1, &mut active);
        let mut gradient = vec![0.0; 2 * net.bank_size()];
        net.add_gradient(&active, 1.0, &mut gradient);
        for (index, slope) in gradient.iter().enumerate() {
            let mut at = |change: f32| {
                net.weights.values[index] += change;
                net.refresh(&mut active)
            };
            let (step, up) = (1e-2, at(1e-2));
            let difference = (up - at(-2.0 * step)) / (2.0 * step);
            at(step);
            assert!((slope - difference).abs() < 2e-3, "{output:?} weight {index}");
        }
    }
}

#[test]
fn a_rate_of_one_mends_the_whole_error_of_a_linear_net() {
    let mut net = net(Output::Linear);
    net.repeats = Repeats::Each;
    net.set_rate(1.0);
    // No two images of this board meet in the same weight of the first tuple.
    let (board, mut active) = (position([1, 0, 2, 2, 1, 0, 0, 1, 2]), Active::default());
    let value = net.activate(&board, 0, &mut active);
    let mut trace = net.new_trace(&TraceSettings::LATEST).unwrap();
    net.mark(&active, &mut trace);
    net.learn(&trace, 1.0 - value);
    let indices = net.indices(&active);
    let counts = indices.iter().map(|i| indices.iter().filter(|j| *j == i).count());
    let moved = counts.sum::<usize>() as f32 / 16.0;
    let expected = value + moved * (1.0 - value);
    assert!((net.refresh(&mut active) - expected).abs() < 1e-5);
}

/// Weights after a few positions and errors, with traces of one form.
fn learned(form: TraceForm, kind: TraceKind) -> Vec<f32> {
    let mut net = net(Output::Tanh);
    let settings = TraceSettings { decay: 0.7, kind, form };
    let mut trace = net.new_trace(&settings).unwrap();
    let (rng, mut active) = (&mut Rng::seeded(11), Active::default());
    for game in 0..3 {
        for step in 0..6 {
            net.activate(&sight(rng), (game + step) % 2, &mut active);
            net.mark(&active, &mut trace);
            net.learn(&trace, rng.between(-1.0, 1.0));
        }
        trace.clear();
    }
    net.weights.values
}

#[test]
fn all_forms_of_a_trace_agree() {
    for kind in [TraceKind::Accumulating, TraceKind::Replacing] {
        let dense = learned(TraceForm::Dense, kind);
        for form in [TraceForm::Sparse, TraceForm::Horizon { steps: 10 }] {
            let other = learned(form, kind);
            let worst = dense.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-5, "{form:?} {kind:?} differs by {worst}");
        }
        let cut = learned(TraceForm::Horizon { steps: 2 }, kind);
        assert!(dense.iter().zip(&cut).any(|(a, b)| (a - b).abs() > 1e-4));
    }
}

#[test]
fn repeated_indices_are_counted_but_move_a_weight_once() {
    let lookups = Lookups::new(&layout(), vec![vec![4]]).unwrap();
    let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 };
    let settings = NTupleSettings { init: Init::Zero, ..settings(Output::Linear) };
    let mut net = NTuple::new(lookups, settings, rule, &mut Rng::seeded(1));
    let mut active = Active::default();
    net.activate(&position([0; 9]), 0, &mut active);
    let mut trace = net.new_trace(&TraceSettings::LATEST).unwrap();
    net.mark(&active, &mut trace);
    net.learn(&trace, 0.8);
    // The centre is its own image eight times: moved once by 0.5 / 8 * 0.8, counted eight times.
    let tensors = net.tensors();
    assert!((tensors[0].data[0] - 0.05).abs() < 1e-7);
    assert!((tensors[1].data[1] - 6.4).abs() < 1e-5);
}

#[test]
fn merged_repeats_are_learned_as_those_that_are_not() {
    // So many tuples that boards are not known by heart.
    let tuples = (0..9).map(|cell| vec![cell, (cell + 1) % 9]).collect();
    let lookups = Lookups::new(&layout(), tuples).unwrap();
    assert!(!lookups.knows_boards());
    let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.1 };
    let net = NTuple::new(lookups, settings(Output::Tanh), rule, &mut Rng::seeded(1));
    // What is replaced is not merged, and one position replaces nothing.
    let replacing = TraceSettings { kind: TraceKind::Replacing, ..TraceSettings::LATEST };
    testing::settings_agree(&net, &TraceSettings::LATEST, &replacing, sight);
}

#[test]
fn a_step_size_that_measures_sees_each_weight_once() {
    let lookups = || Lookups::new(&layout(), vec![vec![4], vec![0, 1]]).unwrap();
    let rule = Autostep { start: 0.9, meta: 0.1, time: 10.0 };
    for repeats in [Repeats::Once, Repeats::Each] {
        let settings = NTupleSettings { repeats, ..settings(Output::Tanh) };
        let net = NTuple::new(lookups(), settings, rule, &mut Rng::seeded(1));
        let horizon = TraceSettings::LATEST;
        let dense = TraceSettings { form: TraceForm::Dense, ..horizon };
        testing::settings_agree(&net, &horizon, &dense, sight);
        let sparse = TraceSettings { form: TraceForm::Sparse, ..horizon };
        testing::settings_agree(&net, &sparse, &dense, sight);
    }
}

#[test]
fn what_an_older_version_saved_is_found_wherever_weights_lie_now() {
    let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 };
    let net = |layout: &CellLayout| {
        let tuples = vec![vec![0, 1, 5], vec![2, 3], vec![6]];
        let lookups = Lookups::new(layout, tuples).unwrap();
        NTuple::new(lookups, settings(Output::Linear), rule, &mut Rng::seeded(1))
    };
    let counted = CellLayout::grid(3, 3, 4).with_symmetries(square_symmetries(3));
    let (mut old, rng) = (net(&counted), &mut Rng::seeded(3));
    for (i, tensor) in old.tensors_mut().into_iter().enumerate() {
        tensor.data.iter_mut().for_each(|number| *number = i as f32 + rng.unit());
    }
    for layout in [counted.clone().with_packing(2), counted.with_planes(2)] {
        let mut new = net(&layout);
        assert_eq!(new.load_counted("weights", &[0.5; 3]), Err(2 * (64 + 16 + 4)));
        for Tensor { name, data, .. } in old.tensors() {
            new.load_counted(name, &data).unwrap();
        }
        for _ in 0..50 {
            let digits: Vec<u8> = (0..9).map(|_| rng.below(4) as u8).collect();
            let sight = Sight { digits, ..Sight::default() };
            let found = |net: &NTuple<Tcl>| {
                let mut active = Active::default();
                let (value, offset) = (net.activate(&sight, 1, &mut active), net.bank_size());
                let memory = |&i: &u32| net.tensors()[1].data[2 * (offset + i as usize) + 1];
                (value, active.indices.iter().map(memory).collect::<Vec<f32>>())
            };
            assert_eq!(found(&old), found(&new));
        }
    }
}

#[test]
fn banks_that_are_learned_apart_learn_as_together() {
    let rule = Tcl { transfer: Transfer::Identity, counting: Counting::Change, start: 0.0 };
    let lookups = Lookups::new(&layout(), vec![vec![0, 1, 4], vec![2, 5]]).unwrap();
    let mut whole = NTuple::new(lookups, settings(Output::Tanh), rule, &mut Rng::seeded(1));
    let mut divided = whole.clone();
    let learn = |net: &mut dyn Net, number: usize, bank: usize| {
        let trace =
            TraceSettings { decay: 0.5, kind: TraceKind::Replacing, form: TraceForm::Sparse };
        let (rng, mut trace) = (&mut Rng::seeded(number as u64), net.new_trace(&trace).unwrap());
        for _ in 0..20 {
            let mut active = Active::default();
            net.activate(&sight(rng), bank, &mut active);
            net.correct(&mut active, &mut trace, rng.between(-1.0, 1.0));
        }
    };
    (0..2).for_each(|bank| learn(&mut whole, bank, bank));
    let apart = |bank, mut net: Lent<dyn Net>| {
        learn(net.get_mut().expect("nobody else has it"), bank, 0);
        net
    };
    assert_ne!(whole.tensors(), divided.tensors());
    divided.divide(&apart).unwrap();
    assert_eq!(whole.tensors(), divided.tensors());
}
