//! The output of commands.

use crate::failure::Failure;
use ludens_core::Scene;
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};

/// The output of commands: plain text, or coloured on terminals.
pub(crate) struct Console {
    to: Box<dyn Write>,
    color: bool,
}

impl Console {
    /// The standard output.
    pub(crate) fn stdout() -> Console {
        let color = io::stdout().is_terminal() && color_wanted();
        Console { to: Box::new(BufWriter::new(io::stdout())), color }
    }

    /// Draws a board and an empty line above and below.
    pub(crate) fn draw(&mut self, scene: &Scene) -> Result<(), Failure> {
        let drawn = if self.color { scene.to_ansi() } else { scene.to_text() };
        Ok(write!(self, "\n{drawn}\n")?)
    }

    /// `text`, to stand out from its surroundings.
    pub(crate) fn bold(&self, text: &str) -> String {
        if self.color { format!("\x1b[1m{text}\x1b[0m") } else { text.into() }
    }

    /// `text` in a dim colour.
    pub(crate) fn dim(&self, text: &str) -> String {
        if self.color { format!("\x1b[2m{text}\x1b[0m") } else { text.into() }
    }

    /// Writes one JSON document.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(document).map_err(Failure::failed)?;
        Ok(writeln!(self, "{text}")?)
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Whether the user allows colours on terminals; see <https://no-color.org>.
pub(crate) fn color_wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !set("NO_COLOR") && !dumb
}
