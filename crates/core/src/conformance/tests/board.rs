//! What learners and people see of the test game.

use super::game::{Blocks, CELLS, Fault, State};
use crate::bitboards::write_from_cells;
use crate::{
    BOARDS_X4, BitboardX4, Bitboards, CellBoard, CellGroup, CellLayout, Chosen, Event, FeatureSet,
    Game, Invalid, Move, Notation, Packing, Played, Player, Scene, Setting, square_symmetries,
};

impl CellBoard for Blocks {
    fn layout(&self) -> CellLayout {
        let row = |y: u16| CellGroup { cells: (3 * y..3 * y + 3).collect(), states: triples() };
        let mut layout = CellLayout {
            groups: (0..3).map(row).collect(),
            ..CellLayout::grid(3, 3, 4).with_symmetries(square_symmetries(3))
        };
        match self.0 {
            Fault::Width => layout.width = 2,
            Fault::Neighbours => layout.neighbours.truncate(8),
            Fault::NoIdentity => layout.symmetries.rotate_left(1),
            Fault::NoPermutation => layout.symmetries[2][0] = layout.symmetries[2][1],
            Fault::CarriesToOtherValues => layout.values[0] = 5,
            Fault::OverlappingGroups => layout.groups[2].cells[0] = 0,
            _ => {}
        }
        layout
    }

    fn turned_board(&self) -> Option<Vec<u16>> {
        let turned = |cell| if self.has(Fault::TurnedBoard) { (cell + 1) % 9 } else { 8 - cell };
        Some((0..9_u16).map(turned).collect())
    }

    fn read_cells(&self, state: &State, pov: Player, cells: &mut [u8]) {
        let swap = [0, 1 + pov.0, 2 - pov.0, 3];
        for (cell, &value) in cells.iter_mut().zip(&state.cells) {
            *cell = swap[usize::from(value)];
        }
        match self.0 {
            Fault::CellOutOfRange => cells[8] = 4,
            Fault::CellsNotSymmetric => cells[0] = 0,
            _ => {}
        }
    }

    fn read_groups(&self, state: &State, pov: Player, groups: &mut [u8]) {
        let mut cells = [0; CELLS];
        self.read_cells(state, pov, &mut cells);
        for (group, row) in groups.iter_mut().zip(cells.chunks_exact(3)) {
            *group = row[0] + 4 * row[1] + 16 * row[2];
        }
        if self.has(Fault::GroupState) {
            groups[2] ^= 1;
        }
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        match self.0 {
            Fault::MapMoveElsewhere => mv,
            Fault::MapMoveIllegal if mv.0 == 8 => Move(mapped(symmetry, 7)),
            _ => Move(mapped(symmetry, mv.0)),
        }
    }

    fn map_event(&self, symmetry: usize, event: Event) -> Event {
        if self.has(Fault::MapEvent) { event } else { Event(mapped(symmetry, event.0)) }
    }
}

/// All values of three cells, the first counting fastest.
fn triples() -> Vec<Vec<u8>> {
    (0..64).map(|id| vec![id % 4, id / 4 % 4, id / 16]).collect()
}

fn mapped(symmetry: usize, cell: u32) -> u32 {
    square_symmetries(3)[symmetry][cell as usize].into()
}

impl Bitboards for Blocks {
    fn packing(&self) -> Option<Packing> {
        let bits_per_cell = if self.has(Fault::PackingTooSmall) { 1 } else { 2 };
        Some(Packing { bits_per_cell, bit_planes: true })
    }

    fn write_bitboards(&self, state: &State, pov: Player, images: &mut [[u64; 2]]) {
        write_from_cells(self, state, pov, images);
        if self.has(Fault::Bitboard) {
            images.swap(1, 3);
        }
    }

    fn write_bitboards_x4(
        &self,
        states: &[State; BOARDS_X4],
        pov: Player,
        rows: &mut [BitboardX4],
        scratch: &mut Vec<[u64; 2]>,
    ) {
        scratch.resize(rows.len(), [0; 2]);
        for lane in 0..BOARDS_X4 {
            let taken = if self.has(Fault::BitboardX4) && lane == 3 { 0 } else { lane };
            self.write_bitboards(&states[taken], pov, scratch);
            for (row, image) in rows.iter_mut().zip(&*scratch) {
                (row[0][lane], row[1][lane]) = (image[0], image[1]);
            }
        }
    }
}

const GLYPHS: [char; 4] = ['.', 'x', 'o', '#'];

impl Notation for Blocks {
    const NAME: &'static str = "blocks";
    const TITLE: &'static str = "Blocks";
    const ABOUT: &'static str = "Take the centre.";
    const SETTINGS: &'static [Setting] = &[];

    fn configure(_: &Chosen) -> Result<Blocks, Invalid> {
        Ok(Blocks(Fault::None))
    }

    fn features() -> Vec<FeatureSet<Blocks>> {
        vec![FeatureSet {
            name: "filled",
            about: "The number of filled cells",
            len: |_| 1,
            read: |game, state, _, numbers| {
                let filled = state.cells.iter().filter(|&&cell| cell != 0).count() as f32;
                numbers[0] = if game.has(Fault::FeatureNotFinite) { 1.0 / filled } else { filled };
            },
            names: |game| vec!["filled".into(); if game.has(Fault::FeatureNames) { 2 } else { 1 }],
        }]
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        if self.has(Fault::MoveText) { "stone".into() } else { mv.0.to_string() }
    }

    fn event_text(&self, _: &State, event: Event) -> String {
        if self.has(Fault::EventText) { "block".into() } else { event.0.to_string() }
    }

    fn state_text(&self, state: &State) -> String {
        let text: String = state.cells.iter().map(|&cell| GLYPHS[usize::from(cell)]).collect();
        if self.has(Fault::TextOfTwoLines) { text + "\n" } else { text }
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let cell = |glyph| GLYPHS.iter().position(|&known| known == glyph).map(|cell| cell as u8);
        let cells: Option<Vec<u8>> = text.chars().map(cell).collect();
        let cells = cells.and_then(|cells| cells.try_into().ok());
        match self.0 {
            Fault::TextNotRead => Err(Invalid("not read".into())),
            Fault::TextReadAsOther => Ok(self.start()),
            fault => {
                let salt = u8::from(fault == Fault::Hash);
                cells.map(|cells| State { cells, salt }).ok_or(Invalid("not nine cells".into()))
            }
        }
    }

    fn scene(&self, _: &State, _: Option<Played>) -> Scene {
        Scene::default()
    }
}
