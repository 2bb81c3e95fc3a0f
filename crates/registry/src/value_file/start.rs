//! What the numbers of a tensor were at the start, in texts of the header.

/// The name of the text that holds the start of a tensor.
pub(super) fn key(tensor: &str) -> String {
    format!("start:{tensor}")
}

/// The bits of the start as the header stores them.
pub(super) fn text(bits: &[u32]) -> String {
    bits.iter().map(|bits| format!("{bits:08x}")).collect::<Vec<_>>().join(" ")
}

/// The bits of a start, if this is the text of one.
pub(super) fn parse(text: &str) -> Option<Vec<u32>> {
    text.split(' ').map(|bits| u32::from_str_radix(bits, 16).ok()).collect()
}
