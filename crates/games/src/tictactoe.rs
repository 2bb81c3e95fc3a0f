//! Three in a row on a 3x3 board.

use crate::bits::write_cells;
use ludens_core::scene::{Piece, SceneCell, Shape, letter};
use ludens_core::{
    Afterstate, Bitboards, CellBoard, CellLayout, Chosen, FeatureSet, Game, Invalid, Move,
    Notation, Played, Player, Rewards, Rng, Scene, Setting, Turn, square_symmetries,
};

/// The rules of TicTacToe; there are no settings.
#[derive(Clone, Debug, Default)]
pub struct TicTacToe;

/// The cells that each player has marked, one bit per cell, row by row.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    marks: [u16; 2],
}

const SIDE: usize = 3;
const FULL: u16 = 0b111_111_111;
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// For each set of cells, whether it contains a line.
static HAS_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < LINES.len() {
            table[set] |= set as u16 & LINES[i] == LINES[i];
            i += 1;
        }
        set += 1;
    }
    table
};

/// For each set of cells, their number: not every processor counts bits.
static COUNT: [u8; 512] = {
    let mut table = [0; 512];
    let mut set = 1;
    while set < 512 {
        table[set] = table[set >> 1] + (set & 1) as u8;
        set += 1;
    }
    table
};

/// For each set of cells, the cells in it, lowest first.
static CELLS_IN: [[u8; SIDE * SIDE]; 512] = {
    let mut table = [[0; SIDE * SIDE]; 512];
    let mut set = 0;
    while set < 512 {
        let (mut cell, mut n) = (0, 0);
        while cell < SIDE * SIDE {
            if set >> cell & 1 == 1 {
                table[set][n] = cell as u8;
                n += 1;
            }
            cell += 1;
        }
        set += 1;
    }
    table
};

/// The index of a set of cells in tables.
fn index(set: u16) -> usize {
    usize::from(set & FULL)
}

impl State {
    fn empty(&self) -> u16 {
        FULL & !(self.marks[0] | self.marks[1])
    }

    fn mover(&self) -> Player {
        Player(COUNT[index(self.marks[0] | self.marks[1])] % 2)
    }

    fn has_line(&self, player: Player) -> bool {
        HAS_LINE[index(self.marks[player.index()])]
    }

    fn is_over(&self) -> bool {
        // Only the player who moved last can have completed a line.
        self.empty() == 0 || self.has_line(self.mover().other())
    }
}

impl Game for TicTacToe {
    type State = State;

    fn num_players(&self) -> usize {
        2
    }

    fn num_moves(&self) -> usize {
        SIDE * SIDE
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some((-1.0, 1.0))
    }

    fn start(&self) -> State {
        State::default()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.is_over() { Turn::Over } else { Turn::Player(state.mover()) }
    }

    #[inline]
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.is_over() {
            return;
        }
        let mut left = state.empty();
        while left != 0 {
            out.push(Move(left.trailing_zeros()));
            left &= left - 1;
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let me = state.mover();
        state.marks[me.index()] |= 1 << mv.0;
        if state.has_line(me) { Rewards::win(me) } else { Rewards::NONE }
    }

    #[inline]
    fn each_afterstate(
        &self,
        state: &State,
        _: &mut Vec<Move>,
        mut visit: impl FnMut(Afterstate<'_, State>),
    ) {
        let (me, mut left) = (state.mover(), state.empty());
        let last = left & (left - 1) == 0;
        while left != 0 {
            let (mut after, cell) = (*state, left.trailing_zeros());
            after.marks[me.index()] |= 1 << cell;
            let won = after.has_line(me);
            let rewards = if won { Rewards::win(me) } else { Rewards::NONE };
            let turn = if won || last { Turn::Over } else { Turn::Player(me.other()) };
            visit(Afterstate { mv: Move(cell), state: &after, rewards, turn });
            left &= left - 1;
        }
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        let empty = state.empty();
        let chosen = rng.below(COUNT[index(empty)].into());
        Move(CELLS_IN[index(empty)][chosen].into())
    }
}

impl CellBoard for TicTacToe {
    fn layout(&self) -> CellLayout {
        CellLayout::grid(SIDE, SIDE, 3).with_symmetries(square_symmetries(SIDE))
    }

    #[inline]
    fn read_cells(&self, state: &State, pov: Player, cells: &mut [u8]) {
        let (mine, theirs) = (state.marks[pov.index()], state.marks[pov.other().index()]);
        write_cells(mine.into(), theirs.into(), cells);
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        Move(square_symmetries(SIDE)[symmetry][mv.0 as usize].into())
    }
}

impl Bitboards for TicTacToe {}

impl Notation for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const TITLE: &'static str = "TicTacToe";
    const ABOUT: &'static str = "Be the first to mark three cells in a row.";
    const SETTINGS: &'static [Setting] = &[];

    fn configure(_: &Chosen) -> Result<TicTacToe, Invalid> {
        Ok(TicTacToe)
    }

