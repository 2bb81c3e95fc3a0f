//! Why a run cannot begin or go on.

use ludens_core::Invalid;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Why a run cannot begin or go on.
#[derive(Debug)]
pub enum RunError {
    /// Something impossible was asked for.
    Invalid(Invalid),
    /// A file or folder cannot be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It began, but cannot go on.
    Stuck(String),
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
        }
    }
}

impl std::error::Error for RunError {}
