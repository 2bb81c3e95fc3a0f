//! The cell view: a board as a row of small numbers.

use crate::{Event, Game, Move, Player};

/// The board as a row of cells: what n-tuples index and networks read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellLayout {
    /// How many values each cell can take.
    pub values: Vec<u8>,
    /// Cells in one row.
    pub width: usize,
    /// Permutations of the cells that change nothing; the identity first. The content of cell `i`
    /// is carried to cell `symmetry[i]`.
    pub symmetries: Vec<Vec<u16>>,
    /// The cells next to each cell, for tuples drawn by random walk.
    pub neighbours: Vec<Vec<u16>>,
    /// Cells that have few joint states, if the game knows some; see [`CellGroup`].
    pub groups: Vec<CellGroup>,
    /// Bits of a cell in packed boards; zero if the game does not pack its boards.
    ///
    /// See [`CellLayout::packed_bit`].
    pub bits: u32,
    /// Whether packed boards come bit by bit, not cell by cell: the lowest bit of every cell first.
    ///
    /// Then boards that differ by little in small values use weights that lie close together: for
    /// tables that no cache holds.
    pub planes: bool,
    /// Whether the game tells its boards as numbers; see [`CellBoard::board_number`].
    pub numbered: bool,
    /// Tuples of cells that are known to serve this game well.
    pub tuple_sets: Vec<TupleSet>,
}

/// Tuples of cells under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleSet {
    /// What the set is called.
    pub name: &'static str,
    /// The cells of each tuple.
    pub tuples: Vec<Vec<u16>>,
}

/// Cells that can only take few of their combinations, such as a column in Connect-4.
///
/// A game has either no groups or groups that partition its cells, in which case
/// [`CellBoard::read_groups`] tells the joint state of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellGroup {
    /// The cells of the group.
    pub cells: Vec<u16>,
    /// Each joint state: one value per cell of the group.
    pub states: Vec<Vec<u8>>,
}

impl CellLayout {
    /// A `width` x `height` grid whose cells take `values` values, with no symmetry but the
    /// identity, and with the four orthogonal neighbours.
    pub fn grid(width: usize, height: usize, values: u8) -> CellLayout {
        let cells = width * height;
        CellLayout {
            values: vec![values; cells],
            width,
            symmetries: vec![(0..cells as u16).collect()],
            neighbours: neighbours(width, height, &ORTHOGONAL),
            groups: Vec::new(),
            bits: 0,
            planes: false,
            numbered: false,
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

    /// The same layout, packed with so many bits a cell; see [`CellBoard::read_images`].
    pub fn with_packing(self, bits: u32) -> CellLayout {
        CellLayout { bits, ..self }
    }

    /// The same layout, packed with so many bits a cell, one bit of all cells after the other.
    pub fn with_planes(self, bits: u32) -> CellLayout {
        CellLayout { bits, planes: true, ..self }
    }

    /// Where a bit of a cell lies in packed boards: two words of 64 bits, the first being the lower
    /// one.
    pub fn packed_bit(&self, cell: usize, bit: u32) -> usize {
        if self.planes {
            bit as usize * self.num_cells() + cell
        } else {
            cell * self.bits as usize + bit as usize
        }
    }

    /// The same layout, of a game that numbers its boards; see [`CellBoard::board_number`].
    pub fn with_numbers(self) -> CellLayout {
        CellLayout { numbered: true, ..self }
    }

    /// The same layout with one more set of tuples.
    pub fn with_tuple_set(mut self, name: &'static str, tuples: &[&[u16]]) -> CellLayout {
        let tuples = tuples.iter().map(|tuple| tuple.to_vec()).collect();
        self.tuple_sets.push(TupleSet { name, tuples });
        self
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

/// The images of a packed square board, in the order of [`square_symmetries`].
///
/// `crossed` is `plain` with rows and columns exchanged; `upside_down` puts the last row first, and
/// `turned` the last cell.
#[inline(always)]
pub fn square_images<B: Copy>(
    plain: B,
    crossed: B,
    upside_down: impl Fn(B) -> B,
    turned: impl Fn(B) -> B,
) -> [B; 8] {
    [
        plain,
        upside_down(crossed),
        turned(plain),
        upside_down(turned(crossed)),
        upside_down(turned(plain)),
        turned(crossed),
        upside_down(plain),
        crossed,
    ]
}

/// How many packed boards are read side by side.
pub const ABREAST: usize = 4;

/// One image of each of several packed boards: their first words, then their second.
pub type Abreast = [[u64; ABREAST]; 2];

/// Games whose position can be read cell by cell.
pub trait CellBoard: Game {
    /// The shape of the board. Callers keep it; it may be slow to build.
    fn layout(&self) -> CellLayout;

    /// Writes the value of each cell as `pov` sees it.
    ///
    /// For own and other, pass the player; for a view that stays, always pass `Player(0)`.
    fn read_cells(&self, state: &Self::State, pov: Player, cells: &mut [u8]);

    /// Writes the joint state of each group of the layout as `pov` sees it.
    ///
    /// Games whose layout has groups implement it; for others it is never called.
    fn read_groups(&self, _state: &Self::State, _pov: Player, _groups: &mut [u8]) {
        unreachable!("the layout has no groups")
    }

    /// Writes the packed board as `pov` sees it, under each symmetry of the layout in turn.
    ///
    /// Image `s` has at cell `i` what the board has at cell `symmetries[s][i]`. Only the first
    /// images are asked for if `images` is shorter. Games whose layout is packed implement it; for
    /// others it is never called.
    fn read_images(&self, _state: &Self::State, _pov: Player, _images: &mut [[u64; 2]]) {
        unreachable!("the boards are not packed")
    }

    /// Writes the same for several boards: row `s` has image `s` of each. `scratch` holds nothing
    /// of worth before or after. Rows held zeros before, or what this game wrote for other boards:
    /// second words that are always zero need not be written.
    ///
    /// Override, to be inlined always, where several boards take little longer than one: callers
    /// may be compiled for wide vectors.
    fn read_images_abreast(
        &self,
        states: &[Self::State; ABREAST],
        pov: Player,
        rows: &mut [Abreast],
        scratch: &mut Vec<[u64; 2]>,
    ) {
        scratch.resize(rows.len(), [0; 2]);
        for (lane, state) in states.iter().enumerate() {
            self.read_images(state, pov, scratch);
            for ([first, second], image) in rows.iter_mut().zip(&*scratch) {
                (first[lane], second[lane]) = (image[0], image[1]);
            }
        }
    }

    /// The board as `pov` sees it, as a number with one digit for each cell, the first one lowest.
    ///
    /// Games whose layout is numbered implement it; for others it is never called.
    fn board_number(&self, _state: &Self::State, _pov: Player) -> u32 {
        unreachable!("the boards have no numbers")
    }

    /// The move that `mv` becomes under the given symmetry of the layout.
    fn map_move(&self, symmetry: usize, mv: Move) -> Move;

    /// The state that the start becomes under the given symmetry of the layout.
    ///
    /// Games whose start is not symmetric itself, such as Othello's, implement it.
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
