//! How a net sees a state.

use ludens_core::{CellBoard, CellFeatureKind, CellFeatures, CellLayout, Game, Player};
use ludens_values::Sight;
use ludens_values::ntuple::Lookups;
use std::collections::HashMap;

/// Digits come in words of eight, the last ones zero, so that boards are compared quickly.
const EIGHT: usize = 8;

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
    /// Packed, under each symmetry.
    Images {
        /// How many symmetries.
        count: usize,
    },
    /// As one number for the whole board.
    Boards,
    /// Cell by cell, as numbers.
    CellInputs {
        /// How cells become numbers.
        features: CellFeatures,
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

impl<G: CellBoard> Reader<G> {
    /// A reader of the cells of this layout as numbers.
    pub fn cell_inputs(layout: &CellLayout, kind: CellFeatureKind) -> Reader<G> {
        let cells = vec![0; layout.num_cells()];
        Reader::CellInputs { features: CellFeatures::new(kind, layout), cells }
    }

    /// How many numbers a net gets to see.
    pub fn num_inputs(&self) -> usize {
        match self {
            Reader::CellInputs { features, .. } => features.len(),
            Reader::Features { count, .. } => *count,
            _ => 0,
        }
    }

    /// The reader that these look-ups want on boards of this layout.
    pub fn for_lookups(layout: &CellLayout, lookups: &Lookups) -> Reader<G> {
        if layout.numbered && lookups.knows_boards() {
            return Reader::Boards;
        }
        Reader::digits(layout)
    }

    /// The reader that n-tuples on this layout want: packed boards or groups where the game knows
    /// them.
    pub fn digits(layout: &CellLayout) -> Reader<G> {
        match layout.groups.len() {
            _ if layout.bits > 0 => Reader::Images { count: layout.symmetries.len() },
            0 => Reader::Cells { count: layout.num_cells() },
            count => Reader::Groups { count },
        }
    }

    /// Writes what `pov` sees of `state`.
    #[inline(always)]
    pub fn read(&mut self, game: &G, state: &G::State, pov: Player, sight: &mut Sight) {
        match self {
            Reader::Images { count } if sight.images.len() == *count => {
                game.read_images(state, pov, &mut sight.images);
            }
            Reader::Boards => sight.entry = game.board_number(state, pov),
            _ => self.read_at_length(game, state, pov, sight),
        }
    }

    /// The same, where a call does not matter.
    #[inline(never)]
    fn read_at_length(&mut self, game: &G, state: &G::State, pov: Player, sight: &mut Sight) {
        match self {
            Reader::Boards => sight.entry = game.board_number(state, pov),
            Reader::Cells { count } => {
                sight.digits.resize(count.next_multiple_of(EIGHT), 0);
                game.read_cells(state, pov, &mut sight.digits[..*count]);
            }
            Reader::Groups { count } => {
                sight.digits.resize(count.next_multiple_of(EIGHT), 0);
                game.read_groups(state, pov, &mut sight.digits[..*count]);
            }
            Reader::Images { count } => {
                sight.images.resize(*count, [0; 2]);
                game.read_images(state, pov, &mut sight.images);
            }
            Reader::CellInputs { features, cells } => {
                game.read_cells(state, pov, cells);
                sight.inputs.resize(features.len(), 0.0);
                features.read(cells, &mut sight.inputs);
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

    /// How many images of packed boards it reads; none of others.
    #[inline]
    pub(crate) fn num_images(&self) -> usize {
        if let Reader::Images { count } = self { *count } else { 0 }
    }
}
