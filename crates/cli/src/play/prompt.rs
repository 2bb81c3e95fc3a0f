//! Input from the human.

use crate::console::Console;
use crate::failure::Failure;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Asks for lines, from a terminal or a pipe.
pub(super) struct Prompt {
    /// A pipe does not show what it sends.
    echo: bool,
    /// The text to print when Ctrl-C ends the game while waiting for input.
    farewell: Arc<Mutex<String>>,
}

/// The exit code of programs ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

impl Prompt {
    /// Reads the standard input, and answers Ctrl-C with the last farewell.
    pub(super) fn new() -> Prompt {
        let farewell = Arc::new(Mutex::new(String::new()));
        let answers = Arc::clone(&farewell);
        // Without a handler Ctrl-C still ends the game, only less politely.
        let _ = ctrlc::set_handler(move || {
            let text = answers.lock().unwrap_or_else(PoisonError::into_inner);
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
