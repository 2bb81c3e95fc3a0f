//! What becomes of a sum of look-ups when one digit changes.

use crate::Active;
use crate::active::NEAR;
use crate::bank::Bank;

/// What becomes of the indices that read a digit when it changes.
#[derive(Copy, Clone, Debug)]
pub struct Change<'a> {
    /// The look-ups that read it.
    pub looks: &'a [u32],
    /// The same as bytes, if they have room there.
    pub near: &'a [u8],
    /// What each of their indices gains.
    pub plus: &'a [u32],
    /// What each of their indices loses.
    pub minus: &'a [u32],
}

/// Lanes in which the sums are kept.
const LANES: usize = 4;

impl Change<'_> {
    /// Makes the indices before the change those after it.
    #[inline]
    pub(super) fn apply(&self, indices: &mut [u32]) {
        let mut shift = |look: u32, plus: u32, minus: u32| {
            let index = &mut indices[look as usize];
            *index = index.wrapping_add(plus).wrapping_sub(minus);
        };
        let (looks, looks_rest) = self.looks.as_chunks::<LANES>();
        let (plus, plus_rest) = self.plus.as_chunks::<LANES>();
        let (minus, minus_rest) = self.minus.as_chunks::<LANES>();
        for ((looks, plus), minus) in looks.iter().zip(plus).zip(minus) {
            (0..LANES).for_each(|lane| shift(looks[lane], plus[lane], minus[lane]));
        }
        for ((&look, &plus), &minus) in looks_rest.iter().zip(plus_rest).zip(minus_rest) {
            shift(look, plus, minus);
        }
    }

    /// What the change adds to the sum of `from`, which must have its weights.
    #[inline]
    pub(super) fn difference(&self, bank: impl Bank, from: &Active) -> f32 {
        if let Some(near) = from.near.first_chunk::<NEAR>() {
            // A byte names one of so many in any case, so that nothing needs to be checked.
            return self.add_up(bank, self.near, |look| near[usize::from(look)]);
        }
        let (indices, weights) = (&from.indices[..], &from.weights[..from.indices.len()]);
        self.add_up(bank, self.looks, |look| (indices[look as usize], weights[look as usize]))
    }

    /// What comes less what goes; `known` tells the index and the weight of a look-up before.
    #[inline(always)]
    fn add_up<L: Copy>(
        &self,
        bank: impl Bank,
        looks: &[L],
        known: impl Fn(L) -> (u32, f32),
    ) -> f32 {
        let (looks, looks_rest) = looks.as_chunks::<LANES>();
        let (plus, plus_rest) = self.plus.as_chunks::<LANES>();
        let (minus, minus_rest) = self.minus.as_chunks::<LANES>();
        let (mut gone, mut come) = ([0.0; LANES], [0.0; LANES]);
        for ((looks, plus), minus) in looks.iter().zip(plus).zip(minus) {
            for lane in 0..LANES {
                let (index, weight) = known(looks[lane]);
                gone[lane] += weight;
                come[lane] += bank.value(index.wrapping_add(plus[lane]).wrapping_sub(minus[lane]));
            }
        }
        let rest = looks_rest.iter().zip(plus_rest).zip(minus_rest);
        for (lane, ((&look, &plus), &minus)) in rest.enumerate() {
            let (index, weight) = known(look);
            gone[lane] += weight;
            come[0] += bank.value(index.wrapping_add(plus).wrapping_sub(minus));
        }
        let total = |sums: [f32; LANES]| (sums[0] + sums[2]) + (sums[1] + sums[3]);
        total(come) - total(gone)
    }
}
