//! What the machine allows.

use crate::Clock;
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

/// Reads in one window.
const READS: u64 = 4_000_000;

impl Limit {
    /// The limit for a table of so many weights: the best of `windows` windows.
    pub fn measure(weights: usize, windows: usize) -> Limit {
        let mut table = vec![1.0f32; weights.max(1)];
        let best = |speeds: &mut dyn Iterator<Item = f64>| speeds.fold(0.0, f64::max);
        let read = |window: u64| {
            let (clock, mut sum) = (Clock::start(), 0.0);
            places(window, weights, |index| sum += table[index]);
            black_box(sum);
            READS as f64 / clock.seconds()
        };
        let reads = best(&mut (0..windows as u64).map(read));
        let change = |window: u64| {
            let clock = Clock::start();
            places(window, weights, |index| table[index] += 1.0);
            READS as f64 / clock.seconds()
        };
        let changes = best(&mut (0..windows as u64).map(change));
        Limit { reads, changes }
    }
}

/// Calls `visit` with places of a table drawn at random, four streams at a time.
#[inline(always)]
fn places(seed: u64, weights: usize, mut visit: impl FnMut(usize)) {
    let mut streams = [1, 2, 3, 4].map(|i| seed.wrapping_mul(97) + i);
    for _ in 0..READS / 4 {
        for stream in &mut streams {
            // The generator of Lehmer and Knuth: cheap, so that the memory is what is measured.
            *stream = stream.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            visit((((*stream >> 32) * weights as u64) >> 32) as usize);
        }
    }
}
