//! Weights looked up by the bits of a word under a mask.

use crate::cpu::Avx2;
use crate::weights::WeightCell;

/// A table with a weight for every value of the bits under a mask.
///
/// Invariant: it has at least 2^n weights if the mask has n bits.
#[derive(Debug)]
pub struct FullTable<'a, C> {
    weights: &'a [C],
    mask: u64,
}

impl<'a, C: WeightCell> FullTable<'a, C> {
    /// Takes the weights of the table; it may be followed by others.
    ///
    /// # Panics
    ///
    /// If there are fewer than 2^n weights for a mask with n bits.
    #[inline(always)]
    pub fn new(weights: &'a [C], mask: u64) -> FullTable<'a, C> {
        let size = 1usize.checked_shl(mask.count_ones());
        assert!(size.is_some_and(|size| size <= weights.len()), "table smaller than its mask");
        FullTable { weights, mask }
    }
}

/// Extracts the bits of a word under a mask (PEXT).
pub trait ExtractBits: Copy {
    /// Moves the bits of `word` under `mask` to the lowest places, in their order.
    fn extract(self, word: u64, mask: u64) -> u64;

    /// Reads the weight whose index is the bits of `word` under the table's mask.
    #[inline(always)]
    fn lookup<C: WeightCell>(self, table: &FullTable<'_, C>, word: u64) -> f32 {
        table.weights[self.extract(word, table.mask) as usize].load()
    }
}

#[cfg(target_arch = "x86_64")]
impl ExtractBits for Avx2 {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        // SAFETY: `self` proves that the processor has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn lookup<C: WeightCell>(self, table: &FullTable<'_, C>, word: u64) -> f32 {
        let index = self.extract(word, table.mask) as usize;
        // SAFETY: PEXT with n mask bits is less than 2^n, which the table's length is at least.
        unsafe { table.weights.get_unchecked(index) }.load()
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl ExtractBits for Avx2 {
    fn extract(self, _: u64, _: u64) -> u64 {
        unreachable!("`Avx2::detect` makes none here")
    }
}

/// Extracts bits on any processor; masks consist of whole groups of `bits` bits.
#[derive(Copy, Clone, Debug)]
pub struct PortableBits {
    /// Bits per group, less than 64.
    pub bits: u32,
}

impl ExtractBits for PortableBits {
    fn extract(self, word: u64, mut mask: u64) -> u64 {
        let (mut extracted, mut shift) = (0, 0);
        while mask != 0 {
            let group = ((1 << self.bits) - 1) << mask.trailing_zeros();
            extracted |= (word & group) >> mask.trailing_zeros() << shift;
            (mask, shift) = (mask & !group, shift + self.bits);
        }
        extracted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    #[test]
    fn weights_are_looked_up_by_the_bits_under_the_mask() {
        let weights: Vec<f32> = (0..16).map(|i| i as f32).collect();
        let mask = 0xc000_0000_0000_000c;
        let (table, portable) = (FullTable::new(&weights, mask), PortableBits { bits: 2 });
        let words = [0, u64::MAX, mask, 0x8000_0000_0000_0004, 0x7fff_ffff_ffff_fff3];
        for (word, expected) in words.into_iter().zip([0.0, 15.0, 15.0, 9.0, 4.0]) {
            assert_eq!(portable.lookup(&table, word), expected);
            if let Some(avx2) = Avx2::detect() {
                assert_eq!(avx2.extract(word, mask), portable.extract(word, mask));
                assert_eq!(avx2.lookup(&table, word), expected);
            }
        }
    }

    #[test]
    fn bits_are_extracted_group_by_group() {
        let rng = &mut Rng::seeded(2);
        for (bits, group) in [(1, 0b1), (2, 0b11), (4, 0b1111), (8, 0xff)] {
            for _ in 0..100 {
                let (word, chosen) = (rng.bits(), rng.bits());
                let shifts = (0..64).step_by(bits as usize).filter(|&at| chosen >> at & 1 == 1);
                let (mut mask, mut expected, mut width) = (0u64, 0, 0);
                for at in shifts {
                    mask |= group << at;
                    expected |= (word >> at & group) << width;
                    width += bits;
                }
                assert_eq!(PortableBits { bits }.extract(word, mask), expected);
                assert!(Avx2::detect().is_none_or(|avx2| avx2.extract(word, mask) == expected));
            }
        }
    }

    #[test]
    #[should_panic(expected = "table smaller than its mask")]
    fn a_table_smaller_than_its_mask_is_refused() {
        FullTable::new(&[0.0f32; 15], 0b1111);
    }
}
