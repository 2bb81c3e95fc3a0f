//! Notes about files that are opened, as warnings.

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;

/// Warns as Python does.
pub(crate) fn warn(note: &str) {
    let Ok(note) = CString::new(note) else { return };
    Python::attach(|py| {
        let warned = PyErr::warn(py, &py.get_type::<PyUserWarning>(), &note, 1);
        // Where warnings are errors, this one is printed: nothing here can be raised.
        warned.unwrap_or_else(|error| error.write_unraisable(py, None));
    });
}
