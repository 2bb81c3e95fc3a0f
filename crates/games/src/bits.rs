//! Bits of a word: finding the n-th one, and writing all as cells.

use ludens_core::SET_BITS;

/// A word with counts of its set bits, for finding the n-th one without a loop.
///
/// Compiled for baseline x86-64, counting and searching bit by bit takes several times as long.
#[derive(Copy, Clone)]
pub(crate) struct CountedBits {
    word: u64,
    /// In each byte: how many bits are set in it and in the bytes below.
    sums: u64,
}

const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
const TOP_BITS: u64 = 0x80 * EACH_BYTE;

/// Writes for each cell one if its bit is in `ones`, two if it is in `twos`, three if in both.
#[inline]
pub(crate) fn write_cells(mut ones: u64, mut twos: u64, cells: &mut [u8]) {
    let mut next_eight = || {
        let values = spread(ones as u8) | spread(twos as u8) << 1;
        (ones, twos) = (ones >> 8, twos >> 8);
        values.to_le_bytes()
    };
    let (eights, rest) = cells.as_chunks_mut::<8>();
    eights.iter_mut().for_each(|eight| *eight = next_eight());
    rest.iter_mut().zip(next_eight()).for_each(|(cell, value)| *cell = value);
}

/// Eight bits as eight bytes of 0 or 1, the lowest first.
#[inline]
fn spread(bits: u8) -> u64 {
    // Byte i of the product is `bits`, of which its i-th bit is kept, then carried to the top.
    let kept = (u64::from(bits) * EACH_BYTE) & 0x8040_2010_0804_0201;
    (kept + 0x7f * EACH_BYTE) >> 7 & EACH_BYTE
}

impl CountedBits {
    #[inline]
    pub(crate) fn new(word: u64) -> CountedBits {
        let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        CountedBits { word, sums: bytes.wrapping_mul(EACH_BYTE) }
    }

    /// The number of set bits.
    #[inline]
    pub(crate) fn count(self) -> usize {
        (self.sums >> 56) as usize
    }

    /// The position of the `n`-th set bit, counted from zero. More than `n` bits must be set.
    #[inline]
    pub(crate) fn nth(self, n: usize) -> u32 {
        debug_assert!(n < self.count(), "{:b} has no bit {n}", self.word);
        // Compares all bytes at once: those with a sum of at most n lie below the bit.
        let below = (((n as u64 * EACH_BYTE) | TOP_BITS) - self.sums) & TOP_BITS;
        let shift = ((below >> 7).wrapping_mul(EACH_BYTE) >> 56) * 8;
        let before = self.sums << 8 >> shift & 0xff;
        let byte = self.word >> shift & 0xff;
        shift as u32 + u32::from(SET_BITS[byte as usize][(n - before as usize) & 7])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    #[test]
    fn every_set_bit_is_found() {
        let mut rng = Rng::seeded(1);
        let drawn =
            (0..1_000).map(|i| if i % 2 == 0 { rng.bits() } else { rng.bits() & rng.bits() });
        for word in drawn.chain([0, 1, 1 << 63, u64::MAX]) {
            let bits = CountedBits::new(word);
            let set: Vec<u32> = (0..64).filter(|&at| word >> at & 1 == 1).collect();
            let found: Vec<u32> = (0..bits.count()).map(|n| bits.nth(n)).collect();
            assert_eq!(found, set);
        }
    }
}
