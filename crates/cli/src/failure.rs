//! Errors of commands, and how they are printed.

use ludens_core::Invalid;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// An error of a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid usage.
    Impossible {
        /// The expected and the actual input.
        what: String,
        /// A hint.
        hint: Option<String>,
    },
    /// It was possible, but did not work.
    Failed {
        /// The reason.
        what: String,
        /// A hint.
        hint: Option<String>,
    },
    /// The user stopped it, and nothing is lost.
    Interrupted {
        /// What was saved.
        what: String,
        /// How to continue.
        hint: Option<String>,
    },
    /// The reader of the output is gone, as after `| head`.
    Unread,
}

/// The exit code of commands that Ctrl-C ends, as shells have it: 128 and the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// The exit code of a bug, as `sysexits.h` calls an internal error.
pub(crate) const BUG: u8 = 70;

impl Failure {
    /// Invalid usage.
    pub(crate) fn impossible(what: impl ToString) -> Failure {
        Failure::Impossible { what: what.to_string(), hint: None }
    }

    /// It was possible, but did not work.
    pub(crate) fn failed(what: impl ToString) -> Failure {
        Failure::Failed { what: what.to_string(), hint: None }
    }

    /// The user stopped it, and nothing is lost.
    pub(crate) fn interrupted(what: impl ToString) -> Failure {
        Failure::Interrupted { what: what.to_string(), hint: None }
    }

    /// The same failure, with advice.
    pub(crate) fn with_hint(mut self, advice: impl ToString) -> Failure {
        match &mut self {
            Failure::Impossible { hint, .. }
            | Failure::Failed { hint, .. }
            | Failure::Interrupted { hint, .. } => {
                *hint = Some(advice.to_string());
            }
            Failure::Unread => {}
        }
        self
    }

    /// Tells it on the error stream; returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Impossible { what, hint } => {
                print_error(&what, hint.as_deref());
                ExitCode::from(2)
            }
            Failure::Failed { what, hint } => {
                print_error(&what, hint.as_deref());
                ExitCode::FAILURE
            }
            Failure::Interrupted { what, hint } => {
                print_message(&what, hint.as_deref());
                ExitCode::from(INTERRUPTED)
            }
            Failure::Unread => ExitCode::SUCCESS,
        }
    }
}

/// The message, without the hint.
impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Impossible { what, .. }
            | Failure::Failed { what, .. }
            | Failure::Interrupted { what, .. } => f.write_str(what),
            Failure::Unread => f.write_str("nobody reads what is written"),
        }
    }
}

impl From<Invalid> for Failure {
    fn from(invalid: Invalid) -> Failure {
        Failure::impossible(invalid)
    }
}

/// Only writing to the standard output fails without saying where.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Unread,
            _ => Failure::failed(format_args!("the output cannot be written: {error}")),
        }
    }
}

/// Tells of a mistake of ours in one line.
pub(crate) fn report_bug(bug: &std::panic::PanicHookInfo<'_>) {
    let place = bug.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
    let what = bug.payload_as_str().unwrap_or("no reason given");
    print_error(
        &format!("a mistake in ludens itself: {what}{}", place.unwrap_or_default()),
        Some("please report it with the command that you ran"),
    );
}

fn print_error(what: &str, hint: Option<&str>) {
    print_message(&format!("{} {what}", emphasized("error:", "31")), hint);
}

fn print_message(what: &str, hint: Option<&str>) {
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "{what}");
    if let Some(hint) = hint {
        let _ = writeln!(err, "{} {hint}", emphasized("hint:", "36"));
    }
}

/// The word in bold and this colour, if the error stream is a terminal.
fn emphasized(word: &str, code: &str) -> String {
    let color = io::stderr().is_terminal() && crate::console::color_wanted();
    if color { format!("\x1b[1;{code}m{word}\x1b[0m") } else { word.into() }
}
