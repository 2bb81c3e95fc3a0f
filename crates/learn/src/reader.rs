//! How a net sees a state.

use ludens_core::{CellBoard, CellLayout, Game, Player};
use ludens_values::Sight;
use std::collections::HashMap;

/// How a net sees a state.
#[derive(Clone)]
pub enum Reader<G: Game> {
    /// Cell by cell.
    Cells {
        /// How many cells.
        count: usize,
    },
    /// Group by group.
    Groups {
        /// How many groups.
        count: usize,
    },
    /// Cell by cell, as numbers.
    CellInputs {
        /// How many values each cell can take.
        values: Vec<u8>,
        /// How a cell becomes numbers.
        coding: Coding,
        /// One value per cell.
        cells: Vec<u8>,
    },
    /// As numbers that say something about the state.
    Features {
        /// How many numbers.
        count: usize,
        /// Writes them, as the player sees the state.
        read: fn(&G, &G::State, Player, &mut [f32]),
    },
    /// Each state by itself, numbered as they are met.
    States {
        /// The number of each state met, for each player who saw it.
        numbers: HashMap<(G::State, Player), u32>,
    },
}

/// How a cell becomes numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Coding {
    /// One number: own 1, other's -1, empty 0; cells with more than four values from 0 to 1.
    Signed,
    /// One number for each value: 1 for the one it has, 0 for the others.
    OneHot,
}

impl<G: CellBoard> Reader<G> {
    /// A reader of the cells of this layout as numbers.
    pub fn cell_inputs(layout: &CellLayout, coding: Coding) -> Reader<G> {
        let values = layout.values.clone();
        Reader::CellInputs { cells: vec![0; values.len()], values, coding }
    }

    /// How many numbers a net gets to see.
    pub fn num_inputs(&self) -> usize {
        match self {
            Reader::CellInputs { values, coding: Coding::Signed, .. } => values.len(),
            Reader::CellInputs { values, coding: Coding::OneHot, .. } => {
                values.iter().map(|&v| usize::from(v)).sum()
            }
            Reader::Features { count, .. } => *count,
            Reader::Cells { .. } | Reader::Groups { .. } | Reader::States { .. } => 0,
        }
    }

    /// The reader that n-tuples on this layout want: groups where the game knows them.
    pub fn digits(layout: &CellLayout) -> Reader<G> {
        match layout.groups.len() {
            0 => Reader::Cells { count: layout.num_cells() },
            count => Reader::Groups { count },
        }
    }

    /// Writes what `pov` sees of `state`.
    #[inline]
    pub fn read(&mut self, game: &G, state: &G::State, pov: Player, sight: &mut Sight) {
        match self {
            Reader::Cells { count } => {
                sight.digits.resize(*count, 0);
                game.read_cells(state, pov, &mut sight.digits);
            }
            Reader::Groups { count } => {
                sight.digits.resize(*count, 0);
                game.read_groups(state, pov, &mut sight.digits);
            }
            Reader::CellInputs { values, coding, cells } => {
                game.read_cells(state, pov, cells);
                sight.inputs.clear();
                code(cells, values, *coding, &mut sight.inputs);
            }
            Reader::Features { count, read } => {
                sight.inputs.resize(*count, 0.0);
                read(game, state, pov, &mut sight.inputs);
            }
            Reader::States { numbers } => {
                let next = numbers.len() as u32;
                sight.entry = *numbers.entry((state.clone(), pov)).or_insert(next);
            }
        }
    }
}

fn code(cells: &[u8], values: &[u8], coding: Coding, out: &mut Vec<f32>) {
    for (&cell, &values) in cells.iter().zip(values) {
        match (coding, values) {
            (Coding::Signed, ..=4) => out.push([0.0, 1.0, -1.0, 0.0][usize::from(cell)]),
            (Coding::Signed, _) => out.push(f32::from(cell) / f32::from(values - 1)),
            (Coding::OneHot, _) => {
                out.extend((0..values).map(|v| f32::from(u8::from(v == cell))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_become_numbers() {
        let coded = |values: u8, coding| {
            let mut out = Vec::new();
            code(&[0, 1, 2], &[values; 3], coding, &mut out);
            out
        };
        assert_eq!(coded(3, Coding::Signed), [0.0, 1.0, -1.0]);
        assert_eq!(coded(5, Coding::Signed), [0.0, 0.25, 0.5]);
        assert_eq!(coded(3, Coding::OneHot), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }
}