    fn features() -> Vec<FeatureSet<TicTacToe>> {
        let lines = FeatureSet {
            name: "lines",
            about: "Lines with one, two and three marks of one player and none of the other, and forks",
            len: |_| LINE_FEATURES.len(),
            read: read_lines,
            names: |_| LINE_FEATURES.map(String::from).to_vec(),
        };
        let crossings = FeatureSet {
            name: "crossings",
            about: "For each empty cell, how many lines of either player cross there",
            len: |_| SIDE * SIDE * CROSSINGS.len(),
            read: read_crossings,
            names: |_| {
                let name = |cell| CROSSINGS.map(|what| format!("{what} through cell {cell}"));
                (0..SIDE * SIDE).flat_map(name).collect()
            },
        };
        vec![lines, crossings]
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        format!("{}{}", letter(mv.0 as usize % SIDE), mv.0 as usize / SIDE + 1)
    }

    fn state_text(&self, state: &State) -> String {
        let row = |y: usize| (0..SIDE).map(|x| glyph(state, y * SIDE + x)).collect::<String>();
        (0..SIDE).map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let bad = || Invalid(format!("expected three rows such as x.o/.x./..., found {text:?}"));
        let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
        if rows.len() != SIDE || rows.iter().any(|row| row.len() != SIDE) {
            return Err(bad());
        }
        let mut state = State::default();
        for (i, mark) in rows.iter().flatten().enumerate() {
            match mark {
                'x' => state.marks[0] |= 1 << i,
                'o' => state.marks[1] |= 1 << i,
                '.' => {}
                _ => return Err(bad()),
            }
        }
        check(&state).map(|()| state).map_err(|e| e.about(format_args!("{text:?}")))
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let cell = |i: usize, cell: SceneCell| {
            let mv = Move(i as u32);
            let piece = match glyph(state, i) {
                'x' => Piece::Mark("#2563eb", 'x'),
                'o' => Piece::Mark("#ea580c", 'o'),
                dot => Piece::Empty(dot),
            };
            cell.with(piece).plays(mv).marked(last == Some(Played::Move(mv)))
        };
        let mut scene = Scene::grid(SIDE, SIDE, cell, Shape::Square, "#fdfdfb");
        scene.label_columns(SIDE, letter);
        scene.label_rows(SIDE, |y| (y + 1).to_string());
        scene
    }
}

const LINE_FEATURES: [&str; 9] = [
    "own lines with one mark",
    "own lines with two marks",
    "own lines with three marks",
    "own forks",
    "other's lines with one mark",
    "other's lines with two marks",
    "other's lines with three marks",
    "other's forks",
    "empty lines",
];

fn read_lines(_: &TicTacToe, state: &State, pov: Player, numbers: &mut [f32]) {
    let (own, other) = (state.marks[pov.index()], state.marks[pov.other().index()]);
    numbers[..4].copy_from_slice(&count_lines(own, other));
    numbers[4..8].copy_from_slice(&count_lines(other, own));
    numbers[8] = LINES.iter().filter(|&line| line & (own | other) == 0).count() as f32;
}

/// Lines with one, two and three of `marks` that `others` leave open, and forks: empty cells where
/// two lines with one mark cross.
fn count_lines(marks: u16, others: u16) -> [f32; 4] {
    let open = || LINES.iter().filter(|&line| line & others == 0);
    let with = |count: u32| open().filter(move |&line| (line & marks).count_ones() == count);
    let (mut met, mut crossed) = (0, 0);
    for line in with(1) {
        crossed |= met & line;
        met |= line;
    }
    let forks = (crossed & !marks).count_ones();
    let [one, two, three] = [1, 2, 3].map(|count| with(count).count() as f32);
    [one, two, three, forks as f32]
}

const CROSSINGS: [&str; 5] = [
    "own lines with one mark",
    "own lines with two marks",
    "other's lines with one mark",
    "other's lines with two marks",
    "empty lines",
];

fn read_crossings(_: &TicTacToe, state: &State, pov: Player, numbers: &mut [f32]) {
    let (own, other) = (state.marks[pov.index()], state.marks[pov.other().index()]);
    for (cell, numbers) in numbers.chunks_exact_mut(CROSSINGS.len()).enumerate() {
        let empty = (own | other) >> cell & 1 == 0;
        let through = || LINES.iter().filter(move |&line| empty && line >> cell & 1 == 1);
        let with = |own_marks, other_marks| {
            let marks = |&&line: &&u16| {
                ((line & own).count_ones(), (line & other).count_ones()) == (own_marks, other_marks)
            };
            through().filter(marks).count() as f32
        };
        let counts = [with(1, 0), with(2, 0), with(0, 1), with(0, 2), with(0, 0)];
        numbers.copy_from_slice(&counts);
    }
}

fn glyph(state: &State, cell: usize) -> char {
    match (state.marks[0] >> cell & 1, state.marks[1] >> cell & 1) {
        (1, _) => 'x',
        (_, 1) => 'o',
        _ => '.',
    }
}

/// A state that play can reach: turns alternate and end with the first line.
fn check(state: &State) -> Result<(), Invalid> {
    let [x, o] = state.marks.map(u16::count_ones);
    if x != o && x != o + 1 {
        return Err(Invalid(format!("{x} crosses and {o} noughts cannot be: crosses begin")));
    }
    if state.has_line(state.mover()) {
        return Err(Invalid("the game would have ended earlier".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
