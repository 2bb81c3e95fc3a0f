//! Cells, names and pictures of games that are written in Python.

use super::{PythonGame, PythonState, rules_named};
use crate::errors::Invalid as Mistake;
use crate::work::throw;
use ludens_core::scene::{Piece, SceneCell, Shape};
use ludens_core::{
    Bitboards, CellBoard, CellLayout, Chosen, Event, FeatureSet, Invalid, Move, Notation, Played,
    Player, Scene, Setting,
};
use pyo3::prelude::*;

/// Piece colours that colour-blind readers can distinguish (Okabe and Ito 2008).
const COLORS: [&str; 7] =
    ["#d55e00", "#0072b2", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#f0e442"];

impl Bitboards for PythonGame {}

impl CellBoard for PythonGame {
    fn layout(&self) -> CellLayout {
        self.book.layout.clone()
    }

    fn read_cells(&self, state: &PythonState, pov: Player, cells: &mut [u8]) {
        let found = state.cells(pov, || {
            Python::attach(|py| {
                self.ask(py, "cells", (state.object().bind(py), pov.0), |cells| {
                    let found: Vec<u8> =
                        cells.try_iter()?.map(|cell| cell?.extract()).collect::<PyResult<_>>()?;
                    self.check_cells(state, &found).map(|()| found)
                })
            })
        });
        cells.copy_from_slice(found);
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        if symmetry == 0 {
            return mv;
        }
        Move(self.number("map_move", symmetry, mv.0))
    }

    fn map_event(&self, symmetry: usize, event: Event) -> Event {
        if symmetry == 0 {
            return event;
        }
        Event(self.number("map_event", symmetry, event.0))
    }
}

impl Notation for PythonGame {
    const NAME: &'static str = "python";
    const TITLE: &'static str = "a game written in Python";
    const ABOUT: &'static str = "Plays by rules that a program has handed over.";
    const SETTINGS: &'static [Setting] =
        &[Setting::text("rules", None, "the name of the rules").keyless()];

    fn configure(chosen: &Chosen) -> Result<PythonGame, Invalid> {
        let name = chosen.text("rules").unwrap_or_default();
        rules_named(name).map_err(|known| {
            let unknown = Invalid::unknown("game", name, known.iter().map(String::as_str));
            Invalid(format!("{unknown}; ludens.game(...) makes rules known"))
        })
    }

    fn title(&self) -> String {
        self.book.title.clone()
    }

    fn features() -> Vec<FeatureSet<PythonGame>> {
        vec![FeatureSet {
            name: "rules",
            about: "the numbers that the method `features` tells",
            len: |rules| rules.book.features,
            read: read_features,
            names: |rules| (0..rules.book.features).map(|i| format!("feature {i}")).collect(),
        }]
    }

    fn move_text(&self, state: &PythonState, mv: Move) -> String {
        self.written("move_text", state, Some(mv.0))
    }

    fn event_text(&self, state: &PythonState, event: Event) -> String {
        self.written("event_text", state, Some(event.0))
    }

    fn state_text(&self, state: &PythonState) -> String {
        self.written("state_text", state, None)
    }

    fn parse_state(&self, text: &str) -> Result<PythonState, Invalid> {
        Python::attach(|py| {
            let read = self.book.object.bind(py).call_method1("parse_state", (text,));
            read.and_then(|state| PythonState::new(&state))
        })
        .map_err(|e| Invalid(format!("{text:?} is no state: {e}")))
    }

    fn scene(&self, state: &PythonState, last: Option<Played>) -> Scene {
        let layout = &self.book.layout;
        let mut cells = vec![0; layout.num_cells()];
        self.read_cells(state, Player(0), &mut cells);
        let glyph = |value: u8| {
            Python::attach(|py| self.ask(py, "glyph", (value,), |glyph| glyph.extract::<char>()))
        };
        let piece = |value: u8| match value {
            0 => Piece::Empty(glyph(0)),
            value => Piece::Mark(COLORS[usize::from(value - 1) % COLORS.len()], glyph(value)),
        };
        let (width, height) = (layout.width, layout.num_cells() / layout.width);
        let cell = |i: usize, cell: SceneCell| {
            let cell = cell.with(piece(cells[i]));
            match self.cell_move(i) {
                Some(mv) => cell.plays(mv).marked(last == Some(Played::Move(mv))),
                None => cell,
            }
        };
        Scene::grid(width, height, cell, Shape::Square, "#f8f9fa")
    }
}

impl PythonGame {
    /// The number that a number becomes under a symmetry.
    fn number(&self, method: &str, symmetry: usize, number: u32) -> u32 {
        Python::attach(|py| self.ask(py, method, (symmetry, number), |found| found.extract()))
    }

    /// Refuses what no table of weights has room for.
    fn check_cells(&self, state: &PythonState, found: &[u8]) -> PyResult<()> {
        let values = &self.book.layout.values;
        let (expected, length) = (values.len(), found.len());
        if length != expected {
            let what = format!("cells: expected {expected} numbers, found {length}");
            return Err(Mistake::new_err(format!("{what} in state {state:?}")));
        }
        let wrong = found.iter().zip(values).position(|(cell, most)| cell >= most);
        wrong.map_or(Ok(()), |cell| {
            let (expected, found) = (values[cell], found[cell]);
            let what = format!("cells: expected less than {expected} in cell {cell}");
            Err(Mistake::new_err(format!("{what}, found {found} in state {state:?}")))
        })
    }

    /// The move that pointing at a cell means.
    fn cell_move(&self, cell: usize) -> Option<Move> {
        let mv: Option<u32> =
            Python::attach(|py| self.ask(py, "cell_move", (cell,), |mv| mv.extract()));
        mv.map(Move)
    }

    /// The text of a state, or of a move or event in it.
    fn written(&self, method: &str, state: &PythonState, number: Option<u32>) -> String {
        Python::attach(|py| {
            let object = state.object().bind(py);
            match number {
                Some(number) => self.ask(py, method, (object, number), |text| text.extract()),
                None => self.ask(py, method, (object,), |text| text.extract()),
            }
        })
    }
}

fn read_features(rules: &PythonGame, state: &PythonState, pov: Player, out: &mut [f32]) {
    if out.is_empty() {
        return; // The rules have no such method.
    }
    let found: Vec<f32> = Python::attach(|py| {
        let args = (state.object().bind(py), pov.0);
        rules.ask(py, "features", args, |numbers| {
            numbers.try_iter()?.map(|number| number?.extract()).collect()
        })
    });
    if found.len() != out.len() {
        let (expected, length) = (out.len(), found.len());
        let what = format!("features: expected {expected} numbers, found {length}");
        throw(Mistake::new_err(what));
    }
    out.copy_from_slice(&found);
}
