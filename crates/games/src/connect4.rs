//! Connect Four: stones fall into columns until four of them stand in a row.

mod notation;

use ludens_core::{
    Bitboards, CellBoard, CellGroup, CellLayout, Game, Move, Player, Rewards, Rng, Turn,
    mirror_symmetries,
};

/// The rules for one size of the board.
///
/// Cells are bits, column by column from the left, each from the bottom up. A guard bit above each
/// column is never set, so that a line cannot run on into the next column. With 6 rows:
///
/// ```text
///  6 13 20 27 34 41 48   guards
///  5 12 19 26 33 40 47   top row
///  4 11 18 25 32 39 46
///  3 10 17 24 31 38 45
///  2  9 16 23 30 37 44
///  1  8 15 22 29 36 43
///  0  7 14 21 28 35 42   bottom row
/// ```
#[derive(Clone, Debug)]
pub struct Connect4 {
    columns: usize,
    rows: usize,
    line: usize,
    view: Connect4View,
    bottom_row: u64,
    top_row: u64,
    board: u64,
}

/// How cells show empty places.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Connect4View {
    Plain,
    Reach,
}

/// The stones of each player, and who plays next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    stones: [u64; 2],
    // Follows from the stones; stored because finding a line takes longer than playing.
    turn: Turn,
}

impl State {
    fn filled(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    fn mover(&self) -> Player {
        match self.turn {
            Turn::Player(player) => player,
            over => unreachable!("nobody is to move: {over:?}"),
        }
    }
}

impl Connect4 {
    fn new(columns: usize, rows: usize, line: usize, view: Connect4View) -> Connect4 {
        let bottom_row = (0..columns).fold(0, |bits, column| bits | 1 << (column * (rows + 1)));
        let column = (1u64 << rows) - 1;
        Connect4 {
            columns,
            rows,
            line,
            view,
            bottom_row,
            top_row: bottom_row << (rows - 1),
            board: bottom_row * column,
        }
    }

    /// Bits of a column and its guard.
    fn stride(&self) -> usize {
        self.rows + 1
    }

    /// The lowest empty cell of each column that has one.
    #[inline]
    fn reachable(&self, filled: u64) -> u64 {
        (filled + self.bottom_row) & self.board
    }

    #[inline]
    fn has_line(&self, stones: u64) -> bool {
        let stride = self.stride();
        let steps = [1, stride - 1, stride, stride + 1];
        if self.line == 4 {
            steps.iter().any(|step| {
                let pairs = stones & stones >> step;
                pairs & pairs >> (2 * step) != 0
            })
        } else {
            steps.iter().any(|&step| longest_lines(stones, step, self.line) != 0)
        }
    }
}

/// The first cells of lines of `line` stones that are `step` bits apart.
fn longest_lines(stones: u64, step: usize, line: usize) -> u64 {
    let (mut runs, mut length) = (stones, 1);
    while length < line {
        let more = length.min(line - length);
        runs &= runs >> (more * step);
        length += more;
    }
    runs
}

impl Game for Connect4 {
    type State = State;

    fn num_players(&self) -> usize {
        2
    }

    fn num_moves(&self) -> usize {
        self.columns
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some((-1.0, 1.0))
    }

    fn start(&self) -> State {
        State { stones: [0; 2], turn: Turn::Player(Player(0)) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    #[inline]
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.turn == Turn::Over {
            return;
        }
        let mut tops = state.filled() >> (self.rows - 1);
        for column in 0..self.columns as u32 {
            if tops & 1 == 0 {
                out.push(Move(column));
            }
            tops >>= self.stride();
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let (me, filled) = (state.mover(), state.filled());
        let column = ((1 << self.rows) - 1) << (mv.0 as usize * self.stride());
        let stone = (filled + self.bottom_row) & column;
        let mine = &mut state.stones[me.index()];
        *mine |= stone;
        if self.has_line(*mine) {
            state.turn = Turn::Over;
            return Rewards::win(me);
        }
        let full = filled | stone == self.board;
        state.turn = if full { Turn::Over } else { Turn::Player(me.other()) };
        Rewards::NONE
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        let mut closed = state.filled() & self.top_row;
        let mut left = rng.below(self.columns - closed.count_ones() as usize);
        if closed == 0 {
            return Move(left as u32);
        }
        closed >>= self.rows - 1;
        let mut column = 0;
        loop {
            if closed & 1 == 0 {
                if left == 0 {
                    return Move(column);
                }
                left -= 1;
            }
            closed >>= self.stride();
            column += 1;
        }
    }
}

impl CellBoard for Connect4 {
    fn layout(&self) -> CellLayout {
        let values = match self.view {
            Connect4View::Plain => 3,
            Connect4View::Reach => 4,
        };
        let groups = match self.rows {
            ..=7 => (0..self.columns).map(|column| self.column_group(column)).collect(),
            // The joint states of a higher column do not fit into a byte.
            _ => Vec::new(),
        };
        let grid = CellLayout::grid(self.columns, self.rows, values);
        let symmetries = mirror_symmetries(self.columns, self.rows);
        CellLayout { groups, ..grid.with_symmetries(symmetries) }
    }

    #[inline]
    fn read_cells(&self, state: &State, pov: Player, cells: &mut [u8]) {
        let reachable = match self.view {
            Connect4View::Plain => 0,
            Connect4View::Reach => self.reachable(state.filled()),
        };
        let ones = state.stones[pov.index()] | reachable;
        let twos = state.stones[pov.other().index()] | reachable;
        for (y, row) in cells.chunks_exact_mut(self.columns).enumerate() {
            let mut bit = self.rows - 1 - y;
            for cell in row {
                *cell = (ones >> bit & 1) as u8 | ((twos >> bit & 1) as u8) << 1;
                bit += self.stride();
            }
        }
    }

    #[inline]
    fn read_groups(&self, state: &State, pov: Player, groups: &mut [u8]) {
        let mut ids = state.filled() + state.stones[pov.index()];
        for group in groups {
            *group = (ids & ((2 << self.rows) - 1)) as u8;
            ids >>= self.stride();
        }
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        if symmetry == 0 { mv } else { Move(self.columns as u32 - 1 - mv.0) }
    }
}

impl Bitboards for Connect4 {}

impl Connect4 {
    /// The cells of a column from the top, and their joint states.
    ///
    /// With `h` stones, the number of a state is `2^h - 1 + mine`, where `mine` are the bits of the
    /// player's own stones: the column's filled bits plus `mine`.
    fn column_group(&self, column: usize) -> CellGroup {
        let value = |key: usize, row: usize| match (row.cmp(&(key.ilog2() as usize)), self.view) {
            (std::cmp::Ordering::Less, _) => 2 - (key >> row & 1) as u8,
            (std::cmp::Ordering::Equal, Connect4View::Reach) => 3,
            _ => 0,
        };
        let state = |key: usize| (0..self.rows).rev().map(|row| value(key, row)).collect();
        CellGroup {
            cells: (0..self.rows).map(|y| (y * self.columns + column) as u16).collect(),
            states: (1..2 << self.rows).map(state).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
