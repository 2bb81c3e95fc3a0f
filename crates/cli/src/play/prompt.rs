//! Input from the human.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::{INTERRUPTED, on_stop_signal};
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Asks for lines, from a terminal or a pipe.
pub(super) struct Prompt {
    /// A pipe does not show what it sends.
    echo: bool,
    /// The text to print when Ctrl-C ends the game while waiting for input.
    farewell: Arc<Mutex<String>>,
}

impl Prompt {
    /// Reads the standard input, and answers Ctrl-C with the last farewell.
    pub(super) fn new() -> Prompt {
        let farewell = Arc::new(Mutex::new(String::new()));
        let says = Arc::clone(&farewell);
        on_stop_signal(move || {
            let text = says.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writeln!(io::stderr(), "\n{text}");
            std::process::exit(INTERRUPTED);
        });
        Prompt { echo: !io::stdin().is_terminal(), farewell }
    }

    /// The next line, trimmed, or nothing at the end of the input.
    pub(super) fn ask(&self, question: &str, out: &mut Console) -> Result<Option<String>, Failure> {
        write!(out, "{} ", out.bold(question))?;
        out.flush()?;
        let mut line = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut line);
        let read = read.map_err(|e| Failure::failed(format_args!("no input: {e}")))?;
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if self.echo || read == 0 {
            writeln!(out, "{line}")?;
        }
        Ok((read > 0).then_some(line))
    }

    /// From now on Ctrl-C says this.
    pub(super) fn set_farewell(&self, text: String) {
        *self.farewell.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}
