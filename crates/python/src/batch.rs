//! Batches of states.

use crate::errors::{Invalid, raised};
use crate::state::PyState;
use crate::work::{detached, enter, guarded};
use ludens_core::{Move, Player, Turn};
use ludens_registry::AnyGame;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

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

/// Whole numbers as move ids. Whatever is no move id is no legal one, and free after the end.
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
    let id = |&id: &i64| Move(u32::try_from(id).unwrap_or(u32::MAX));
    Ok(numbers.as_array().iter().map(id).collect())
}

impl PyBatch {
    pub(crate) fn new(rules: Arc<dyn AnyGame>, row: BoxedBatch) -> PyBatch {
        PyBatch { rules, row: Mutex::new(row) }
    }

    /// Works with the states, unless another thread does at the moment.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut BoxedBatch) -> T) -> PyResult<T> {
        let mut row = enter(&self.row, "batch")?;
        guarded(|| work(&mut row))
    }

    /// Refuses more states than a machine has room for.
    fn check_room(&self, more: usize) -> PyResult<()> {
        match self.__len__()?.saturating_add(more) {
            0..=MOST => Ok(()),
            many => {
                let expected = format!("expected at most {MOST} states in a batch");
                Err(Invalid::new_err(format!("{expected}, found {many}")))
            }
        }
    }

    /// The same without the interpreter lock.
    fn with_detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut BoxedBatch) -> T + Send,
    ) -> PyResult<T> {
        detached(py, || Ok(work(&mut *enter(&self.row, "batch")?)))?
    }
}

#[pymethods]
impl PyBatch {
    fn __len__(&self) -> PyResult<usize> {
        self.with(|row| row.len())
    }

    /// Adds `count` games at their beginning.
    #[pyo3(signature = (count = 1))]
    fn add_starts(&self, py: Python<'_>, count: usize) -> PyResult<()> {
        self.check_room(count)?;
        self.with_detached(py, |row| row.add_starts(count))
    }

    /// Adds `count` states on players' turns, met in random games.
    fn add_random(&self, py: Python<'_>, count: usize) -> PyResult<()> {
        self.check_room(count)?;
        self.with_detached(py, |row| row.add_random(count))
    }

    /// Adds states, given by their texts.
    fn add(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<()> {
        self.check_room(texts.len())?;
        self.with_detached(py, |row| texts.iter().try_for_each(|text| raised(row.add(text))))?
    }

    /// The state with this index, on its own.
    fn __getitem__(&self, index: isize) -> PyResult<PyState> {
        let length = self.__len__()?;
        let wanted = if index < 0 { index + length as isize } else { index };
        let known = usize::try_from(wanted).ok().filter(|&index| index < length);
        let missing = || pyo3::exceptions::PyIndexError::new_err(format!("no state {index}"));
        let text = self.with(|row| known.map(|index| row.text(index)))?.ok_or_else(missing)?;
        let state = PyState::begin(Arc::clone(&self.rules), 0)?;
        state.with(|live| raised(live.set_state(&text)))??;
        Ok(state)
    }

    /// The states, each in one line.
    fn texts(&self) -> PyResult<Vec<String>> {
        self.with(|row| (0..row.len()).map(|index| row.text(index)).collect())
    }

    /// Who is to move in each state, counted from 0; -1 where the game is over.
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let player = |turn| match turn {
            Turn::Player(player) => player.0 as i8,
            Turn::Chance | Turn::Over => -1,
        };
        let players =
            self.with(|row| (0..row.len()).map(|index| player(row.turn(index))).collect())?;
        Ok(PyArray1::from_vec(py, players))
    }

    /// The cells of all states as `player` sees them; if none is named, as the player to move does.
    #[pyo3(signature = (player = None))]
    fn cells<'py>(
        &self,
        py: Python<'py>,
        player: Option<u8>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let info = self.rules.info();
        let pov = pov(player, info.players)?;
        let (cells, length) = self.with_detached(py, |row| {
            let mut cells = vec![0; row.len() * info.width * info.height];
            row.read_cells(pov, &mut cells);
            (cells, row.len())
        })?;
        PyArray1::from_vec(py, cells).reshape([length, info.height, info.width])
    }

    /// For all states and move ids whether the move is legal.
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let moves = self.rules.info().moves;
        let (legal, length) = self.with_detached(py, |row| {
            let mut legal = vec![false; row.len() * moves];
            row.read_legal(&mut legal);
            (legal, row.len())
        })?;
        PyArray1::from_vec(py, legal).reshape([length, moves])
    }

    /// Plays one move id in every state that is not over; returns what each player gained.
    fn play<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let players = self.rules.info().players;
        let moves = move_ids(moves)?;
        let rewards = raised(self.with_detached(py, |row| row.play(&moves))?)?;
        let flat = rewards.iter().flat_map(|rewards| rewards.first(players)).copied().collect();
        PyArray1::from_vec(py, flat).reshape([moves.len(), players])
    }

    /// A copy that goes its own way from here, with the same luck.
    fn copy(&self) -> PyResult<PyBatch> {
        Ok(PyBatch::new(Arc::clone(&self.rules), self.with(|row| row.fork())?))
    }

    fn __copy__(&self) -> PyResult<PyBatch> {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<PyBatch> {
        self.copy()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<{} states of {}>", self.__len__()?, self.rules.info().spec))
    }
}
