//! Remote actors: the run's interface to them, and the worker that each of them runs.

use crate::errors::{Invalid, raised};
use crate::work::{detached, enter};
use ludens_lab::{Plan, RemoteActors, RunError};
use ludens_registry::{Training, open_game};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, Mutex, PoisonError};

/// Plays games for a run that learns elsewhere, with the weights that it is told.
#[pyclass(frozen, name = "Player", module = "ludens._ludens")]
pub(crate) struct PyPlayer {
    hand: Mutex<Worker>,
}

struct Worker {
    training: Box<dyn Training>,
    weights: Vec<f32>,
}

#[pymethods]
impl PyPlayer {
    /// A player for the run that `run.toml` describes.
    #[new]
    fn new(py: Python<'_>, plan: &str) -> PyResult<PyPlayer> {
        let plan: Plan = toml::from_str(plan).map_err(|e| Invalid::new_err(e.to_string()))?;
        let training = detached(py, || {
            raised(open_game(&plan.config.game).and_then(|g| g.train(&plan.config, plan.seed)))
        })??;
        let mut hand = Worker { training, weights: Vec::new() };
        hand.weights = hand.training.weights().to_vec();
        Ok(PyPlayer { hand: Mutex::new(hand) })
    }

    /// Takes over all weights.
    fn set_weights(&self, weights: PyReadonlyArray1<'_, f32>) -> PyResult<()> {
        self.with(|hand| {
            hand.weights = weights.as_array().to_vec();
            raised(hand.training.set_weights(&hand.weights))
        })?
    }

    /// Takes over the weights that have changed.
    fn change_weights(
        &self,
        indices: PyReadonlyArray1<'_, u32>,
        values: PyReadonlyArray1<'_, f32>,
    ) -> PyResult<()> {
        self.with(|hand| {
            let (indices, values) = (indices.as_array(), values.as_array());
            for (&index, &value) in indices.iter().zip(values) {
                let slot = hand.weights.get_mut(index as usize);
                *slot.ok_or_else(|| Invalid::new_err(format!("no weight {index}")))? = value;
            }
            raised(hand.training.set_weights(&hand.weights))
        })?
    }

    /// Plays the games from `first` to before `end`, and returns them as bytes.
    fn play<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        end: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let games = detached(py, || {
            self.with(|hand| raised(hand.training.play_games(first..end, threads)))
        })???;
        Ok(PyBytes::new(py, &games))
    }
}

impl PyPlayer {
    fn with<T>(&self, work: impl FnOnce(&mut Worker) -> T) -> PyResult<T> {
        Ok(work(&mut *enter(&self.hand, "player")?))
    }
}

/// The exception of an actor, kept until the run has ended.
pub(crate) type RaisedException = Arc<Mutex<Option<PyErr>>>;

/// A Python function that plays games. Its arguments are the first game, the one after the last,
/// and the weights; it returns the games as bytes.
pub(crate) struct PythonActors {
    pub(crate) play: Py<PyAny>,
    pub(crate) exception: RaisedException,
}

impl RemoteActors for PythonActors {
    fn play(&mut self, training: &mut dyn Training) -> Result<Vec<u8>, RunError> {
        let games = training.missing_games();
        let played = Python::attach(|py| {
            let weights = PyArray1::from_slice(py, &training.weights());
            self.play.call1(py, (games.start, games.end, weights))?.extract::<Vec<u8>>(py)
        });
        played.map_err(|error| {
            let what = error.to_string();
            *self.exception.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            RunError::Stuck(what)
        })
    }
}
