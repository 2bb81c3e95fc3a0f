//! What every net promises, as checks that the tests of each net call.

use crate::{Active, Net, Output, Sight, Tensor, TraceForm, TraceKind, TraceSettings};
use ludens_core::Rng;

pub(crate) const OUTPUTS: [Output; 3] = [Output::Linear, Output::Tanh, Output::Sigmoid];

/// Random inputs, about half of them zero.
pub(crate) fn inputs(count: usize, rng: &mut Rng) -> Sight {
    let input = |_| if rng.chance(0.5) { 0.0 } else { rng.between(-1.0, 1.0) };
    Sight { inputs: (0..count).map(input).collect(), ..Sight::default() }
}

/// Checks gradient, learning, neighbours and saving with positions from `sight`.
pub(crate) fn promises<N: Net + Clone>(net: &N, sight: impl Fn(&mut Rng) -> Sight) {
    let rng = &mut Rng::seeded(23);
    the_gradient_is_the_derivative(&mut net.clone(), &sight(rng));
    learning_reduces_the_error(&mut net.clone(), &sight(rng));
    neighbours_have_the_value_of_a_fresh_start(&mut net.clone(), rng, &sight);
    learned_weights_can_be_saved_and_loaded(net, rng, &sight);
}

fn the_gradient_is_the_derivative(net: &mut dyn Net, sight: &Sight) {
    let bank = net.banks() - 1;
    let mut active = Active::default();
    let weights = net.banks() * net.bank_size();
    net.activate(sight, bank, &mut active);
    let mut gradient = vec![0.0; weights];
    net.add_gradient(&active, 1.0, &mut gradient);
    let (mut start, step) = (0, 1e-2);
    for tensor in 0..parameters(net).len() {
        let length = parameters(net)[tensor].data.len();
        for index in 0..length {
            let mut at = |change: f32| {
                net.tensors_mut()[tensor].data[index] += change;
                net.activate(sight, bank, &mut active)
            };
            let difference = (at(step) - at(-2.0 * step)) / (2.0 * step);
            at(step);
            let slope = gradient[start + index];
            assert!((slope - difference).abs() < 2e-3, "{slope} {difference} {tensor} {index}");
        }
        start += length;
    }
    assert_eq!(start, weights, "the gradient has one number per weight");
}

/// The tensors that the value depends on; they come first.
fn parameters(net: &dyn Net) -> Vec<Tensor<'_>> {
    let mut tensors = net.tensors();
    tensors.retain(|tensor| tensor.name != "memory" && tensor.name != "bound");
    tensors
}

fn learning_reduces_the_error(net: &mut dyn Net, sight: &Sight) {
    net.set_rate(0.01);
    let mut active = Active::default();
    for (bank, target) in [(0, 0.9), (net.banks() - 1, 0.1)] {
        let before = target - net.activate(sight, bank, &mut active);
        let mut trace = net.new_trace(&TraceSettings::LATEST).unwrap();
        net.mark(&active, &mut trace);
        net.learn(&trace, before);
        let after = target - net.refresh(&mut active);
        assert!(after.abs() < before.abs() && after * before > 0.0, "{before} {after}");
    }
}

fn neighbours_have_the_value_of_a_fresh_start(
    net: &mut dyn Net,
    rng: &mut Rng,
    sight: &impl Fn(&mut Rng) -> Sight,
) {
    let (mut active, mut scratch, mut fresh) = Default::default();
    net.activate(&sight(rng), 1, &mut active);
    let mut trace = net.new_trace(&TraceSettings::LATEST).unwrap();
    for round in 0..100 {
        let (mut next, other) = (active.sight.clone(), sight(rng));
        for _ in 0..round % 4 {
            let place = rng.below(next.inputs.len().max(1));
            next.inputs.iter_mut().skip(place).take(1).for_each(|x| *x = other.inputs[place]);
        }
        next.entry = other.entry;
        let value = net.activate(&next, 1, &mut fresh);
        let peeked = net.peek(&active, &next, &mut scratch);
        assert!((peeked - value).abs() < 1e-5, "{peeked} {value}");
        if round % 3 == 0 {
            net.mark(&fresh, &mut trace);
            net.learn(&trace, rng.between(-0.5, 0.5));
        }
        let value = net.activate(&next, 1, &mut fresh);
        let advanced = net.advance(&next, &mut active);
        assert!((advanced - value).abs() < 1e-5, "{advanced} {value}");
        assert!((active.slope - fresh.slope).abs() < 1e-5 && active.sight == fresh.sight);
        assert!((net.refresh(&mut active) - value).abs() < 1e-5);
    }
}

