//! Conformance tests that every network passes. They expect networks with two weight sets.

use crate::parametric::{Function, Parametric};
use crate::step::{StepSize, Tcl};
use crate::{
    Differentiable, EncodedBatch, Encoding, Evaluation, Network, Output, TraceForm, TraceKind,
    TraceSettings,
};
use ludens_core::{CellLayout, Packing, Rng};

pub(crate) const OUTPUTS: [Output; 3] = [Output::Linear, Output::Tanh, Output::Sigmoid];
pub(crate) const KINDS: [TraceKind; 2] = [TraceKind::Accumulating, TraceKind::Replacing];

/// Temporal coherence learning: a step size with memory.
pub(crate) fn tcl() -> Tcl {
    Tcl::default()
}

/// Random inputs, about half of them zero.
pub(crate) fn inputs(count: usize, rng: &mut Rng) -> Encoding {
    let input = |_| if rng.chance(0.5) { 0.0 } else { rng.between(-1.0, 1.0) };
    Encoding { inputs: (0..count).map(input).collect(), ..Encoding::default() }
}

/// The board with these cells under each symmetry, packed bit by bit.
pub(crate) fn bitboards(layout: &CellLayout, packing: Packing, cells: &[u8]) -> Vec<[u64; 2]> {
    let image = |symmetry: &Vec<u16>| {
        let mut words = [0; 2];
        for (cell, &from) in symmetry.iter().enumerate() {
            for bit in 0..packing.bits_per_cell {
                let index = packing.bit_index(cells.len(), cell, bit);
                words[index / 64] |= u64::from(cells[usize::from(from)] >> bit & 1) << (index % 64);
            }
        }
        words
    };
    layout.symmetries.iter().map(image).collect()
}

/// Checks gradient, updates, batches and saving with positions from `encode`.
pub(crate) fn check_network<N: Network + Differentiable + Clone>(
    network: &N,
    encode: impl Fn(&mut Rng) -> Encoding,
) {
    let rng = &mut Rng::seeded(23);
    check_gradient(&mut network.clone(), &encode(rng));
    check_update(&mut network.clone(), &encode(rng));
    check_batches(&mut network.clone(), rng, &encode);
    check_saving(network, 0, &encode);
}

/// Checks a function of so many inputs, and that TD(0) is a dense trace without decay.
pub(crate) fn check_parametric<F: Function, S: StepSize>(network: &Parametric<F, S>, count: usize) {
    let encode = |rng: &mut Rng| inputs(count, rng);
    check_network(network, encode);
    let dense = TraceSettings { form: TraceForm::Dense, ..TraceSettings::TD0 };
    check_traces(network, &dense, &TraceSettings::TD0, encode);
    for form in [TraceForm::Sparse, TraceForm::Horizon { steps: 2 }] {
        let error = network.new_trace(&TraceSettings { form, ..dense }).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("use trace.form = \"dense\""), "{error}");
    }
}

/// The gradient is the derivative that finite differences approximate.
fn check_gradient(network: &mut (impl Network + Differentiable), position: &Encoding) {
    let mut evaluation = at(position, 1);
    network.reevaluate(&mut evaluation);
    let mut gradient = vec![0.0; network.tensors()[0].data.len()];
    network.add_gradient(&evaluation, 1.0, &mut gradient);
    for (index, slope) in gradient.into_iter().enumerate() {
        let mut value_after = |change: f32| {
            network.tensors_mut()[0].data[index] += change;
            network.reevaluate(&mut at(position, 1))
        };
        let step = 1e-2;
        let difference = (value_after(step) - value_after(-2.0 * step)) / (2.0 * step);
        value_after(step);
        assert!((slope - difference).abs() < 2e-3, "{slope} {difference} at weight {index}");
    }
}

/// An update returns the error and makes it smaller.
fn check_update(network: &mut dyn Network, position: &Encoding) {
    network.set_step_size(0.01);
    for (weight_set, target) in [(0, 0.9), (1, 0.1)] {
        let mut evaluation = at(position, weight_set);
        let expected = target - network.reevaluate(&mut evaluation);
        let mut trace = network.new_trace(&TraceSettings::TD0).unwrap();
        let before = network.update(&mut evaluation, &mut trace, target);
        network.end_batch();
        let after = target - network.reevaluate(&mut evaluation);
        assert_eq!(before, expected);
        assert!(after.abs() < before.abs() && after * before > 0.0, "{before} {after}");
    }
}

