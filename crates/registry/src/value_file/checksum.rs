//! The checksum of the numbers in files up to version 2.

/// A checksum over bytes, eight at a time.
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

    /// The checksum as the header stores it.
    pub(super) fn to_text(&self) -> String {
        let mixed = (self.hash ^ self.length).wrapping_mul(FACTOR);
        format!("{:016x}", mixed ^ mixed >> 32)
    }
}

/// The name of the text that holds the checksum of a tensor.
pub(super) fn key(tensor: &str) -> String {
    format!("checksum:{tensor}")
}