pub(crate) fn learned_weights_can_be_saved_and_loaded<N: Net + Clone>(
    net: &N,
    rng: &mut Rng,
    sight: &impl Fn(&mut Rng) -> Sight,
) {
    let mut learned = net.clone();
    let mut active = Active::default();
    let mut trace = learned.new_trace(&TraceSettings::LATEST).unwrap();
    for _ in 0..5 {
        learned.activate(&sight(rng), 1, &mut active);
        learned.mark(&active, &mut trace);
        learned.learn(&trace, 0.3);
    }
    let mut loaded = net.clone();
    loaded.grow(learned.bank_size());
    for (to, from) in loaded.tensors_mut().into_iter().zip(learned.tensors()) {
        assert_eq!((to.name, &to.shape), (from.name, &from.shape));
        assert_eq!(from.shape.iter().product::<usize>(), from.data.len());
        to.data.copy_from_slice(&from.data);
    }
    assert_eq!(loaded.tensors(), learned.tensors());
    let expected = learned.refresh(&mut active);
    assert_eq!(loaded.refresh(&mut active), expected);
}

/// Checks that traces of all `forms` teach the same; the first form is the measure.
pub(crate) fn traces_agree<N: Net + Clone>(
    net: &N,
    forms: &[TraceForm],
    kind: TraceKind,
    sight: impl Fn(&mut Rng) -> Sight,
) {
    let settings = |form| TraceSettings { decay: 0.7, kind, form };
    for &form in &forms[1..] {
        settings_agree(net, &settings(forms[0]), &settings(form), &sight);
    }
}

/// Checks that two kinds of trace teach the same.
pub(crate) fn settings_agree<N: Net + Clone>(
    net: &N,
    one: &TraceSettings,
    other: &TraceSettings,
    sight: impl Fn(&mut Rng) -> Sight,
) {
    let (mut a, mut b) = (net.clone(), net.clone());
    assert_close(&learned(&mut a, one, &sight), &learned(&mut b, other, &sight));
}

/// Checks that two nets learn the same.
pub(crate) fn nets_agree(
    one: &(impl Net + Clone),
    other: &(impl Net + Clone),
    form: TraceForm,
    kind: TraceKind,
    sight: impl Fn(&mut Rng) -> Sight,
) {
    let settings = TraceSettings { decay: 0.7, kind, form };
    let (mut a, mut b) = (one.clone(), other.clone());
    assert_close(&learned(&mut a, &settings, &sight), &learned(&mut b, &settings, &sight));
}

fn assert_close(expected: &[f32], found: &[f32]) {
    let differences = expected.iter().zip(found).map(|(a, b)| (a - b).abs());
    let worst = differences.fold(0.0, f32::max);
    assert!(worst < 1e-5 && expected.len() == found.len(), "weights differ by {worst}");
}

/// The weights after a few games of random positions and errors.
fn learned(
    net: &mut dyn Net,
    settings: &TraceSettings,
    sight: &impl Fn(&mut Rng) -> Sight,
) -> Vec<f32> {
    let mut trace = net.new_trace(settings).unwrap();
    let (rng, mut active) = (&mut Rng::seeded(11), Active::default());
    for game in 0..3 {
        for step in 0..6 {
            net.activate(&sight(rng), (game + step) % 2, &mut active);
            net.mark(&active, &mut trace);
            net.learn(&trace, rng.between(-1.0, 1.0));
        }
        trace.clear();
    }
    net.tensors()[0].data.to_vec()
}
