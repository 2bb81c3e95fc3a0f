//! How a network reads a state.

use ludens_approx::Encoding;
use ludens_core::{Bitboards, CellBoard, CellFeatureKind, CellFeatures, CellLayout, Game, Player};
use std::collections::HashMap;

/// Cells are padded with zeros to whole words, so that boards are compared eight cells at a time.
const WORD: usize = 8;

/// Encodes states for a network.
#[derive(Clone)]
pub enum Encoder<G: Game> {
    /// Cell by cell.
    Cells {
        /// How many cells.
        count: usize,
        /// Reads them.
        board: TurnedBoard,
    },
    /// Group by group.
    Groups {
        /// How many groups.
        count: usize,
    },
    /// As bitboards, one for each symmetry.
    Bitboards {
        /// How many symmetries.
        images: usize,
    },
    /// Cell by cell, as real numbers.
    CellInputs {
        /// How cells become numbers.
        features: CellFeatures,
        /// One value per cell.
        cells: Vec<u8>,
        /// Reads them.
        board: TurnedBoard,
    },
    /// As features of the game.
    Features {
        /// How many features.
        count: usize,
        /// Writes them, as the player sees the state.
        read: fn(&G, &G::State, Player, &mut [f32]),
    },
    /// As real numbers, with a zero for each region of partial decisions.
    Regions {
        /// How the state itself is encoded.
        state: Box<Encoder<G>>,
        /// How many regions.
        regions: usize,
    },
    /// As the row of the state in a table; states get rows in the order of their first visit.
    States {
        /// The row of each visited state, for each point of view.
        rows: HashMap<(G::State, Player), u32>,
    },
}

/// Reads the cells of a board, [turned](CellBoard::turned_board) to the player who looks at it.
#[derive(Clone, Default)]
pub struct TurnedBoard {
    /// The cell that takes the place of each; empty if the board is never turned.
    order: Vec<u16>,
    /// The board before it is turned.
    straight: Vec<u8>,
}

impl TurnedBoard {
    fn new<G: CellBoard>(game: &G) -> TurnedBoard {
        let order = game.turned_board().unwrap_or_default();
        TurnedBoard { straight: vec![0; order.len()], order }
    }

    #[inline]
    fn read<G: CellBoard>(&mut self, game: &G, state: &G::State, pov: Player, out: &mut [u8]) {
        if pov == Player(0) || self.order.is_empty() {
            return game.read_cells(state, pov, out);
        }
        game.read_cells(state, pov, &mut self.straight);
        for (cell, from) in out.iter_mut().zip(&self.order) {
            *cell = self.straight[usize::from(*from)];
        }
    }
}

impl<G: CellBoard> Encoder<G> {
    /// Encodes the cells of this layout one by one.
    pub fn cells(game: &G, layout: &CellLayout) -> Encoder<G> {
        Encoder::Cells { count: layout.num_cells(), board: TurnedBoard::new(game) }
    }

    /// Encodes the cells of this layout as real numbers.
    pub fn cell_inputs(game: &G, layout: &CellLayout, kind: CellFeatureKind) -> Encoder<G> {
        let (features, cells) = (CellFeatures::new(kind, layout), vec![0; layout.num_cells()]);
        Encoder::CellInputs { features, cells, board: TurnedBoard::new(game) }
    }

    /// How many real inputs a network gets.
    pub fn num_inputs(&self) -> usize {
        match self {
            Encoder::CellInputs { features, .. } => features.len(),
            Encoder::Features { count, .. } => *count,
            Encoder::Regions { state, regions } => state.num_inputs() + regions,
            _ => 0,
        }
    }

    /// How many bitboards a state has; none in other encodings.
    pub(crate) fn num_images(&self) -> usize {
        if let Encoder::Bitboards { images } = self { *images } else { 0 }
    }

    /// Whether networks that read this encoding evaluate by differences from the parent state.
    #[inline]
    pub(crate) fn is_incremental(&self) -> bool {
        !matches!(self, Encoder::Bitboards { .. } | Encoder::States { .. })
    }
}

impl<G: Bitboards> Encoder<G> {
    /// The encoding for n-tuple networks: bitboards or groups where the game has them.
    pub fn for_tuples(game: &G, layout: &CellLayout) -> Encoder<G> {
        match layout.groups.len() {
            _ if game.turned_board().is_some() => Encoder::cells(game, layout),
            _ if game.packing().is_some() => Encoder::Bitboards { images: layout.symmetries.len() },
            0 => Encoder::cells(game, layout),
            count => Encoder::Groups { count },
        }
    }

    /// Encodes `state` as `pov` sees it.
    #[inline(always)]
    pub fn encode(&mut self, game: &G, state: &G::State, pov: Player, out: &mut Encoding) {
        match self {
            Encoder::Bitboards { images } if out.bitboards.len() == *images => {
                game.write_bitboards(state, pov, &mut out.bitboards);
            }
            _ => self.encode_any(game, state, pov, out),
        }
    }

    #[inline(never)]
    fn encode_any(&mut self, game: &G, state: &G::State, pov: Player, out: &mut Encoding) {
        match self {
            Encoder::Cells { count, board } => {
                out.cells.resize(count.next_multiple_of(WORD), 0);
                board.read(game, state, pov, &mut out.cells[..*count]);
            }
            Encoder::Groups { count } => {
                out.cells.resize(count.next_multiple_of(WORD), 0);
                game.read_groups(state, pov, &mut out.cells[..*count]);
            }
            Encoder::Bitboards { images } => {
                out.bitboards.resize(*images, [0; 2]);
                game.write_bitboards(state, pov, &mut out.bitboards);
            }
            Encoder::CellInputs { features, cells, board } => {
                board.read(game, state, pov, cells);
                out.inputs.resize(features.len(), 0.0);
                features.read(cells, &mut out.inputs);
            }
            Encoder::Features { count, read } => {
                out.inputs.resize(*count, 0.0);
                read(game, state, pov, &mut out.inputs);
            }
            Encoder::Regions { state: encoder, regions } => {
                encoder.encode_any(game, state, pov, out);
                out.inputs.resize(encoder.num_inputs() + *regions, 0.0);
            }
            Encoder::States { rows } => {
                let next = rows.len() as u32;
                out.entry = *rows.entry((state.clone(), pov)).or_insert(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Notation;
    use ludens_games::Hex;

    fn hex() -> Hex {
        let params = "hex:size=3".parse::<ludens_core::Params>().expect("a name");
        Hex::configure(&params.check(Hex::SETTINGS).expect("settings")).expect("a game")
    }

    #[test]
    fn players_whose_edges_differ_see_the_board_turned() {
        let game = hex();
        let encode = |moves: &[u32], pov: u8| {
            let (mut state, mut out) = (game.start(), Encoding::default());
            for &mv in moves {
                game.play(&mut state, ludens_core::Move(mv));
            }
            Encoder::for_tuples(&game, &game.layout()).encode(&game, &state, Player(pov), &mut out);
            out.cells[..9].to_vec()
        };
        // The second player joins left and right as the first joins top and bottom.
        assert_eq!(encode(&[1, 6], 0), [0, 1, 0, 0, 0, 0, 2, 0, 0]);
        assert_eq!(encode(&[1, 6], 1), [0, 0, 1, 2, 0, 0, 0, 0, 0]);
    }
}
