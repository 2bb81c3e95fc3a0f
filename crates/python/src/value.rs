//! A learned value.

use crate::batch::PyBatch;
use crate::errors::{Failed, Invalid, raised};
use crate::work::detached;
use ludens_files::replace_file;
use ludens_registry::{AnyGame, AnyValue, Content, TensorData, ValueFile};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What states and moves are worth, as learned.
#[pyclass(frozen, name = "Value", module = "ludens._ludens")]
pub(crate) struct PyValue {
    rules: Arc<dyn AnyGame>,
    /// Shares its weights with all who read at the moment.
    learned: Mutex<Box<dyn AnyValue>>,
    /// Readers that nobody uses, so that threads need not wait for each other.
    idle: Mutex<Vec<Box<dyn AnyValue>>>,
}

/// A query about all states of a batch.
type BatchQuery = fn(
    &mut dyn AnyValue,
    &dyn ludens_registry::Batch,
    &mut [f32],
) -> Result<(), ludens_core::Invalid>;

impl PyValue {
    pub(crate) fn new(rules: Arc<dyn AnyGame>, learned: Box<dyn AnyValue>) -> PyValue {
        PyValue { rules, learned: Mutex::new(learned), idle: Mutex::default() }
    }

    /// Reads with buffers that no other thread uses.
    fn read<T>(&self, read: impl FnOnce(&mut dyn AnyValue) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut reader = found
            .unwrap_or_else(|| self.learned.lock().unwrap_or_else(PoisonError::into_inner).fork());
        let answer = read(&mut *reader);
        idle().push(reader);
        answer
    }

    /// Asks for `width` numbers about each state.
    fn ask<'py>(
        &self,
        py: Python<'py>,
        batch: &PyBatch,
        width: usize,
        ask: BatchQuery,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        // The states are copied, so that no thread can change them meanwhile.
        let row = batch.with(py, |row| row.fork())?;
        let length = row.len();
        let answer = detached(py, move || {
            let mut out = vec![0.0; length * width];
            raised(self.read(|value| ask(value, &*row, &mut out))).map(|()| out)
        })?;
        PyArray1::from_vec(py, answer?).reshape([length, width])
    }
}

#[pymethods]
impl PyValue {
    /// What each player expects to gain from each state on.
    fn values<'py>(&self, py: Python<'py>, batch: &PyBatch) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let players = self.rules.info().players;
        self.ask(py, batch, players, |value, batch, out| value.values(batch, out))
    }

    /// Does what `values` does so many times within Rust, to tell what the way to Python costs.
    fn repeat_values(&self, py: Python<'_>, batch: &PyBatch, times: usize) -> PyResult<()> {
        let players = self.rules.info().players;
        let row = batch.with(py, |row| row.fork())?;
        let mut out = vec![0.0; row.len() * players];
        detached(py, move || {
            self.read(|value| (0..times).try_for_each(|_| raised(value.values(&*row, &mut out))))
        })?
    }

    /// What each move id is worth to the player to move; NaN if it is not legal.
    fn move_values<'py>(
        &self,
        py: Python<'py>,
        batch: &PyBatch,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let moves = self.rules.info().moves;
        self.ask(py, batch, moves, |value, batch, out| value.move_values(batch, out))
    }
}

/// The texts about a learned value that its file holds: game, config, seed, episode and more.
#[pyfunction]
pub(crate) fn about_value(path: &str) -> PyResult<BTreeMap<String, String>> {
    Ok(raised(ValueFile::open(path))?.about().clone())
}

/// Writes the file of a value: texts about it, and its tensors.
#[pyfunction]
pub(crate) fn write_value(
    path: std::path::PathBuf,
    about: BTreeMap<String, String>,
    tensors: BTreeMap<String, Bound<'_, PyAny>>,
) -> PyResult<()> {
    let read = |(name, array): (String, Bound<'_, PyAny>)| Ok((name, tensor(&array)?));
    let tensors = tensors.into_iter().map(read).collect::<PyResult<_>>()?;
    let content = Content { about, tensors };
    replace_file(&path, |out| ludens_registry::write_value(out, &content))
        .map_err(|e| Failed::new_err(format!("{}: {e}", path.display())))
}

/// The shape and the numbers of an array.
fn tensor(array: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, TensorData<'static>)> {
    if let Ok(numbers) = array.extract::<PyReadonlyArrayDyn<'_, f32>>() {
        let numbers = numbers.as_array();
        let flat: Vec<f32> = numbers.iter().copied().collect();
        return Ok((numbers.shape().to_vec(), TensorData::Numbers(flat.into())));
    }
    if let Ok(numbers) = array.extract::<PyReadonlyArrayDyn<'_, f64>>() {
        let numbers = numbers.as_array();
        let flat = numbers.iter().copied().collect();
        return Ok((numbers.shape().to_vec(), TensorData::ExactNumbers(flat)));
    }
    let bytes = array.extract::<PyReadonlyArrayDyn<'_, u8>>().map_err(|_| {
        let expected = "expected an array of float32, float64 or uint8";
        Invalid::new_err(format!("{expected}, found {array:?}"))
    })?;
    let bytes = bytes.as_array();
    Ok((bytes.shape().to_vec(), TensorData::Bytes(bytes.iter().copied().collect())))
}

/// The file of a learned value, given that file or the folder of a run.
#[pyfunction]
pub(crate) fn value_path(path: std::path::PathBuf) -> PyResult<std::path::PathBuf> {
    raised(ludens_lab::value_path(&path))
}
