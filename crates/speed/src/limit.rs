//! What the machine allows.

use crate::Clock;
use ludens_simd::huge_table;
use serde::Serialize;
use std::hint::black_box;

/// How often the memory can be reached in places that nobody can foresee.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Limit {
    /// Independent reads per second of CPU time.
    pub reads: f64,
    /// Independent changes per second of CPU time.
    pub changes: f64,
}

/// Places visited between two looks at the clock.
const ROUND: u64 = 4_000_000;

/// Length of a window in seconds, long enough for the clock of any system.
const WINDOW: f64 = 0.1;

impl Limit {
    /// The limit for a table of so many weights, kept as nets keep theirs: the best of `windows`
    /// windows.
    pub fn measure(weights: usize, windows: usize) -> Limit {
        let mut table = huge_table(weights.max(1), 1.0f32);
        let best = |speeds: &mut dyn Iterator<Item = f64>| speeds.fold(0.0, f64::max);
        let read = |seed: u64| rate(seed, weights, |index, sum| *sum += table[index]);
        let reads = best(&mut (0..windows as u64).map(read));
        let change = |seed: u64| rate(seed, weights, |index, _| table[index] += 1.0);
        let changes = best(&mut (0..windows as u64).map(change));
        Limit { reads, changes }
    }
}

/// Places visited per second: drawn at random, four streams at a time. `visit` gets a sum besides, so
/// that what it reads is used.
#[inline(always)]
fn rate(seed: u64, weights: usize, mut visit: impl FnMut(usize, &mut f32)) -> f64 {
    let mut streams = [1, 2, 3, 4].map(|i| seed.wrapping_mul(97) + i);
    let (clock, mut visited, mut sums) = (Clock::start(), 0, [0.0; 4]);
    loop {
        for _ in 0..ROUND / 4 {
            for (stream, sum) in streams.iter_mut().zip(&mut sums) {
                // The generator of Lehmer and Knuth: cheap, so that the memory is what is measured.
                *stream = stream.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                visit((((*stream >> 32) * weights as u64) >> 32) as usize, sum);
            }
        }
        visited += ROUND;
        let seconds = clock.seconds();
        if seconds >= WINDOW {
            black_box(sums);
            return visited as f64 / seconds;
        }
    }
}
