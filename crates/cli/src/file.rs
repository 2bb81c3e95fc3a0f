//! Files that are whole or not there.

use crate::failure::Failure;
use ludens_core::Invalid;
use ludens_files::{read_text, replace_file};
use std::path::Path;

/// Writes the whole file or leaves it unchanged.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    write_bytes(path, text.as_bytes())
}

/// The same for what is no text.
pub(crate) fn write_bytes(path: &Path, content: &[u8]) -> Result<(), Failure> {
    replace_file(path, |out| out.write_all(content))
        .map_err(|e| Failure::failed(format_args!("{} cannot be written: {e}", path.display())))
}

/// Longer files of settings, records of single games and the like are none.
const LONGEST_TEXT: u64 = 64 << 20;

/// Reads a text that `what` names, such as `--config`.
pub(crate) fn read(what: &str, path: &Path) -> Result<String, Invalid> {
    let wrong = |e| Invalid(format!("{what}: {} cannot be read: {e}", path.display()));
    read_text(path, LONGEST_TEXT).map_err(wrong)
}

/// The extension of the file name, in lower case.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
