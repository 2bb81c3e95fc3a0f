//! A checksum that detects accidental changes.

/// A checksum over bytes, eight at a time.
///
/// It protects against accidents, not against deliberate changes.
#[derive(Default)]
pub(super) struct Checksum {
    hash: u64,
    length: u64,
}

/// Odd, with its bits spread evenly: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Checksum {
    /// Adds bytes. All but the last addition must be of a multiple of eight bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        for piece in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            let mixed = (self.hash ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
            self.hash = mixed ^ mixed >> 32;
        }
    }

    pub(super) fn finish(&self) -> u64 {
        let mixed = (self.hash ^ self.length).wrapping_mul(FACTOR);
        mixed ^ mixed >> 32
    }
}

/// The checksum of all these bytes.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    checksum.finish()
}

/// The checksum as text, as the header stores it.
pub(super) fn text(checksum: u64) -> String {
    format!("{checksum:016x}")
}
