//! Paths as text, also those that are none.

use std::path::{Path, PathBuf};

/// What the text of a path begins with that is no UTF-8; its bytes follow as digits.
const PREFIX: &str = "path-bytes:";

/// The path as a text that `text_path` reads back, for settings of agents such as `value`.
pub fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.into(),
        None => {
            let bytes = path.as_os_str().as_encoded_bytes();
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{PREFIX}{digits}")
        }
    }
}

/// The path that the text stands for.
pub(crate) fn text_path(text: &str) -> PathBuf {
    let bytes = text.strip_prefix(PREFIX).and_then(bytes_of);
    bytes.and_then(path_of).unwrap_or_else(|| text.into())
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    digits.len().is_multiple_of(2).then(|| (0..digits.len()).step_by(2).map(pair).collect())?
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(_: Vec<u8>) -> Option<PathBuf> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn every_path_is_read_back() {
        for bytes in [&b"runs/a"[..], b"/tmp/\xff\xfe/b", b"\xc3", b""] {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            assert_eq!(text_path(&path_text(path)), path);
        }
        assert_eq!(text_path("path-bytes:zz"), Path::new("path-bytes:zz"));
        assert_eq!(text_path("path-bytes:\u{e9}"), Path::new("path-bytes:\u{e9}"));
    }
}
