//! Arguments that name agents.

use clap::builder::{OsStringValueParser, TypedValueParser};
use ludens_registry::path_text;
use std::ffi::OsStr;
use std::path::Path;

/// Reads the text of an agent; the name of a file in it need not be text.
pub(crate) fn agent_text() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|typed| match typed.to_str() {
        Some(text) => text.into(),
        None => with_path_texts(&typed),
    })
}

/// What stands between names, settings and their values.
#[cfg(unix)]
const BETWEEN: &[u8] = b":,=()";

/// The text in which each part that is no text is written as such paths are.
#[cfg(unix)]
fn with_path_texts(typed: &OsStr) -> String {
    use std::os::unix::ffi::OsStrExt;
    let parts = typed.as_bytes().split_inclusive(|byte| BETWEEN.contains(byte));
    let as_text = |part: &[u8]| {
        let (end, name) = match part.split_last() {
            Some((last, name)) if BETWEEN.contains(last) => (&part[name.len()..], name),
            _ => (&part[part.len()..], part),
        };
        path_text(Path::new(OsStr::from_bytes(name))) + &String::from_utf8_lossy(end)
    };
    parts.map(as_text).collect()
}

#[cfg(not(unix))]
fn with_path_texts(typed: &OsStr) -> String {
    path_text(Path::new(typed))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn only_what_is_no_text_is_written_as_bytes() {
        for (typed, text) in [
            (&b"greedy:a\xff/b"[..], "greedy:path-bytes:61ff2f62"),
            (
                b"decay:agent=(greedy:value=\xfe),rate=0.5",
                "decay:agent=(greedy:value=path-bytes:fe),rate=0.5",
            ),
            (b"\xc3", "path-bytes:c3"),
        ] {
            assert_eq!(with_path_texts(OsStr::from_bytes(typed)), text);
        }
    }
}
