//! Python exceptions for the errors of Ludens.

use ludens_core::{Forfeit, Invalid as Impossible, Violation};
use ludens_lab::RunError;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(ludens, Invalid, PyValueError, "Invalid usage.");
create_exception!(ludens, Failed, PyRuntimeError, "It was possible, but did not work.");

/// Turns an error of Ludens into an exception with the same message.
pub(crate) trait IntoPyException {
    /// The exception.
    fn raise(self) -> PyErr;
}

impl IntoPyException for Impossible {
    fn raise(self) -> PyErr {
        Invalid::new_err(self.0)
    }
}

impl IntoPyException for Forfeit {
    fn raise(self) -> PyErr {
        Failed::new_err(self.to_string())
    }
}

impl IntoPyException for Violation {
    fn raise(self) -> PyErr {
        Invalid::new_err(self.to_string())
    }
}

impl IntoPyException for RunError {
    fn raise(self) -> PyErr {
        match self {
            RunError::Invalid(invalid) => invalid.raise(),
            other => Failed::new_err(other.to_string()),
        }
    }
}

/// A result whose error is an exception.
pub(crate) fn raised<T, E: IntoPyException>(result: Result<T, E>) -> PyResult<T> {
    result.map_err(IntoPyException::raise)
}
