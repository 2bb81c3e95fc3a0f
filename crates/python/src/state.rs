//! Games in progress.

use crate::batch::PyBatch;
use crate::errors::{Failed, Invalid, raised};
use crate::integers::Whole;
use crate::work::{abandonable, enter, guarded};
use ludens_core::{Forfeit, Move, Rewards, Turn};
use ludens_registry::{AnyGame, LiveGame};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::sync::{Arc, Mutex};

/// A game that somebody is playing: a state, how it came about, and what can be played next.
#[pyclass(frozen, name = "State", module = "ludens")]
pub(crate) struct PyState {
    rules: Arc<dyn AnyGame>,
    live: Mutex<Box<dyn LiveGame>>,
}

/// Plays a move, given as players write it or by its id.
fn play(live: &mut dyn LiveGame, mv: &Bound<'_, PyAny>) -> PyResult<Rewards> {
    if let Ok(text) = mv.cast::<PyString>() {
        return raised(live.play(text.to_cow()?.as_ref()));
    }
    if let Ok(id) = mv.extract::<u32>() {
        return raised(live.play_id(Move(id)));
    }
    if mv.py().import("operator")?.call_method1("index", (mv,)).is_err() {
        let expected = "expected a move as text or by its id";
        return Err(PyTypeError::new_err(format!("{expected}, found {mv:?}")));
    }
    Err(Invalid::new_err(format!("move id {mv} is not legal here; ids are numbers from 0")))
}

/// The text that opens an agent, given in any way that Python allows.
fn agent_text(agent: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = agent.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    let convert = agent.py().import("ludens.choosing")?.getattr("agent_text")?;
    convert.call1((agent,))?.extract()
}

/// The share of visits of each legal move; without visits, all for the move that is chosen.
fn shares(live: &mut dyn LiveGame) -> Result<Vec<f64>, Forfeit> {
    let visits = live.study(0).and_then(|analysis| analysis.visits);
    let total = visits.iter().flatten().sum::<u64>();
    if let Some(visits) = visits.filter(|_| total > 0) {
        return Ok(visits.into_iter().map(|count| count as f64 / total as f64).collect());
    }
    let chosen = live.choose()?.choice.mv;
    Ok(live.legal().into_iter().map(|(mv, _)| f64::from(u8::from(mv == chosen))).collect())
}

impl PyState {
    pub(crate) fn begin(rules: Arc<dyn AnyGame>, seed: u64) -> PyResult<PyState> {
        let live = Mutex::new(guarded(|| rules.live(seed))?);
        Ok(PyState { rules, live })
    }

    /// Works with the game, unless another thread does at the moment.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut dyn LiveGame) -> T) -> PyResult<T> {
        let mut live = enter(&self.live, "state")?;
        guarded(|| work(&mut **live))
    }

    /// The same game, with the agents' random seed `seed` and `agent` seated for the player to
    /// move.
    fn seated(&self, agent: &str, seed: u64) -> PyResult<Box<dyn LiveGame>> {
        let mut live = self.with(|live| live.fork())?;
        guarded(|| {
            let Turn::Player(player) = live.turn() else {
                return Err(Invalid::new_err("the game is over"));
            };
            live.reseed(seed);
            raised(live.seat(player, agent))
        })??;
        Ok(live)
    }
}

#[pymethods]
impl PyState {
    /// Who is to move, counted from 0; None if the game is over.
    #[getter]
    fn player(&self) -> PyResult<Option<u8>> {
        self.with(|live| match live.turn() {
            Turn::Player(player) => Some(player.0),
            Turn::Chance | Turn::Over => None,
        })
    }

    /// Whether the game is over.
    #[getter]
    fn over(&self) -> PyResult<bool> {
        Ok(self.player()?.is_none())
    }

    /// What each player has gained so far.
    #[getter]
    fn rewards(&self) -> PyResult<Vec<f32>> {
        let players = self.rules.info().players;
        self.with(|live| live.rewards().first(players).to_vec())
    }

    /// What was played so far; chance's draws are in brackets.
    #[getter]
    fn history(&self) -> PyResult<Vec<String>> {
        self.with(|live| live.history())
    }

