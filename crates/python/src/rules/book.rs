//! The rule books that Python has handed over, by name.

use super::Rules;
use crate::errors::Invalid;
use ludens_core::CellLayout;
use ludens_registry::{GameEntry, entry};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What never changes about the rules of one game.
pub(super) struct Book {
    pub(super) object: Py<PyAny>,
    pub(super) players: usize,
    pub(super) moves: usize,
    pub(super) chance: bool,
    pub(super) layout: CellLayout,
    /// How many numbers `features` tells.
    pub(super) features: usize,
}

/// The line of the table of games that stands for all games written in Python.
pub(crate) static BOOKS: &[GameEntry] = &[entry::<Rules>()];

static SHELF: Mutex<BTreeMap<String, Arc<Book>>> = Mutex::new(BTreeMap::new());

/// What Python says about the rules of a game, once and for all.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct About {
    players: usize,
    moves: usize,
    chance: bool,
    shape: (usize, usize),
    cell_values: Vec<u8>,
    symmetries: Vec<Vec<u16>>,
    features: usize,
}

/// Makes the rules known as `python:NAME`.
#[pyfunction]
pub(crate) fn add_rules(name: String, about: About, rules: Py<PyAny>) -> PyResult<()> {
    let About { players, moves, chance, shape: (height, width), .. } = about;
    let most = ludens_core::MAX_PLAYERS;
    if !(1..=most).contains(&players) {
        return Err(Invalid::new_err(format!("players: expected 1 to {most}, found {players}")));
    }
    if width * height != about.cell_values.len() || width * height == 0 {
        let (cells, found) = (width * height, about.cell_values.len());
        return Err(Invalid::new_err(format!("cell_values: expected {cells} numbers: {found}")));
    }
    let grid = CellLayout::grid(width, height, 2).with_symmetries(about.symmetries);
    let layout = CellLayout { values: about.cell_values, ..grid };
    let features = about.features;
    let book = Book { object: rules, players, moves, chance, layout, features };
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let old = shelf.insert(name, Arc::new(book));
    drop(shelf);
    // Whoever frees it may run Python's code, which may open games.
    drop(old);
    Ok(())
}

/// The rules known by this name, or else all names.
pub(crate) fn rules_named(name: &str) -> Result<Rules, Vec<String>> {
    let shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let found = shelf.get(name).map(|book| Rules { book: Arc::clone(book) });
    found.ok_or_else(|| shelf.keys().cloned().collect())
}
