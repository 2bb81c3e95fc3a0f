//! The CRC-32 of a file and of its tensors, as zlib and `cksum -a crc32b` compute it.

use super::damaged;
use super::header::Header;
use crc32fast::Hasher;
use ludens_core::Invalid;

/// The name of the text that holds the CRC-32 of the whole file.
pub(super) const WHOLE: &str = "crc32";

/// What stands in for the CRC-32 of the whole file while it is computed.
pub(super) const BLANK: &str = "00000000";

/// The name of the text that holds the CRC-32 of a tensor.
pub(super) fn key(tensor: &str) -> String {
    format!("crc32:{tensor}")
}

/// A CRC-32 as the header stores it.
pub(super) fn text(crc: u32) -> String {
    format!("{crc:08x}")
}

/// The CRC-32 of a file with this header, in which that of the whole is [`BLANK`], and with tensors
/// of these CRCs and lengths.
pub(super) fn of_file(header: &[u8], tensors: impl Iterator<Item = (u32, u64)>) -> u32 {
    let mut whole = Hasher::new();
    whole.update(&(header.len() as u64).to_le_bytes());
    whole.update(header);
    for (crc, length) in tensors {
        whole.combine(&Hasher::new_with_initial_len(crc, length));
    }
    whole.finalize()
}

/// Where the eight digits of the whole file's CRC-32 stand in the text of a header.
pub(super) fn place(header: &[u8]) -> Option<std::ops::Range<usize>> {
    let label = format!("\"{WHOLE}\":\"");
    let at = header.windows(label.len()).position(|part| part == label.as_bytes())? + label.len();
    let end = at + BLANK.len();
    (header.get(end) == Some(&b'"')).then_some(at..end)
}

/// Refuses a header that is not the one that was written.
pub(super) fn check(text: &[u8], header: &Header) -> Result<(), Invalid> {
    let missing = || damaged("its header has no checksum");
    let place = place(text).ok_or_else(missing)?;
    let digits = |text: &[u8]| u32::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok();
    let written = String::from_utf8_lossy(&text[place.clone()]);
    let mut blank = text.to_vec();
    blank[place].copy_from_slice(BLANK.as_bytes());
    let mut tensors = Vec::new();
    for (name, span) in &header.tensors {
        let crc = header.about.get(&key(name)).and_then(|crc| digits(crc.as_bytes()));
        tensors.push((span.from, crc.ok_or_else(missing)?, span.length()));
    }
    tensors.sort_unstable();
    let found = of_file(&blank, tensors.into_iter().map(|(_, crc, length)| (crc, length)));
    let found = self::text(found);
    if found == written {
        return Ok(());
    }
    Err(damaged(format_args!("its header is not the one written (CRC-32 {found}, not {written})")))
}
