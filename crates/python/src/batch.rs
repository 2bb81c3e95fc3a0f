//! Batches of states.

use crate::errors::{Failed, Invalid, raised};
use crate::game::PyGame;
use crate::integers::Whole;
use crate::state::PyState;
use crate::work::detached;
use ludens_core::{Move, Player, Turn};
use ludens_registry::{AnyGame, BatchStreams, STAY};
use numpy::{PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex, PoisonError};

type BoxedBatch = Box<dyn ludens_registry::Batch>;

/// Many states of one game, side by side: what is asked of all of them costs one call.
#[pyclass(frozen, name = "Batch", module = "ludens")]
pub(crate) struct PyBatch {
    rules: Arc<dyn AnyGame>,
    row: Mutex<BoxedBatch>,
}

/// Most states in a batch.
const MOST: usize = 10_000_000;

/// The point of view for reading cells.
pub(crate) fn pov(player: Option<u8>, players: usize) -> PyResult<Option<Player>> {
    match player {
        Some(player) if usize::from(player) >= players => Err(Invalid::new_err(format!(
            "there is no player {player}; they count from 0 to {}",
            players - 1
        ))),
        other => Ok(other.map(Player)),
    }
}

/// Whole numbers as move ids; -1 stands for no move. Other numbers that are no ids are not legal.
fn move_ids(moves: &Bound<'_, PyAny>) -> PyResult<Vec<Move>> {
    let array = moves.py().import("numpy")?.call_method1("asarray", (moves,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let whole = ["i", "u"].contains(&kind.as_str()) || array.len().is_ok_and(|count| count == 0);
    let refuse = || {
        Invalid::new_err(format!("expected one row of whole numbers, one a state, found {moves}"))
    };
    if !whole {
        return Err(refuse());
    }
    let numbers = array.call_method1("astype", ("int64",))?;
    let numbers = numbers.extract::<PyReadonlyArray1<'_, i64>>().map_err(|_| refuse())?;
    let id = |&id: &i64| match id {
        -1 => STAY,
        id => Move(u32::try_from(id).unwrap_or(u32::MAX - 1)),
    };
    Ok(numbers.as_array().iter().map(id).collect())
}

impl PyBatch {
    pub(crate) fn new(rules: Arc<dyn AnyGame>, row: BoxedBatch) -> PyBatch {
        PyBatch { rules, row: Mutex::new(row) }
    }

    /// Works with the states, without the interpreter lock; another thread that does is waited for.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut BoxedBatch) -> T + Send,
    ) -> PyResult<T> {
        detached(py, || work(&mut self.row.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Refuses more states than a machine has room for.
    fn check_room(&self, py: Python<'_>, more: usize) -> PyResult<()> {
        match self.__len__(py)?.saturating_add(more) {
            0..=MOST => Ok(()),
            many => {
                let expected = format!("expected at most {MOST} states in a batch");
                Err(Invalid::new_err(format!("{expected}, found {many}")))
            }
        }
    }

    /// The indices that numpy means by a slice, a mask or an array of indices.
    fn indices(&self, py: Python<'_>, chosen: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let all = py.import("numpy")?.call_method1("arange", (self.__len__(py)?,))?;
        let found = all.get_item(chosen)?.call_method1("astype", ("int64",))?;
        let found = found.extract::<PyReadonlyArray1<'_, i64>>()?;
        Ok(found.as_array().iter().map(|&index| index as usize).collect())
    }
}

impl PyBatch {
    /// The state with this index, on its own.
    fn state(&self, py: Python<'_>, index: isize) -> PyResult<PyState> {
        let length = self.__len__(py)?;
        let wanted = if index < 0 { index + length as isize } else { index };
        let known = usize::try_from(wanted).ok().filter(|&index| index < length);
        let missing = || PyIndexError::new_err(format!("no state {index}"));
        let text = self.with(py, |row| known.map(|index| row.text(index)))?.ok_or_else(missing)?;
        let state = PyState::begin(Arc::clone(&self.rules), 0)?;
        state.with(|live| raised(live.set_state(&text)))??;
        Ok(state)
    }
}

/// Begins a new game wherever one has ended.
fn restart_finished(batch: &mut dyn ludens_registry::Batch) {
    for index in 0..batch.len() {
        if batch.turn(index) == Turn::Over {
            batch.restart(index);
        }
    }
}

/// The boards as planes: in each board, one plane for each value, with ones where a cell has it.
fn one_hot(cells: &[u8], size: usize, values: usize) -> Vec<f32> {
    let mut planes = vec![0.0; cells.len() * values];
    for (index, &cell) in cells.iter().enumerate() {
        let (board, cell_index) = (index / size, index % size);
        planes[(board * values + usize::from(cell)) * size + cell_index] = 1.0;
    }
    planes
}

#[pymethods]
impl PyBatch {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |row| row.len())
    }

    /// Adds `count` games at their beginning.
    #[pyo3(signature = (count = Whole(1)), text_signature = "(self, count=1)")]
    fn add_starts(&self, py: Python<'_>, count: Whole<usize>) -> PyResult<()> {
        let Whole(count) = count;
        self.check_room(py, count)?;
        self.with(py, |row| row.add_starts(count))
    }

    /// Adds `count` states on players' turns, met in random games.
    fn add_random(&self, py: Python<'_>, count: Whole<usize>) -> PyResult<()> {
        let Whole(count) = count;
        self.check_room(py, count)?;
        self.with(py, |row| row.add_random(count))
    }

    /// Adds states, given by their texts.
    fn add(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<()> {
        self.check_room(py, texts.len())?;
        self.with(py, |row| texts.iter().try_for_each(|text| raised(row.add(text))))?
    }

    /// The state with this index, on its own; with a slice, a mask or an array, another batch.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(index) = index.extract::<isize>() else {
            let indices = self.indices(py, index)?;
            let chosen = self.with(py, |row| row.select(&indices))?;
            let batch = PyBatch::new(Arc::clone(&self.rules), chosen);
            return Ok(Bound::new(py, batch)?.into_any());
        };
        Ok(Bound::new(py, self.state(py, index)?)?.into_any())
    }

    /// The states, each in one line.
    fn texts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |row| (0..row.len()).map(|index| row.text(index)).collect())
    }

    /// Who is to move in each state, counted from 0; -1 where the game is over.
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let player = |turn| match turn {
            Turn::Player(player) => player.0 as i8,
            Turn::Chance | Turn::Over => -1,
        };
        let players =
            self.with(py, |row| (0..row.len()).map(|index| player(row.turn(index))).collect())?;
        Ok(PyArray1::from_vec(py, players))
    }

    /// The cells of all states as `player` sees them; if none is named, as the player to move does.
    #[pyo3(signature = (player = None))]
    fn cells<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole<u8>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let info = self.rules.info();
        let pov = pov(player.map(|player| player.0), info.players)?;
        let (cells, length) = self.with(py, |row| {
            let mut cells = vec![0; row.len() * info.width * info.height];
            row.read_cells(pov, &mut cells);
            (cells, row.len())
        })?;
        PyArray1::from_vec(py, cells).reshape([length, info.height, info.width])
    }

    /// For all states and move ids whether the move is legal.
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let moves = self.rules.info().moves;
        let (legal, length) = self.with(py, |row| {
            let mut legal = vec![false; row.len() * moves];
            row.read_legal(&mut legal);
            (legal, row.len())
        })?;
        PyArray1::from_vec(py, legal).reshape([length, moves])
    }

    /// The cells of all states as one-hot planes, one plane for each value of a cell.
    #[pyo3(signature = (player = None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole<u8>>,
    ) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let info = self.rules.info();
        let pov = pov(player.map(|player| player.0), info.players)?;
        let (size, values) = (info.width * info.height, usize::from(info.values));
        let (planes, length) = self.with(py, |row| {
            let mut cells = vec![0; row.len() * size];
            row.read_cells(pov, &mut cells);
            (one_hot(&cells, size, values), row.len())
        })?;
        PyArray1::from_vec(py, planes).reshape([length, values, info.height, info.width])
    }

    /// Plays one move id in every state that is not over; returns what each player gained.
    ///
    /// Where the id is -1, the state stays as it is.
    /// With `reset`, a new game begins wherever one has ended.
    #[pyo3(signature = (moves, reset = false))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
        reset: bool,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let players = self.rules.info().players;
        let moves = move_ids(moves)?;
        let rewards = raised(self.with(py, |row| {
            let rewards = row.play(&moves)?;
            if reset {
                restart_finished(&mut **row);
            }
            Ok::<_, ludens_core::Invalid>(rewards)
        })?)?;
        let flat = rewards.iter().flat_map(|rewards| rewards.first(players)).copied().collect();
        PyArray1::from_vec(py, flat).reshape([moves.len(), players])
    }

    /// Begins new games in the states that a mask or indices name; else where one has ended.
    #[pyo3(signature = (chosen = None))]
    fn reset(&self, py: Python<'_>, chosen: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(chosen) = chosen else {
            return self.with(py, |row| restart_finished(&mut **row));
        };
        let indices = self.indices(py, chosen)?;
        self.with(py, |row| indices.iter().for_each(|&index| row.restart(index)))
    }

    /// The game whose states these are.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { rules: Arc::clone(&self.rules) }
    }

    /// The random streams of all states, as JSON.
    #[getter]
    fn chance_streams(&self, py: Python<'_>) -> PyResult<String> {
        let streams = self.with(py, |row| row.streams())?;
        serde_json::to_string(&streams).map_err(|e| Failed::new_err(e.to_string()))
    }

    /// From now on chance draws from these streams, as `chance_streams` tells them.
    fn set_chance_streams(&self, py: Python<'_>, streams: &str) -> PyResult<()> {
        let streams: BatchStreams =
            serde_json::from_str(streams).map_err(|e| Invalid::new_err(e.to_string()))?;
        raised(self.with(py, |row| row.set_streams(streams))?)
    }

    /// A copy that goes its own way from here, with the same luck.
    fn copy(&self, py: Python<'_>) -> PyResult<PyBatch> {
        Ok(PyBatch::new(Arc::clone(&self.rules), self.with(py, |row| row.fork())?))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<PyBatch> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<PyBatch> {
        self.copy(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("ludens.pickling")?.getattr("restore_batch")?;
        let streams = self.chance_streams(py)?;
        (restore, (self.game(), self.texts(py)?, streams)).into_pyobject(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<{} states of {}>", self.__len__(py)?, self.rules.info().spec))
    }
}
