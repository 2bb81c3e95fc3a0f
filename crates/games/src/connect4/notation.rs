//! How Connect Four is written and drawn.

use super::{Connect4, Connect4View, State};
use ludens_core::scene::{Piece, SceneCell, Shape};
use ludens_core::{Chosen, Game, Invalid, Move, Notation, Played, Player, Scene, Setting, Turn};

/// Cells and guards must fit into one 64-bit word.
const MOST_BITS: usize = 64;

impl Notation for Connect4 {
    const NAME: &'static str = "connect4";
    const TITLE: &'static str = "Connect Four";
    const ABOUT: &'static str = "Drop stones into columns and be the first to have four in a row.";
    const SETTINGS: &'static [Setting] = &[
        Setting::integer("columns", 7, (4, 9), "columns to drop stones into"),
        Setting::integer("rows", 6, (4, 8), "stones that a column holds"),
        Setting::integer("line", 4, (3, 9), "stones in a row that win"),
        Setting::choice("cells", "reach", &["plain", "reach"], "whether cells tell the next drops"),
    ];

    fn configure(chosen: &Chosen) -> Result<Connect4, Invalid> {
        let (columns, rows) = (chosen.count("columns"), chosen.count("rows"));
        let line = chosen.count("line");
        let bits = columns * (rows + 1);
        if bits > MOST_BITS {
            return Err(Invalid(format!(
                "columns * (rows + 1) is at most {MOST_BITS}, and {columns} * ({rows} + 1) is {bits}"
            )));
        }
        if line > columns.max(rows) {
            return Err(Invalid(format!(
                "a line of {line} does not fit {columns} columns and {rows} rows"
            )));
        }
        let view = if chosen.choice("cells") == "reach" {
            Connect4View::Reach
        } else {
            Connect4View::Plain
        };
        Ok(Connect4::new(columns, rows, line, view))
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        (mv.0 + 1).to_string()
    }

    fn state_text(&self, state: &State) -> String {
        let row = |y: usize| (0..self.columns).map(|x| self.glyph(state, x, y)).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let stones = self.parse_stones(text)?;
        self.judge(stones).map_err(|e| e.about(format_args!("{text:?}")))
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let cell = |i: usize, cell: SceneCell| {
            let (x, y) = (i % self.columns, i / self.columns);
            let piece = match self.glyph(state, x, y) {
                'x' => Piece::Disc("#facc15", 'x'),
                'o' => Piece::Disc("#dc2626", 'o'),
                dot => Piece::Empty(dot),
            };
            let mv = Move(x as u32);
            let on_top = state.filled() >> self.bit(x, y) & 0b11 == 0b01;
            cell.with(piece).plays(mv).marked(on_top && last == Some(Played::Move(mv)))
        };
        let mut scene = Scene::grid(self.columns, self.rows, cell, Shape::Hole, "#eef2ff");
        scene.ground = Some("#1d4ed8");
        scene.label_columns(self.columns, |x| (x + 1).to_string());
        scene
    }
}

impl Connect4 {
    /// The bit of the cell in column `x` and row `y`, rows counted from the top.
    fn bit(&self, x: usize, y: usize) -> usize {
        x * self.stride() + self.rows - 1 - y
    }

    fn glyph(&self, state: &State, x: usize, y: usize) -> char {
        match state.stones.map(|stones| stones >> self.bit(x, y) & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        }
    }

    fn parse_stones(&self, text: &str) -> Result<[u64; 2], Invalid> {
        let bad = || {
            let (columns, rows) = (self.columns, self.rows);
            let empty = self.state_text(&self.start());
            Invalid(format!(
                "expected {rows} rows of {columns} cells, each . x or o, such as {empty}, \
                 found {text:?}"
            ))
        };
        let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
        if rows.len() != self.rows || rows.iter().any(|row| row.len() != self.columns) {
            return Err(bad());
        }
        let mut stones = [0; 2];
        for (i, glyph) in rows.iter().flatten().enumerate() {
            let bit = 1 << self.bit(i % self.columns, i / self.columns);
            match glyph {
                'x' => stones[0] |= bit,
                'o' => stones[1] |= bit,
                '.' => {}
                _ => return Err(bad()),
            }
        }
        Ok(stones)
    }

    /// The state with these stones, if turns alternated and the first line ended the game.
    fn judge(&self, stones: [u64; 2]) -> Result<State, Invalid> {
        let filled = stones[0] | stones[1];
        if filled & (self.board ^ self.bottom_row) & !(filled << 1) != 0 {
            return Err(Invalid("a stone floats above an empty cell".into()));
        }
        let [x, o] = stones.map(u64::count_ones);
        if x != o && x != o + 1 {
            return Err(Invalid(format!("{x} times x and {o} times o cannot be: x begins")));
        }
        let mover = Player((x - o) as u8);
        if self.has_line(stones[mover.index()]) {
            return Err(Invalid("the game would have ended earlier".into()));
        }
        let theirs = stones[mover.other().index()];
        if filled != 0 && !self.has_last_stone(theirs, filled) {
            return Err(Invalid("no stone on top can have been the last".into()));
        }
        let over = filled == self.board || self.has_line(theirs);
        Ok(State { stones, turn: if over { Turn::Over } else { Turn::Player(mover) } })
    }

    /// Whether one of `stones` lies on top and was not preceded by a line.
    fn has_last_stone(&self, stones: u64, filled: u64) -> bool {
        let mut tops = stones & !(filled >> 1);
        while tops != 0 {
            let top = tops & tops.wrapping_neg();
            if !self.has_line(stones ^ top) {
                return true;
            }
            tops ^= top;
        }
        false
    }
}