    /// The state in one line; `Game.state` reads it back.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.with(|live| live.state_text())
    }

    /// The game that is played, as `ludens.game` opens it.
    #[getter]
    fn game(&self) -> crate::game::PyGame {
        crate::game::PyGame { rules: Arc::clone(&self.rules) }
    }

    /// What was played from which start, as a line of JSON; `Game.replay` reads it back.
    #[getter]
    fn record(&self) -> PyResult<String> {
        self.with(|live| live.record().to_line().trim_end().to_owned())
    }

    /// The legal moves as players write them.
    fn legal_moves(&self) -> PyResult<Vec<String>> {
        self.with(|live| live.legal().into_iter().map(|(_, text)| text).collect())
    }

    /// The ids of the legal moves, ascending, in the order of `legal_moves`.
    fn legal_ids(&self) -> PyResult<Vec<u32>> {
        self.with(|live| live.legal_ids().into_iter().map(|mv| mv.0).collect())
    }

    /// Which of all move ids are legal, as an array of bools.
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.rules.info().moves];
        self.with(|live| live.read_legal(&mut mask))?;
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Plays a move and returns what each player gained, chance's reply included.
    #[pyo3(signature = (r#move))]
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
        let players = self.rules.info().players;
        self.with(|live| Ok(play(live, r#move)?.first(players).to_vec()))?
    }

    /// Takes back the last move and what chance replied. False if there is none.
    fn undo(&self) -> PyResult<bool> {
        self.with(|live| live.undo())
    }

    /// The cells as `player` sees them, row by row; if none is named, as the player to move does.
    #[pyo3(signature = (player = None))]
    fn cells<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole<u8>>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let info = self.rules.info();
        let pov = crate::batch::pov(player.map(|player| player.0), info.players)?;
        let mut cells = vec![0; info.width * info.height];
        self.with(|live| live.read_cells(pov, &mut cells))?;
        PyArray1::from_vec(py, cells).reshape([info.height, info.width])
    }

    /// This state alone, as a batch.
    fn batch(&self) -> PyResult<PyBatch> {
        Ok(PyBatch::new(Arc::clone(&self.rules), self.with(|live| live.batch())?))
    }

    /// What an agent, written as `name:key=value,...`, would play here.
    #[pyo3(signature = (agent, seed = Whole(0)), text_signature = "(self, agent, seed=0)")]
    fn choose(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        seed: Whole<u64>,
    ) -> PyResult<String> {
        let mut live = self.seated(&agent_text(agent)?, seed.0)?;
        Ok(raised(abandonable(py, move || live.choose())?)?.text)
    }

    /// The probability with which an agent would play each legal move: text to probability.
    ///
    /// From the visits of a tree search; otherwise the agent's choice has probability 1.
    #[pyo3(signature = (agent, seed = Whole(0)), text_signature = "(self, agent, seed=0)")]
    fn policy<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'_, PyAny>,
        seed: Whole<u64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut live = self.seated(&agent_text(agent)?, seed.0)?;
        let texts: Vec<String> = live.legal().into_iter().map(|(_, text)| text).collect();
        let shares = abandonable(py, move || shares(&mut *live))?;
        let policy = PyDict::new(py);
        for (text, share) in texts.into_iter().zip(raised(shares)?) {
            policy.set_item(text, share)?;
        }
        Ok(policy)
    }

    /// What an agent thinks of each legal move: text to value; None if it holds no opinion.
    #[pyo3(signature = (agent, seed = Whole(0)), text_signature = "(self, agent, seed=0)")]
    fn move_values<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'_, PyAny>,
        seed: Whole<u64>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut live = self.seated(&agent_text(agent)?, seed.0)?;
        let (live, values) = abandonable(py, move || {
            let values = live.move_values();
            (live, values)
        })?;
        let Some(values) = values else { return Ok(None) };
        let values_by_move = PyDict::new(py);
        for ((_, text), value) in live.legal().into_iter().zip(values) {
            values_by_move.set_item(text, value)?;
        }
        Ok(Some(values_by_move))
    }

    /// A copy that goes its own way from here, with the same luck.
    fn copy(&self) -> PyResult<PyState> {
        let live = Mutex::new(self.with(|live| live.fork())?);
        Ok(PyState { rules: Arc::clone(&self.rules), live })
    }

    /// The random stream of chance, as JSON.
    #[getter]
    fn chance_stream(&self) -> PyResult<String> {
        let stream = self.with(|live| live.chance_stream())?;
        serde_json::to_string(&stream).map_err(|e| Failed::new_err(e.to_string()))
    }

    /// From now on chance draws from this stream, as `chance_stream` tells it.
    fn set_chance_stream(&self, stream: &str) -> PyResult<()> {
        let stream = serde_json::from_str(stream).map_err(|e| Invalid::new_err(e.to_string()))?;
        self.with(|live| live.set_chance_stream(stream))
    }

    fn __copy__(&self) -> PyResult<PyState> {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<PyState> {
        self.copy()
    }

    fn __str__(&self) -> PyResult<String> {
        self.with(|live| live.scene().to_text().trim_end().to_owned())
    }

    fn __repr__(&self) -> PyResult<String> {
        let spec = &self.rules.info().spec;
        Ok(format!("ludens.game({spec:?}).state({:?})", self.text()?))
    }

    /// The board as a picture.
    fn _repr_svg_(&self) -> PyResult<String> {
        self.with(|live| live.scene().to_svg())
    }

    fn __eq__(&self, other: &PyState) -> PyResult<bool> {
        Ok(self.rules.info().spec == other.rules.info().spec && self.text()? == other.text()?)
    }

    fn __hash__(&self) -> PyResult<isize> {
        Err(PyTypeError::new_err("states change; hash their text"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("ludens.pickling")?.getattr("restore_state")?;
        (restore, (self.game(), self.record()?, self.chance_stream()?)).into_pyobject(py)
    }
}
