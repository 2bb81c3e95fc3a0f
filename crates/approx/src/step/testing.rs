//! Helpers for the tests of step-size rules.

use super::{StepSize, Update};
use ludens_core::Rng;

/// An update of a weight with this input, where the output is linear.
pub(super) fn update(error: f32, input: f32) -> Update {
    Update { alpha: 0.5, error, trace: input, input, slope: 1.0 }
}

/// Updates in which trace, input and slope all differ.
pub(super) const GENERAL: [Update; 4] = {
    const fn update(error: f32, input: f32, slope: f32, trace: f32) -> Update {
        Update { alpha: 0.5, error, trace, input, slope }
    }
    [
        update(1.0, 2.0, 0.5, 0.7),
        update(0.5, 3.0, 0.5, 1.5),
        update(0.3, 1.6, 0.75, 1.0),
        update(-0.4, 1.5, 0.6, 0.8),
    ]
};

/// The steps of one weight.
pub(super) fn steps<S: StepSize>(rule: &S, updates: &[Update]) -> Vec<f32> {
    let mut memory = rule.initial();
    let mut bound = f32::INFINITY;
    let step = |update: &Update| {
        let sum = rule.contribution(&mut memory, update);
        let norm = rule.normalise(&mut bound, sum);
        rule.step(&mut memory, update, norm)
    };
    updates.iter().map(step).collect()
}

/// The steps of `N` weights that are updated together, for errors and inputs.
pub(super) fn joint_steps<S: StepSize, const N: usize>(
    rule: &S,
    updates: &[(f32, [f32; N])],
) -> Vec<f32> {
    let mut memory = [rule.initial(); N];
    let (mut bound, mut found) = (f32::INFINITY, Vec::new());
    for (error, inputs) in updates {
        let updates = inputs.map(|input| update(*error, input));
        let sum = memory.iter_mut().zip(&updates).map(|(m, u)| rule.contribution(m, u)).sum();
        let norm = rule.normalise(&mut bound, sum);
        found.extend(memory.iter_mut().zip(&updates).map(|(m, u)| rule.step(m, u, norm)));
    }
    found
}

pub(super) fn assert_close(found: &[f32], expected: &[f32]) {
    let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(close && found.len() == expected.len(), "{found:?} for {expected:?}");
}

/// Checks that the rule is that of one constant step size.
pub(super) fn assert_constant(rule: &impl StepSize, alpha: f32) {
    let rng = &mut Rng::seeded(3);
    let random = |_| Update {
        alpha: 0.5,
        error: rng.between(-1.0, 1.0),
        trace: rng.between(-1.0, 1.0),
        input: rng.between(-1.0, 1.0),
        slope: 0.7,
    };
    let updates: Vec<Update> = (0..20).map(random).collect();
    let expected: Vec<f32> = updates.iter().map(|u| alpha * u.error * u.trace).collect();
    assert_close(&steps(rule, &updates), &expected);
}

/// Checks that steps are finite whatever the sizes of errors, inputs and traces.
pub(super) fn assert_finite(rule: &impl StepSize) {
    for seed in 0..20 {
        let rng = &mut Rng::seeded(seed);
        let mut wild = || {
            let size = [0.0f32, 1e-30, 1e-6, 1.0, 1e3, 1e6][rng.below(6)];
            if rng.chance(0.5) { size } else { -size }
        };
        let random = |_| {
            let (input, slope) = (wild(), wild().abs().min(1.0));
            let trace = input * slope + wild().min(1.0);
            Update { alpha: 0.1, error: wild(), trace, input, slope }
        };
        let updates: Vec<Update> = (0..500).map(random).collect();
        assert!(steps(rule, &updates).iter().all(|step| step.is_finite()), "{rule:?}");
    }
}
