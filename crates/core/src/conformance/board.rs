//! Checks of what learners read: layout, cells, groups, bitboards and features.

use super::{Check, Pair, Violation};
use crate::{BOARDS_X4, Bitboards, CellLayout, Notation, Player};
use std::array;
use std::collections::HashSet;

impl<G: Notation + Bitboards> Check<'_, G> {
    pub(super) fn check_cells(&self, state: &G::State) -> Result<(), Violation> {
        for pov in Player::all(self.game.num_players()) {
            let cells = self.cells(state, pov);
            let high = cells.iter().zip(&self.layout.values).position(|(cell, n)| cell >= n);
            high.map_or(Ok(()), |i| self.fail(state, format!("cell {i} is out of range")))?;
            self.check_groups(state, pov, &cells)?;
            self.check_bitboards(state, pov, &cells)?;
        }
        Ok(())
    }

    pub(super) fn check_features(&self, state: &G::State) -> Result<(), Violation> {
        for set in G::features() {
            let (len, names) = ((set.len)(self.game), (set.names)(self.game).len());
            self.ensure(names == len, state, || {
                format!("{} has {len} features, but {names} names", set.name)
            })?;
            for pov in Player::all(self.game.num_players()) {
                let mut numbers = vec![f32::NAN; len];
                (set.read)(self.game, state, pov, &mut numbers);
                let wrong = numbers.iter().position(|number| !number.is_finite());
                wrong.map_or(Ok(()), |i| {
                    let what = format!("feature {i} of {} is not a finite number", set.name);
                    self.fail(state, what)
                })?;
            }
        }
        Ok(())
    }

    fn check_groups(&self, state: &G::State, pov: Player, cells: &[u8]) -> Result<(), Violation> {
        let groups = &self.layout.groups;
        if groups.is_empty() {
            return Ok(());
        }
        let mut read = vec![0; groups.len()];
        self.game.read_groups(state, pov, &mut read);
        for (group, &id) in groups.iter().zip(&read) {
            let joint: Vec<u8> = group.cells.iter().map(|&c| cells[usize::from(c)]).collect();
            let same = group.states.get(usize::from(id)) == Some(&joint);
            self.ensure(same, state, || format!("group state {id} is not {joint:?}"))?;
        }
        Ok(())
    }

    /// The bitboards have the cells of the board, carried by each symmetry.
    fn check_bitboards(
        &self,
        state: &G::State,
        pov: Player,
        cells: &[u8],
    ) -> Result<(), Violation> {
        let Some(packing) = self.game.packing() else { return Ok(()) };
        let (bits, symmetries) = (packing.bits_per_cell, &self.layout.symmetries);
        let mut images = vec![[0; 2]; symmetries.len()];
        self.game.write_bitboards(state, pov, &mut images);
        for (s, (image, symmetry)) in images.iter().zip(symmetries).enumerate() {
            let bit = |at: usize| (image[at / 64] >> (at % 64)) as u8 & 1;
            let index = |i, b| packing.bit_index(cells.len(), i, b);
            let cell = |i| (0..bits).fold(0, |cell, b| cell | bit(index(i, b)) << b);
            let wrong = (0..cells.len()).find(|&i| cell(i) != cells[usize::from(symmetry[i])]);
            wrong.map_or(Ok(()), |i| {
                self.fail(state, format!("bitboard {s} is wrong at cell {i}"))
            })?;
        }
        self.check_bitboards_x4(state, pov, &images)
    }

    /// Four at a time, bitboards are the same as one by one.
    fn check_bitboards_x4(
        &self,
        state: &G::State,
        pov: Player,
        images: &[[u64; 2]],
    ) -> Result<(), Violation> {
        for lane in 0..BOARDS_X4 {
            let start = self.game.start();
            let states = array::from_fn(|nth| if nth == lane { state } else { &start }.clone());
            let mut rows = vec![[[0; BOARDS_X4]; 2]; images.len()];
            self.game.write_bitboards_x4(&states, pov, &mut rows, &mut Vec::new());
            let alike = rows.iter().zip(images).all(|(row, image)| row.map(|w| w[lane]) == *image);
            self.ensure(alike, state, || {
                format!("write_bitboards_x4 and write_bitboards differ for state {lane} of four")
            })?;
        }
        Ok(())
    }

    /// The cells of the image are the carried cells of the state.
    pub(super) fn check_image(
        &self,
        Pair { state, image }: &Pair<G::State>,
    ) -> Result<(), Violation> {
        for pov in Player::all(self.game.num_players()) {
            let (cells, images) = (self.cells(state, pov), self.cells(image, pov));
            let carry = &self.layout.symmetries[self.symmetry];
            let wrong = (0..cells.len()).find(|&i| cells[i] != images[usize::from(carry[i])]);
            wrong.map_or(Ok(()), |i| {
                self.fail(state, format!("symmetry {} does not carry cell {i}", self.symmetry))
            })?;
        }
        Ok(())
    }

    fn cells(&self, state: &G::State, pov: Player) -> Vec<u8> {
        let mut cells = vec![0; self.layout.num_cells()];
        self.game.read_cells(state, pov, &mut cells);
        cells
    }
}

