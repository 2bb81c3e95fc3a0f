//! The cell view: a board as a row of small numbers.

use crate::{Event, Game, Move, Player};
use std::collections::HashSet;

/// How a board reads as a row of cells, for n-tuples and other networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellLayout {
    /// How many values each cell can take.
    pub values: Vec<u8>,
    /// Cells in one row.
    pub width: usize,
    /// Permutations of the cells that leave the game unchanged, the identity first.
    ///
    /// A symmetry carries the content of cell `i` to cell `symmetry[i]`.
    pub symmetries: Vec<Vec<u16>>,
    /// The cells next to each cell, for tuples drawn by random walk.
    pub neighbours: Vec<Vec<u16>>,
    /// Groups of cells that have few joint states, if any; see [`CellGroup`].
    pub groups: Vec<CellGroup>,
    /// Sets of n-tuples that work well for this game.
    pub tuple_sets: Vec<TupleSet>,
}

/// A named set of n-tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleSet {
    /// The name of the set.
    pub name: &'static str,
    /// The cells of each tuple.
    pub tuples: Vec<Vec<u16>>,
}

/// Cells that can only take few of their combinations, such as a column in Connect-4.
///
/// A game has either no groups or groups that partition its cells. In the second case,
/// [`CellBoard::read_groups`] writes the joint state of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellGroup {
    /// The cells of the group.
    pub cells: Vec<u16>,
    /// Each joint state: one value per cell of the group.
    pub states: Vec<Vec<u8>>,
}

impl CellLayout {
    /// A `width` x `height` grid whose cells take `values` values.
    ///
    /// It has no symmetry but the identity, and cells that share a side are neighbours.
    pub fn grid(width: usize, height: usize, values: u8) -> CellLayout {
        let cells = width * height;
        CellLayout {
            values: vec![values; cells],
            width,
            symmetries: vec![(0..cells as u16).collect()],
            neighbours: neighbours(width, height, &ORTHOGONAL),
            groups: Vec::new(),
            tuple_sets: Vec::new(),
        }
    }

    /// The same layout with these symmetries, identity first.
    pub fn with_symmetries(self, symmetries: Vec<Vec<u16>>) -> CellLayout {
        CellLayout { symmetries, ..self }
    }

    /// The same layout with the cells at these offsets (columns, rows) as neighbours.
    pub fn with_neighbours(self, offsets: &[(isize, isize)]) -> CellLayout {
        let neighbours = neighbours(self.width, self.num_cells() / self.width, offsets);
        CellLayout { neighbours, ..self }
    }

    /// The same layout with one more set of tuples.
    pub fn with_tuple_set(mut self, name: &'static str, tuples: &[&[u16]]) -> CellLayout {
        let tuples = tuples.iter().map(|tuple| tuple.to_vec()).collect();
        self.tuple_sets.push(TupleSet { name, tuples });
        self
    }

    /// The same layout with one more set of tuples: each shape wherever it fits on the board.
    ///
    /// A shape lists its cells as (column, row). Of placements that a symmetry of the board maps to
    /// each other, the first one is kept. A board that is too small for all shapes gets no set.
    pub fn with_tuple_shapes(
        mut self,
        name: &'static str,
        shapes: &[&[(usize, usize)]],
    ) -> CellLayout {
        let (width, height) = (self.width, self.num_cells() / self.width);
        let corners = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let place = |shape: &[(usize, usize)], (x, y): (usize, usize)| {
            let cell = |&(dx, dy): &(usize, usize)| {
                let fits = x + dx < width && y + dy < height;
                fits.then_some(((y + dy) * width + x + dx) as u16)
            };
            shape.iter().map(cell).collect::<Option<Vec<u16>>>()
        };
        let (mut seen, mut tuples) = (HashSet::new(), Vec::new());
        for shape in shapes {
            let placed = corners().filter_map(|corner| place(shape, corner));
            tuples.extend(placed.filter(|tuple| seen.insert(self.canonical_tuple(tuple))));
        }
        if !tuples.is_empty() {
            self.tuple_sets.push(TupleSet { name, tuples });
        }
        self
    }

    /// The smallest symmetric image of a set of cells, sorted: the same for all of its images.
    pub fn canonical_tuple(&self, cells: &[u16]) -> Vec<u16> {
        let image = |symmetry: &Vec<u16>| {
            let mut image: Vec<u16> = cells.iter().map(|cell| symmetry[*cell as usize]).collect();
            image.sort_unstable();
            image
        };
        self.symmetries.iter().map(image).min().expect("the identity is a symmetry")
    }

