//! What the tests of step sizes share.

use super::{Push, StepSize};
use ludens_core::Rng;

/// A push with this error of a weight with this activity, where the output is linear.
pub(super) fn push(error: f32, input: f32) -> Push {
    Push { rate: 0.5, error, trace: input, input, slope: 1.0 }
}

/// How far one weight moves with each push.
pub(super) fn steps<S: StepSize>(rule: &S, pushes: &[Push]) -> Vec<f32> {
    let mut memory = rule.start();
    let mut bound = f32::INFINITY;
    let step = |push: &Push| {
        let sum = rule.measure(&mut memory, push);
        let measured = rule.conclude(&mut bound, sum);
        rule.step(&mut memory, push, measured)
    };
    pushes.iter().map(step).collect()
}

/// How far each of several weights moves, for errors and the activities of the weights.
pub(super) fn steps_together<S: StepSize, const N: usize>(
    rule: &S,
    pushes: &[(f32, [f32; N])],
) -> Vec<f32> {
    let mut memory = [rule.start(); N];
    let (mut bound, mut found) = (f32::INFINITY, Vec::new());
    for (error, inputs) in pushes {
        let pushes = inputs.map(|input| push(*error, input));
        let measured = memory.iter_mut().zip(&pushes).map(|(m, p)| rule.measure(m, p)).sum();
        let measured = rule.conclude(&mut bound, measured);
        found.extend(memory.iter_mut().zip(&pushes).map(|(m, p)| rule.step(m, p, measured)));
    }
    found
}

pub(super) fn assert_close(found: &[f32], expected: &[f32]) {
    let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(close && found.len() == expected.len(), "{found:?} for {expected:?}");
}

/// Checks that the rule is that of one rate for all weights.
pub(super) fn assert_constant(rule: &impl StepSize, rate: f32) {
    let rng = &mut Rng::seeded(3);
    let random = |_| Push {
        rate: 0.5,
        error: rng.between(-1.0, 1.0),
        trace: rng.between(-1.0, 1.0),
        input: rng.between(-1.0, 1.0),
        slope: 0.7,
    };
    let pushes: Vec<Push> = (0..20).map(random).collect();
    let expected: Vec<f32> = pushes.iter().map(|p| rate * p.error * p.trace).collect();
    assert_close(&steps(rule, &pushes), &expected);
}

/// Checks that no sequence of pushes, however wild, leads to steps that are no numbers.
pub(super) fn assert_finite(rule: &impl StepSize) {
    for seed in 0..20 {
        let rng = &mut Rng::seeded(seed);
        let mut wild = || {
            let size = [0.0f32, 1e-30, 1e-6, 1.0, 1e3, 1e6][rng.below(6)];
            if rng.chance(0.5) { size } else { -size }
        };
        let random = |_| {
            let (input, slope) = (wild(), wild().abs().min(1.0));
            Push { rate: 0.1, error: wild(), trace: input * slope + wild().min(1.0), input, slope }
        };
        let pushes: Vec<Push> = (0..500).map(random).collect();
        assert!(steps(rule, &pushes).iter().all(|step| step.is_finite()), "{rule:?}");
    }
}