/// The layout is consistent in itself and with the packing.
pub(super) fn check_layout<G: Notation + Bitboards>(
    game: &G,
    layout: &CellLayout,
) -> Result<(), Violation> {
    let state = || game.state_text(&game.start());
    let found = shape_fault(layout)
        .or_else(|| symmetry_fault(layout))
        .or_else(|| group_fault(layout))
        .or_else(|| packing_fault(game, layout))
        .or_else(|| turn_fault(game, layout));
    found.map_or(Ok(()), |what| Err(Violation { what, state: state() }))
}

fn shape_fault(layout: &CellLayout) -> Option<String> {
    let (cells, width) = (layout.num_cells(), layout.width);
    if width == 0 || !cells.is_multiple_of(width) {
        return Some(format!("{cells} cells do not fill rows of {width}"));
    }
    let neighbours = layout.neighbours.len();
    (neighbours != cells).then(|| format!("{neighbours} lists of neighbours for {cells} cells"))
}

fn symmetry_fault(layout: &CellLayout) -> Option<String> {
    let cells = layout.num_cells();
    if !layout.symmetries.first().is_some_and(|s| s.iter().copied().eq(0..cells as u16)) {
        return Some("the first symmetry is not the identity".into());
    }
    for (i, symmetry) in layout.symmetries.iter().enumerate() {
        let reached: HashSet<_> = symmetry.iter().filter(|&&c| usize::from(c) < cells).collect();
        if symmetry.len() != cells || reached.len() != cells {
            return Some(format!("symmetry {i} is not a permutation of the cells"));
        }
        let values = |cell: usize| layout.values[cell];
        if let Some(cell) = (0..cells).find(|&c| values(c) != values(usize::from(symmetry[c]))) {
            return Some(format!("symmetry {i} carries cell {cell} to one with other values"));
        }
    }
    None
}

fn group_fault(layout: &CellLayout) -> Option<String> {
    let cells = layout.num_cells();
    let grouped: Vec<u16> = layout.groups.iter().flat_map(|g| g.cells.iter().copied()).collect();
    let distinct: HashSet<_> = grouped.iter().filter(|&&c| usize::from(c) < cells).collect();
    let partition = grouped.len() == cells && distinct.len() == cells;
    (!layout.groups.is_empty() && !partition)
        .then(|| "the groups do not partition the cells".into())
}

/// Turning the board twice must give the same board.
fn turn_fault<G: Notation + Bitboards>(game: &G, layout: &CellLayout) -> Option<String> {
    let turned = game.turned_board()?;
    let place = |cell: usize| turned.get(cell).map(|&other| usize::from(other));
    let undone = (0..layout.num_cells()).all(|cell| place(cell).and_then(place) == Some(cell));
    let fits = undone && turned.len() == layout.num_cells();
    (!fits).then(|| "turned_board turned twice is not the board".into())
}

fn packing_fault<G: Bitboards>(game: &G, layout: &CellLayout) -> Option<String> {
    let bits = game.packing()?.bits_per_cell;
    let fits = bits < u8::BITS
        && layout.values.iter().all(|&n| u32::from(n) == 1 << bits)
        && layout.num_cells() * bits as usize <= 128;
    (!fits).then(|| format!("cells do not fill {bits} bits each, at most 128 in all"))
}
