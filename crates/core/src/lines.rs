//! Lines of input that somebody else writes.

use std::io::{self, BufRead, Read};

/// The lines of an input, without their line feeds. A line of more than `most` bytes is an error,
/// after which nothing is read: a device may have no line feeds at all.
pub fn bounded_lines(
    mut input: impl BufRead,
    most: usize,
) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    let mut ended = false;
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = match ended {
            true => Ok(0),
            false => Read::take(&mut input, most as u64 + 1).read_until(b'\n', &mut line),
        };
        let read = read.and_then(|read| match line.pop_if(|byte| *byte == b'\n') {
            None if read > most => {
                let what = format!("a line is longer than {most} bytes");
                Err(io::Error::new(io::ErrorKind::InvalidData, what))
            }
            _ => Ok(read),
        });
        ended |= read.is_err();
        match read {
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Result<String, String>> {
        let text_of = |line: Vec<u8>| String::from_utf8(line).unwrap();
        let lines = bounded_lines(text.as_bytes(), 5);
        lines.map(|line| line.map(text_of).map_err(|e| e.to_string())).collect()
    }

    #[test]
    fn lines_are_those_between_line_feeds() {
        let texts = ["", "a", "a\n", "a\n\nb", "12345\n12345", "\n"];
        for text in texts {
            let expected: Vec<_> = text.lines().map(|line| Ok(line.to_owned())).collect();
            assert_eq!(lines(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let refused = Err("a line is longer than 5 bytes".to_owned());
        assert_eq!(lines("ok\n123456\nok"), [Ok("ok".to_owned()), refused]);
        let endless = bounded_lines(io::BufReader::new(io::repeat(b'x')), 1 << 16);
        assert_eq!(endless.filter(Result::is_err).count(), 1);
    }
}
