//! Random numbers that are the same on every machine.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// The random number generator of Ludens: xoshiro256++, seeded through SplitMix64.
///
/// Functions take the generator as an argument. [`Rng::derived`] makes independent streams, so that
/// a game's random numbers depend only on the seed and the index of the game.
///
/// ```
/// use ludens_core::Rng;
/// let (mut a, mut b) = (Rng::seeded(7), Rng::seeded(7));
/// assert_eq!(a.below(6), b.below(6));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A stream fully determined by `seed`.
    #[inline]
    pub fn seeded(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The independent stream for item `index` of a `purpose` in a run with this `seed`.
    #[inline]
    pub fn derived(seed: u64, purpose: &str, index: u64) -> Rng {
        let purpose = purpose.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
        Rng::seeded(mix(mix(seed ^ purpose) ^ index))
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `[0, 1)`, in steps of 2^-24.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Uniform in `0..n`, by one multiplication; the bias is below n / 2^64.
    ///
    /// `n` is at least one.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0, "nothing to draw from");
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// Shuffles the items (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The finaliser of SplitMix64 after one step: a bijection that looks random.
#[inline]
fn mix(word: u64) -> u64 {
    let mut x = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_never_changes() {
        let mut rng = Rng::seeded(42);
        let first: Vec<u64> = (0..3).map(|_| rng.bits()).collect();
        assert_eq!(
            first,
            [15_021_278_609_987_233_951, 5_881_210_131_331_364_753, 18_149_643_915_985_481_100]
        );
    }

    #[test]
    fn a_stream_that_was_written_goes_on_where_it_was() {
        let mut rng = Rng::seeded(3);
        rng.bits();
        let written = serde_json::to_string(&rng).expect("numbers can be written");
        let mut read: Rng = serde_json::from_str(&written).expect("it was written like this");
        assert_eq!(read.bits(), rng.bits());
    }

    #[test]
    fn derived_streams_differ_in_every_argument() {
        let first = |seed, purpose, index| Rng::derived(seed, purpose, index).bits();
        let all = [first(1, "a", 0), first(2, "a", 0), first(1, "b", 0), first(1, "a", 1)];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b), "{all:?}");
        }
    }

    #[test]
    fn every_number_is_drawn_equally_often() {
        let (mut rng, mut counts) = (Rng::seeded(1), [0; 6]);
        (0..60_000).for_each(|_| counts[rng.below(6)] += 1);
        assert!(counts.iter().all(|n| (9_500..10_500).contains(n)), "{counts:?}");
    }
}
