//! Texts that somebody names, who may be mistaken.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a whole text of at most `most` bytes.
///
/// Devices and pipes may go on forever, so that the length of a file says nothing about them.
///
/// # Errors
///
/// If it cannot be read, is longer, or is no text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("it is longer than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text (UTF-8)");
    String::from_utf8(bytes).map_err(no_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_refused_at_the_limit() {
        let endless = read_text(Path::new("/dev/zero"), 1000).unwrap_err();
        assert_eq!(endless.to_string(), "it is longer than 1000 bytes");
        assert_eq!(read_text(Path::new("/dev/null"), 0).unwrap(), "");
    }
}
