//! Files that are whole or not there.

use crate::failure::Failure;
use ludens_registry::replace_file;
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

/// The extension of the file name, in lower case.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
