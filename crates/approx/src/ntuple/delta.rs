//! How a sum of lookups changes when one digit of the board changes.

use crate::Accumulator;
use ludens_simd::WeightCell;

/// Lookup numbers that fit a byte: as many as a table can have without bounds checks.
pub(super) const BYTE_LOOKUPS: usize = 256;

/// The change of one digit, for all lookups that read it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Delta<'a> {
    /// The lookups that read the digit.
    pub(super) lookups: &'a [u32],
    /// The same as bytes, if every lookup number fits one.
    pub(super) lookup_bytes: &'a [u8],
    /// What the new state adds to the index of each of them.
    pub(super) plus: &'a [u32],
    /// What the old state added.
    pub(super) minus: &'a [u32],
}

/// Lanes of the partial sums.
const LANES: usize = 4;

impl Delta<'_> {
    /// Turns the features before the change into those after it.
    #[inline]
    pub(super) fn apply(&self, features: &mut [u32]) {
        for ((&lookup, &plus), &minus) in self.lookups.iter().zip(self.plus).zip(self.minus) {
            let feature = &mut features[lookup as usize];
            *feature = feature.wrapping_add(plus).wrapping_sub(minus);
        }
    }

    /// What the change adds to the sum of the accumulator, which must have its weights.
    ///
    /// A byte cannot exceed a table of 256 pairs, so that reading it needs no bounds check.
    #[inline]
    pub(super) fn difference<C: WeightCell>(&self, weights: &[C], from: &Accumulator) -> f32 {
        if !self.lookup_bytes.is_empty()
            && let Some(known) = from.weights.first_chunk::<BYTE_LOOKUPS>()
        {
            return self.sum(weights, self.lookup_bytes, |lookup| known[usize::from(lookup)]);
        }
        self.sum(weights, self.lookups, |lookup| from.weights[lookup as usize])
    }

    /// New weights minus old ones; `known` tells the feature and the weight of a lookup before.
    #[inline(always)]
    fn sum<C: WeightCell, L: Copy>(
        &self,
        weights: &[C],
        lookups: &[L],
        known: impl Fn(L) -> (u32, f32),
    ) -> f32 {
        let (lookups, lookups_rest) = lookups.as_chunks::<LANES>();
        let (plus, plus_rest) = self.plus.as_chunks::<LANES>();
        let (minus, minus_rest) = self.minus.as_chunks::<LANES>();
        let (mut removed, mut added) = ([0.0; LANES], [0.0; LANES]);
        let weight =
            |feature: u32, plus, minus| feature.wrapping_add(plus).wrapping_sub(minus) as usize;
        for ((lookups, plus), minus) in lookups.iter().zip(plus).zip(minus) {
            for lane in 0..LANES {
                let (feature, old) = known(lookups[lane]);
                removed[lane] += old;
                added[lane] += weights[weight(feature, plus[lane], minus[lane])].load();
            }
        }
        let rest = lookups_rest.iter().zip(plus_rest).zip(minus_rest);
        for (lane, ((&lookup, &plus), &minus)) in rest.enumerate() {
            let (feature, old) = known(lookup);
            removed[lane] += old;
            added[0] += weights[weight(feature, plus, minus)].load();
        }
        let total = |sums: [f32; LANES]| (sums[0] + sums[2]) + (sums[1] + sums[3]);
        total(added) - total(removed)
    }
}
