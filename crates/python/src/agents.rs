//! Agents written in Python.

use crate::work::throw;
use ludens_core::{Forfeit, Move};
use ludens_registry::{ExternalAgent, GameView};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static AGENTS: Mutex<BTreeMap<String, Py<PyAny>>> = Mutex::new(BTreeMap::new());

/// Makes a function that picks moves known as the agent `python:NAME`.
///
/// It is called with the state, the start, what was played, the legal moves as texts and ids, the
/// player to move, and the cells as that player sees them with their shape and the number of move
/// ids; it returns the id of a move.
#[pyfunction]
pub(crate) fn add_agent(name: String, choose: Py<PyAny>) {
    let mut agents = AGENTS.lock().unwrap_or_else(PoisonError::into_inner);
    let old = agents.insert(name, choose);
    drop(agents);
    // Dropping the old function may run Python code, which may add agents.
    drop(old);
}

/// The agent written as `python:NAME`.
pub(crate) fn open(text: &str) -> Option<Box<dyn ExternalAgent>> {
    let name = text.trim().strip_prefix("python:")?;
    // Python is waited for before the table, as everywhere.
    Python::attach(|py| {
        let agents = AGENTS.lock().unwrap_or_else(PoisonError::into_inner);
        let choose = agents.get(name)?.clone_ref(py);
        Some(Box::new(PythonAgent(choose)) as Box<dyn ExternalAgent>)
    })
}

struct PythonAgent(Py<PyAny>);

impl ExternalAgent for PythonAgent {
    fn choose(&mut self, view: &GameView) -> Result<Move, Forfeit> {
        let legal: Vec<(&str, u32)> =
            view.legal.iter().map(|(mv, text)| (text.as_str(), mv.0)).collect();
        let board = (&view.cells[..], view.shape, view.num_moves);
        let arguments = (&view.state, &view.start, &view.history, legal, view.player.0, board);
        let chosen = Python::attach(|py| self.0.call1(py, arguments)?.extract(py));
        // A mistake in an agent under construction is to be seen, not to lose games.
        chosen.map(Move).map_err(|error: PyErr| throw(error))
    }
}
