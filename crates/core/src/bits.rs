//! The set bits of a byte.

/// The positions of the set bits of a byte, the lowest first, padded with zeros.
///
/// ```
/// assert_eq!(ludens_core::set_bits(0b1001_0010), [1, 4, 7, 0, 0, 0, 0, 0]);
/// ```
pub const fn set_bits(byte: u8) -> [u8; 8] {
    let mut places = [0; 8];
    let (mut at, mut count) = (0, 0);
    while at < 8 {
        if byte >> at & 1 == 1 {
            places[count] = at;
            count += 1;
        }
        at += 1;
    }
    places
}

/// A table with [`set_bits`] of each byte.
pub static SET_BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = set_bits(byte as u8);
        byte += 1;
    }
    table
};
