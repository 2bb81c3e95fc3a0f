//! Value functions written in Python.

use crate::errors::Invalid;
use crate::work::throw;
use ludens_registry::{EvaluatorBatch, EvaluatorOutput, ExternalValue};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static EVALUATORS: Mutex<BTreeMap<String, Py<PyAny>>> = Mutex::new(BTreeMap::new());

/// Makes a function known as the value `python:NAME`.
///
/// It is called with the cells of many states, the player to move in each, and the numbers of
/// players and of moves. It returns an array with a row for each state and a column for each
/// player, and either None or an array with a column for each move.
#[pyfunction]
pub(crate) fn add_evaluator(name: String, evaluate: Py<PyAny>) {
    let mut evaluators = EVALUATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let old = evaluators.insert(name, evaluate);
    drop(evaluators);
    // Dropping the old function may run Python code, which may add evaluators.
    drop(old);
}

/// The evaluator written as `python:NAME`.
pub(crate) fn open(text: &str) -> Option<Box<dyn ExternalValue>> {
    let name = text.trim().strip_prefix("python:")?;
    // Python is waited for before the table, as everywhere.
    Python::attach(|py| {
        let evaluators = EVALUATORS.lock().unwrap_or_else(PoisonError::into_inner);
        let evaluate = evaluators.get(name)?.clone_ref(py);
        Some(Box::new(PythonEvaluator(evaluate)) as Box<dyn ExternalValue>)
    })
}

struct PythonEvaluator(Py<PyAny>);

impl ExternalValue for PythonEvaluator {
    fn evaluate(&mut self, batch: &EvaluatorBatch) -> EvaluatorOutput {
        Python::attach(|py| self.call(py, batch)).unwrap_or_else(|error| throw(error))
    }
}

impl PythonEvaluator {
    fn call(&self, py: Python<'_>, batch: &EvaluatorBatch) -> PyResult<EvaluatorOutput> {
        let count = batch.players.len();
        let (height, width) = batch.shape;
        let cells = PyArray1::from_slice(py, &batch.cells).reshape([count, height, width])?;
        let players = PyArray1::from_slice(py, &batch.players);
        let arguments = (cells, players, batch.num_players, batch.num_moves);
        let found = self.0.bind(py).call1(arguments)?;
        let (values, priors): (Bound<'_, PyAny>, Option<Bound<'_, PyAny>>) = found.extract()?;
        let priors = priors.map(|priors| read(&priors, (count, batch.num_moves))).transpose()?;
        Ok(EvaluatorOutput { values: read(&values, (count, batch.num_players))?, priors })
    }
}

/// The numbers of an array of this shape.
fn read(array: &Bound<'_, PyAny>, (rows, columns): (usize, usize)) -> PyResult<Vec<f32>> {
    let wrong = || {
        let expected = format!("{rows} rows of {columns} numbers (float32)");
        Invalid::new_err(format!("evaluator: expected {expected}, found {array:?}"))
    };
    let array = array.extract::<PyReadonlyArray2<'_, f32>>().map_err(|_| wrong())?;
    let array = array.as_array();
    let right = array.dim() == (rows, columns) && array.iter().all(|number| number.is_finite());
    if right { Ok(array.iter().copied().collect()) } else { Err(wrong()) }
}
