//! The rule books that Python has handed over, by name.

use super::PythonGame;
use crate::errors::Invalid;
use ludens_core::CellLayout;
use ludens_registry::{GameEntry, PluginGame, entry};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The constant data of a game's rules.
pub(super) struct RuleData {
    pub(super) object: Py<PyAny>,
    pub(super) title: String,
    about: String,
    pub(super) players: usize,
    pub(super) moves: usize,
    pub(super) chance: bool,
    pub(super) layout: CellLayout,
    /// The number of features.
    pub(super) features: usize,
}

/// The line of the table of games that stands for all games written in Python.
pub(crate) static GAME_ENTRIES: &[GameEntry] = &[entry::<PythonGame>()];

/// Most cells of a board, and most move ids.
const MOST_CELLS: usize = 10_000;
const MOST_MOVES: usize = 1_000_000;

static LISTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

static RULES: Mutex<BTreeMap<String, Arc<RuleData>>> = Mutex::new(BTreeMap::new());

/// The constant data of a game's rules, as Python passes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RuleDescription {
    players: usize,
    moves: usize,
    chance: bool,
    shape: (usize, usize),
    cell_values: Vec<u8>,
    symmetries: Vec<Vec<u16>>,
    features: usize,
    title: String,
    about: String,
}

/// Makes the rules known as `python:NAME`.
#[pyfunction]
pub(crate) fn add_rules(name: String, about: RuleDescription, rules: Py<PyAny>) -> PyResult<()> {
    let RuleDescription { players, moves, chance, shape: (height, width), .. } = about;
    let most = ludens_core::MAX_PLAYERS;
    if !(1..=most).contains(&players) {
        return Err(Invalid::new_err(format!("players: expected 1 to {most}, found {players}")));
    }
    let cells = width.saturating_mul(height);
    if !(1..=MOST_CELLS).contains(&cells) {
        let expected = format!("shape: expected 1 to {MOST_CELLS} cells");
        return Err(Invalid::new_err(format!("{expected}, found {height} rows of {width}")));
    }
    if cells != about.cell_values.len() || about.cell_values.contains(&0) {
        let (expected, found) = ("numbers above 0", about.cell_values.len());
        return Err(Invalid::new_err(format!(
            "cell_values: expected {cells} {expected}, found {found}: {:?}",
            about.cell_values
        )));
    }
    if !(1..=MOST_MOVES).contains(&moves) {
        let expected = format!("moves: expected 1 to {MOST_MOVES}");
        return Err(Invalid::new_err(format!("{expected}, found {moves}")));
    }
    check_symmetries(&about.symmetries, cells)?;
    let grid = CellLayout::grid(width, height, 2).with_symmetries(about.symmetries);
    let layout = CellLayout { values: about.cell_values.clone(), ..grid };
    let RuleDescription { features, title, about, .. } = about;
    let book = RuleData { object: rules, title, about, players, moves, chance, layout, features };
    let mut rules_by_name = RULES.lock().unwrap_or_else(PoisonError::into_inner);
    let old = rules_by_name.insert(name, Arc::new(book));
    drop(rules_by_name);
    // Dropping the old rules may run Python code, which may open games.
    drop(old);
    Ok(())
}

fn check_symmetries(symmetries: &[Vec<u16>], cells: usize) -> PyResult<()> {
    let all: Vec<u16> = (0..cells as u16).collect();
    let wrong = symmetries.iter().find(|symmetry| {
        let mut sorted = (*symmetry).clone();
        sorted.sort_unstable();
        sorted != all
    });
    wrong.map_or(Ok(()), |symmetry| {
        let expected = format!("symmetries: expected permutations of 0 to {}", cells - 1);
        Err(Invalid::new_err(format!("{expected}, found {symmetry:?}")))
    })
}

/// The object that was made known by this name.
#[pyfunction]
pub(crate) fn known_rules(py: Python<'_>, name: &str) -> Option<Py<PyAny>> {
    let rules_by_name = RULES.lock().unwrap_or_else(PoisonError::into_inner);
    rules_by_name.get(name).map(|book| book.object.clone_ref(py))
}

/// Lists these rules on the page, beside all other games.
#[pyfunction]
pub(crate) fn list_rules(names: Vec<String>) {
    *LISTED.lock().unwrap_or_else(PoisonError::into_inner) = names;
}

/// The rules that are listed on the page.
pub(crate) fn listed() -> Vec<PluginGame> {
    let names = LISTED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let rules_by_name = RULES.lock().unwrap_or_else(PoisonError::into_inner);
    let listed = |name: &String| {
        let about = rules_by_name.get(name)?.about.clone();
        Some(PluginGame { spec: format!("python:rules={name}"), about })
    };
    names.iter().filter_map(listed).collect()
}

/// The rules known by this name, or else all names.
pub(crate) fn rules_named(name: &str) -> Result<PythonGame, Vec<String>> {
    let rules_by_name = RULES.lock().unwrap_or_else(PoisonError::into_inner);
    let found = rules_by_name.get(name).map(|book| PythonGame { book: Arc::clone(book) });
    found.ok_or_else(|| rules_by_name.keys().cloned().collect())
}
