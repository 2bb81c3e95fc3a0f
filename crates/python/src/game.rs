//! The rules of a game.

use crate::batch::PyBatch;
use crate::errors::raised;
use crate::integers::Whole;
use crate::rules::rules_object;
use crate::state::PyState;
use crate::value::PyValue;
use crate::work::{abandonable, detached, guarded};
use ludens_core::Record;
use ludens_registry::{AnyGame, open_game};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// The rules of a game, with its settings.
#[pyclass(frozen, name = "Game", module = "ludens")]
pub(crate) struct PyGame {
    pub(crate) rules: Arc<dyn AnyGame>,
}

/// Opens the game written as `name` or `name:key=value,...`.
#[pyfunction]
pub(crate) fn game(text: &str) -> PyResult<PyGame> {
    Ok(PyGame { rules: guarded(|| raised(open_game(text)))??.into() })
}

#[pymethods]
impl PyGame {
    /// The shortest text that opens this game with these settings.
    #[getter]
    fn spec(&self) -> String {
        self.rules.info().spec.clone()
    }

    /// The name people use.
    #[getter]
    fn title(&self) -> String {
        self.rules.info().title.clone()
    }

    /// How many players.
    #[getter]
    fn players(&self) -> usize {
        self.rules.info().players
    }

    /// Whether chance acts.
    #[getter]
    fn chance(&self) -> bool {
        self.rules.info().chance
    }

    /// One more than the largest move id.
    #[getter]
    fn moves(&self) -> usize {
        self.rules.info().moves
    }

    /// Rows and columns of cells.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        let info = self.rules.info();
        (info.height, info.width)
    }

    /// How many values each cell can take.
    #[getter]
    fn cell_values(&self) -> Vec<usize> {
        self.rules.layout().values.into_iter().map(usize::from).collect()
    }

    /// How many symmetries the board has, the identity included.
    #[getter]
    fn symmetries(&self) -> usize {
        self.rules.info().symmetries
    }

    /// A game at its beginning. Chance draws from `seed`.
    #[pyo3(signature = (seed = Whole(0)), text_signature = "(self, seed=0)")]
    fn start(&self, seed: Whole<u64>) -> PyResult<PyState> {
        PyState::begin(Arc::clone(&self.rules), seed.0)
    }

    /// The state that `text` describes, as a new start.
    #[pyo3(signature = (text, seed = Whole(0)), text_signature = "(self, text, seed=0)")]
    fn state(&self, text: &str, seed: Whole<u64>) -> PyResult<PyState> {
        let state = PyState::begin(Arc::clone(&self.rules), seed.0)?;
        state.with(|live| raised(live.set_state(text)))??;
        Ok(state)
    }

    /// The state after what a record, a line of JSON, says.
    #[pyo3(signature = (record, seed = Whole(0)), text_signature = "(self, record, seed=0)")]
    fn replay(&self, record: &str, seed: Whole<u64>) -> PyResult<PyState> {
        let record = raised(Record::parse(record))?;
        let state = PyState::begin(Arc::clone(&self.rules), seed.0)?;
        state.with(|live| raised(live.replay(&record)))??;
        Ok(state)
    }

    /// No state yet, and room for many. Chance draws from `seed`.
    #[pyo3(signature = (seed = Whole(0)), text_signature = "(self, seed=0)")]
    fn batch(&self, seed: Whole<u64>) -> PyBatch {
        PyBatch::new(Arc::clone(&self.rules), self.rules.batch(seed.0))
    }

    /// The learned value in a file.
    fn value(&self, py: Python<'_>, path: &str) -> PyResult<PyValue> {
        let rules = Arc::clone(&self.rules);
        let learned = detached(py, || rules.value(path))?;
        Ok(PyValue::new(rules, raised(learned)?))
    }

    /// How many sequences of `depth` turns there are.
    fn perft(&self, py: Python<'_>, depth: Whole<u32>) -> PyResult<u64> {
        let rules = Arc::clone(&self.rules);
        abandonable(py, move || rules.perft(depth.0))
    }

    /// One random game written out.
    #[pyo3(signature = (seed = Whole(0)), text_signature = "(self, seed=0)")]
    fn playthrough(&self, py: Python<'_>, seed: Whole<u64>) -> PyResult<String> {
        let rules = Arc::clone(&self.rules);
        abandonable(py, move || rules.playthrough(seed.0))
    }

    /// Checks the promises of the rules over so many random games.
    #[pyo3(signature = (games = Whole(20)), text_signature = "(self, games=20)")]
    fn check(&self, py: Python<'_>, games: Whole<u64>) -> PyResult<()> {
        let rules = Arc::clone(&self.rules);
        raised(abandonable(py, move || rules.conformance(games.0))?)
    }

    fn __repr__(&self) -> String {
        format!("ludens.game({:?})", self.spec())
    }

    /// The object whose rules these are; None if they are not written in Python.
    #[getter]
    fn rules(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        rules_object(py, &*self.rules)
    }

    fn __eq__(&self, py: Python<'_>, other: &PyGame) -> bool {
        let object = |game: &PyGame| game.rules(py).map(|object| object.as_ptr());
        self.spec() == other.spec() && object(self) == object(other)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.spec().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let reduce = py.import("ludens.pickling")?.getattr("reduce_game")?;
        Ok(reduce.call1((self.spec(), self.rules(py)))?.cast_into()?)
    }
}
