//! Whole numbers as arguments: those out of range raise `ludens.Invalid`.

use crate::errors::Invalid;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A whole number that fits its type.
#[derive(Copy, Clone)]
pub(crate) struct Whole<T>(pub(crate) T);

/// The types that arguments have.
pub(crate) trait WholeNumber: TryFrom<i128> {
    /// The smallest and the largest number.
    const RANGE: (i128, i128);
}

impl WholeNumber for u8 {
    const RANGE: (i128, i128) = (0, u8::MAX as i128);
}

impl WholeNumber for u32 {
    const RANGE: (i128, i128) = (0, u32::MAX as i128);
}

impl WholeNumber for u64 {
    const RANGE: (i128, i128) = (0, u64::MAX as i128);
}

impl WholeNumber for usize {
    const RANGE: (i128, i128) = (0, usize::MAX as i128);
}

impl<'a, 'py, T: WholeNumber> FromPyObject<'a, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Whole<T>> {
        if let Ok(number) = object.extract::<i64>()
            && let Ok(number) = T::try_from(i128::from(number))
        {
            return Ok(Whole(number));
        }
        let py = object.py();
        let index = py.import("operator")?.call_method1("index", (object,)).map_err(|_| {
            PyTypeError::new_err(format!("expected a whole number, found {object:?}"))
        })?;
        let number = index.extract::<i128>().ok().and_then(|number| T::try_from(number).ok());
        number.map(Whole).ok_or_else(|| {
            let (least, most) = T::RANGE;
            Invalid::new_err(format!(
                "expected a whole number from {least} to {most}, found {index}"
            ))
        })
    }
}