    /// How many cells there are.
    pub fn num_cells(&self) -> usize {
        self.values.len()
    }
}

/// The four cells that share a side.
pub const ORTHOGONAL: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

/// The eight cells around: a king's steps.
pub const AROUND: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

fn neighbours(width: usize, height: usize, offsets: &[(isize, isize)]) -> Vec<Vec<u16>> {
    let inside = |x: isize, y: isize| {
        let on_board = (0..width as isize).contains(&x) && (0..height as isize).contains(&y);
        on_board.then_some((y * width as isize + x) as u16)
    };
    let of = |cell: usize| {
        let (x, y) = ((cell % width) as isize, (cell / width) as isize);
        offsets.iter().filter_map(|(dx, dy)| inside(x + dx, y + dy)).collect()
    };
    (0..width * height).map(of).collect()
}

/// The identity and the left-right mirror image of a grid.
pub fn mirror_symmetries(width: usize, height: usize) -> Vec<Vec<u16>> {
    let cells = 0..(width * height) as u16;
    let width = width as u16;
    vec![
        cells.clone().collect(),
        cells.map(|i| i / width * width + (width - 1 - i % width)).collect(),
    ]
}

/// The eight symmetries of a square of `side` x `side` cells.
///
/// In order: the four clockwise quarter turns, then each of them after a left-right mirror.
pub fn square_symmetries(side: usize) -> Vec<Vec<u16>> {
    let side = side as u16;
    let turn = |i: u16| (i % side) * side + (side - 1 - i / side);
    let mirror = |i: u16| i / side * side + (side - 1 - i % side);
    let symmetry = |k: usize| {
        let carry = |i| (0..k % 4).fold(if k < 4 { i } else { mirror(i) }, |i, _| turn(i));
        (0..side * side).map(carry).collect()
    };
    (0..8).map(symmetry).collect()
}

/// Games whose position can be read cell by cell.
pub trait CellBoard: Game {
    /// The layout of the board. It may be slow to build, so callers keep it.
    fn layout(&self) -> CellLayout;

    /// Writes the value of each cell as `pov` sees it.
    ///
    /// Pass the player for cells relative to it (own, other), or always `Player(0)` for cells that
    /// do not depend on the player.
    fn read_cells(&self, state: &Self::State, pov: Player, cells: &mut [u8]);

    /// For each cell the one that takes its place when the board is turned to the second player, if
    /// the players' aims differ by such a turn and not by the colour of the pieces alone.
    ///
    /// Weights that both players share see the board turned to the player; moves are not turned.
    fn turned_board(&self) -> Option<Vec<u16>> {
        None
    }

    /// Writes the joint state of each group of the layout as `pov` sees it.
    ///
    /// Games whose layout has groups implement it. It is not called for other games.
    fn read_groups(&self, _state: &Self::State, _pov: Player, _groups: &mut [u8]) {
        unreachable!("the layout has no groups")
    }

    /// The move that `mv` becomes under the given symmetry of the layout.
    fn map_move(&self, symmetry: usize, mv: Move) -> Move;

    /// The state that the start becomes under the given symmetry of the layout.
    ///
    /// Games whose start is not symmetric, such as Othello, implement it.
    fn map_start(&self, _symmetry: usize) -> Self::State {
        self.start()
    }

    /// The event that `event` becomes under the given symmetry of the layout.
    fn map_event(&self, _symmetry: usize, event: Event) -> Event {
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_carries_the_first_row_to_the_last_column() {
        let symmetries = square_symmetries(3);
        assert_eq!(symmetries[0], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(symmetries[1][..3], [2, 5, 8]);
        assert_eq!(symmetries[4][..3], [2, 1, 0]);
        assert_eq!(mirror_symmetries(3, 2)[1], [2, 1, 0, 5, 4, 3]);
    }

    #[test]
    fn corners_have_two_orthogonal_neighbours_and_three_around() {
        let layout = CellLayout::grid(3, 2, 3);
        assert_eq!(layout.neighbours[0], [1, 3]);
        assert_eq!(layout.with_neighbours(&AROUND).neighbours[0], [1, 3, 4]);
    }
}
