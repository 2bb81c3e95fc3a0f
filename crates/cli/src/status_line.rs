//! One line on the terminal that is drawn again and again.

use ratatui::crossterm::terminal;
use std::io::{self, IsTerminal, Write};

/// The width that is assumed if the terminal does not tell.
const USUAL_WIDTH: usize = 80;

/// A line on standard error that is drawn again and again; on terminals only.
///
/// It is never wider than the terminal: a line that wraps could not be erased.
pub(crate) struct StatusLine {
    shown: bool,
    drawn: bool,
}

impl StatusLine {
    pub(crate) fn new() -> StatusLine {
        StatusLine { shown: io::stderr().is_terminal(), drawn: false }
    }

    /// Whether there is a terminal to draw on.
    pub(crate) fn is_shown(&self) -> bool {
        self.shown
    }

    /// Draws as many of the `parts`, separated by two spaces, as fit; the first ones matter most.
    pub(crate) fn draw(&mut self, parts: &[String]) {
        if !self.shown {
            return;
        }
        let mut err = io::stderr();
        // Nothing is lost if it cannot be drawn.
        let _ = write!(err, "\r\x1b[2K{}", fitted(parts, width()));
        let _ = err.flush();
        self.drawn = true;
    }

    /// Erases the line, to make room for others.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let mut err = io::stderr();
            let _ = write!(err, "\r\x1b[2K");
            let _ = err.flush();
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The columns of the terminal.
fn width() -> usize {
    let columns = terminal::size().map_or(0, |(columns, _)| usize::from(columns));
    if columns == 0 { USUAL_WIDTH } else { columns }
}

/// The first parts that fit beside each other, one column free: some terminals wrap a full line.
fn fitted(parts: &[String], width: usize) -> String {
    let room = width.saturating_sub(1);
    let mut line = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let gap = if line.is_empty() { "" } else { "  " };
        if line.chars().count() + gap.len() + part.chars().count() > room {
            break;
        }
        line.push_str(gap);
        line.push_str(part);
    }
    if line.is_empty() {
        return parts.first().map_or(String::new(), |first| first.chars().take(room).collect());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn a_line_has_as_many_parts_as_fit() {
        let parts = ["[##..] 50 %", "", "2 s left", "40 games/s"].map(String::from);
        assert_eq!(fitted(&parts, 80), "[##..] 50 %  2 s left  40 games/s");
        assert_eq!(fitted(&parts, 34), "[##..] 50 %  2 s left  40 games/s");
        assert_eq!(fitted(&parts, 33), "[##..] 50 %  2 s left");
        assert_eq!(fitted(&parts, 12), "[##..] 50 %");
        assert_eq!(fitted(&parts, 5), "[##.");
        assert_eq!(fitted(&parts, 0), "");
    }
}
