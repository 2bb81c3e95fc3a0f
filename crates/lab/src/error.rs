//! Errors that stop a run.

use ludens_core::Invalid;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// An error that stops a run.
#[derive(Debug)]
pub enum RunError {
    /// The request is invalid.
    Invalid(Invalid),
    /// A file or folder cannot be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// The run started, but cannot continue.
    Stuck(String),
    /// The run was [cancelled](ludens_core::Cancellation) in the middle of a game or measurement.
    Cancelled,
}

impl RunError {
    /// The file at `path` cannot be read or written.
    pub(crate) fn file(path: &Path) -> impl Fn(std::io::Error) -> RunError {
        move |error| RunError::File { path: path.into(), error }
    }
}

impl From<Invalid> for RunError {
    fn from(invalid: Invalid) -> RunError {
        RunError::Invalid(invalid)
    }
}

impl Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Invalid(invalid) => invalid.fmt(f),
            RunError::File { path, error } => write!(f, "{}: {error}", path.display()),
            RunError::Stuck(reason) => f.write_str(reason),
            RunError::Cancelled => {
                f.write_str("cancelled: the run resumes from its last checkpoint")
            }
        }
    }
}

impl std::error::Error for RunError {}
