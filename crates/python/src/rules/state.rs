//! A state of a game that is written in Python.

use ludens_core::{MAX_PLAYERS, Move, Player, Rewards, Turn};
use pyo3::prelude::*;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A state of a game that is written in Python, and what is known about it.
#[derive(Clone)]
pub(crate) struct PythonState(Arc<StateData>);

struct StateData {
    object: Py<PyAny>,
    hash: isize,
    facts: OnceLock<StateFacts>,
    cells: [OnceLock<Box<[u8]>>; MAX_PLAYERS],
    /// The successors. Evaluating all moves and then playing one would compute it twice.
    next: Mutex<Vec<(Move, PythonState, Rewards)>>,
}

/// The turn and the legal moves of a state.
pub(super) struct StateFacts {
    pub(super) turn: Turn,
    pub(super) legal: Vec<Move>,
}

impl PythonState {
    /// A state that Python can hash.
    pub(super) fn new(object: &Bound<'_, PyAny>) -> PyResult<PythonState> {
        let hash = object.hash()?;
        let (object, facts) = (object.clone().unbind(), OnceLock::new());
        let (cells, next) = (Default::default(), Mutex::default());
        Ok(PythonState(Arc::new(StateData { object, hash, facts, cells, next })))
    }

    /// The object that Python knows.
    pub(super) fn object(&self) -> &Py<PyAny> {
        &self.0.object
    }

    // A lock that is held while Python works could be waited for with the interpreter lock in hand.
    // So two threads may find out the same, and the first one is believed.

    pub(super) fn facts(
        &self,
        find: impl FnOnce(Python<'_>, &Py<PyAny>) -> StateFacts,
    ) -> &StateFacts {
        if let Some(facts) = self.0.facts.get() {
            return facts;
        }
        let found = Python::attach(|py| find(py, &self.0.object));
        let _ = self.0.facts.set(found);
        self.0.facts.get().expect("it has just been set")
    }

    pub(super) fn cells(&self, pov: Player, find: impl FnOnce() -> Vec<u8>) -> &[u8] {
        let slot = &self.0.cells[pov.index()];
        if let Some(cells) = slot.get() {
            return cells;
        }
        let _ = slot.set(find().into());
        slot.get().expect("it has just been set")
    }

    pub(super) fn after(
        &self,
        mv: Move,
        find: impl FnOnce(&PythonState) -> (PythonState, Rewards),
    ) -> (PythonState, Rewards) {
        let known = |next: &Vec<(Move, PythonState, Rewards)>| {
            let found = next.iter().find(|(known, ..)| *known == mv);
            found.map(|(_, next, rewards)| (next.clone(), *rewards))
        };
        let found = known(&self.0.next.lock().unwrap_or_else(PoisonError::into_inner));
        found.unwrap_or_else(|| {
            let (next, rewards) = find(self);
            let mut all = self.0.next.lock().unwrap_or_else(PoisonError::into_inner);
            all.push((mv, next.clone(), rewards));
            (next, rewards)
        })
    }
}

impl PartialEq for PythonState {
    fn eq(&self, other: &PythonState) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        // States that cannot be compared are not the same.
        self.0.hash == other.0.hash
            && Python::attach(|py| {
                self.object().bind(py).eq(other.object().bind(py)).unwrap_or(false)
            })
    }
}

impl Eq for PythonState {}

impl Hash for PythonState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash.hash(hasher);
    }
}

impl std::fmt::Debug for PythonState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Python::attach(|py| write!(f, "{:?}", self.object().bind(py)))
    }
}