/// A batch has the values of its positions, with and without a parent, while weights change.
fn check_batches(network: &mut dyn Network, rng: &mut Rng, encode: &impl Fn(&mut Rng) -> Encoding) {
    let mut trace = network.new_trace(&TraceSettings::TD0).unwrap();
    let (mut batch, mut taken) = (EncodedBatch::default(), Evaluation::default());
    for round in 0..50 {
        let parent = encode(rng);
        batch.begin(1, round % 2);
        batch.parent = if round % 5 == 4 { Encoding::default() } else { parent.clone() };
        for changes in 0..round % 6 {
            let position = successor(&parent, &encode(rng), changes, rng);
            batch.push().copy_from(&position);
        }
        network.evaluate(&mut batch);
        assert_eq!(batch.values.len(), batch.positions().len());
        for nth in 0..batch.values.len() {
            let mut fresh = at(&batch.positions()[nth], 1);
            let value = network.reevaluate(&mut fresh);
            network.take(&mut batch, nth, &mut taken);
            assert!((batch.values[nth] - value).abs() < 1e-5, "{} {value}", batch.values[nth]);
            assert!((taken.value - value).abs() < 1e-5, "{} {value}", taken.value);
            assert!((taken.slope - fresh.slope).abs() < 1e-5 && taken.weight_set == 1);
        }
        if !batch.values.is_empty() {
            network.update(&mut taken, &mut trace, rng.between(-0.5, 0.5));
        }
    }
}

/// A position in which up to so many inputs or cells differ from the parent's.
fn successor(parent: &Encoding, other: &Encoding, changes: usize, rng: &mut Rng) -> Encoding {
    let mut position = Encoding { entry: other.entry, ..parent.clone() };
    for _ in 0..changes {
        let place = rng.below(parent.inputs.len().max(parent.cells.len()).max(1));
        position.inputs.iter_mut().skip(place).take(1).for_each(|x| *x = other.inputs[place]);
        position.cells.iter_mut().skip(place).take(1).for_each(|x| *x = other.cells[place]);
    }
    position
}

/// A network that loads the tensors of another one becomes its copy.
pub(crate) fn check_saving<N: Network + Clone>(
    network: &N,
    weights_per_set: usize,
    encode: &impl Fn(&mut Rng) -> Encoding,
) {
    let (mut trained, mut loaded) = (network.clone(), network.clone());
    trained.grow(weights_per_set);
    train(&mut trained, &TraceSettings::TD0, encode);
    loaded.grow(weights_per_set);
    for (to, from) in loaded.tensors_mut().into_iter().zip(trained.tensors()) {
        assert_eq!((to.name, &to.shape), (from.name, &from.shape));
        assert_eq!(from.shape.iter().product::<usize>(), from.data.len());
        to.data.copy_from_slice(from.data);
    }
    assert_eq!(loaded.tensors(), trained.tensors());
    let evaluation = &mut at(&encode(&mut Rng::seeded(5)), 1);
    assert_eq!(loaded.reevaluate(evaluation), trained.reevaluate(evaluation));
}

/// Two traces lead to the same weights.
pub(crate) fn check_traces(
    network: &(impl Network + Clone),
    one: &TraceSettings,
    other: &TraceSettings,
    encode: impl Fn(&mut Rng) -> Encoding,
) {
    let expected = train(&mut network.clone(), one, &encode);
    assert_close(&expected, &train(&mut network.clone(), other, &encode));
}

/// Two networks learn the same weights.
pub(crate) fn check_same_training(
    one: &(impl Network + Clone),
    other: &(impl Network + Clone),
    settings: &TraceSettings,
    encode: impl Fn(&mut Rng) -> Encoding,
) {
    let expected = train(&mut one.clone(), settings, &encode);
    assert_close(&expected, &train(&mut other.clone(), settings, &encode));
}

fn assert_close(expected: &[f32], found: &[f32]) {
    let differences = expected.iter().zip(found).map(|(a, b)| (a - b).abs());
    let worst = differences.fold(0.0, f32::max);
    assert!(worst < 1e-5 && expected.len() == found.len(), "weights differ by {worst}");
}

/// Trains for a few games of random positions and errors; returns the weights.
fn train(
    network: &mut dyn Network,
    settings: &TraceSettings,
    encode: &impl Fn(&mut Rng) -> Encoding,
) -> Vec<f32> {
    let mut trace = network.new_trace(settings).unwrap();
    let rng = &mut Rng::seeded(11);
    for game in 0..3 {
        for step in 0..6 {
            let mut evaluation = at(&encode(rng), (game + step) % 2);
            network.reevaluate(&mut evaluation);
            network.accumulate(&evaluation, &mut trace);
            network.update_trace(&trace, rng.between(-1.0, 1.0));
        }
        trace.clear();
    }
    network.tensors()[0].data.to_vec()
}

/// A position that is not yet evaluated.
fn at(position: &Encoding, weight_set: usize) -> Evaluation {
    Evaluation { weight_set, encoding: position.clone(), ..Evaluation::default() }
}
