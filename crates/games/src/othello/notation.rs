//! How Othello is written and drawn.

use super::{Othello, OthelloView, Reward, State};
use ludens_core::scene::{Piece, SceneCell, Shape, letter};
use ludens_core::{Chosen, Game, Invalid, Move, Notation, Played, Player, Scene, Setting, Turn};
use ludens_simd::Avx2;

const BLACK: &str = "#111827";
const WHITE: &str = "#f9fafb";

impl Notation for Othello {
    const NAME: &'static str = "othello";
    const TITLE: &'static str = "Othello";
    const ABOUT: &'static str =
        "Enclose the other's discs to turn them over; have most at the end.";
    const SETTINGS: &'static [Setting] = &[
        Setting::choice("size", "8", &["4", "6", "8"], "cells on a side"),
        Setting::choice(
            "cells",
            "playable",
            &["plain", "playable"],
            "whether cells tell where the next disc may go",
        ),
        Setting::choice(
            "reward",
            "outcome",
            &["outcome", "discs"],
            "who wins, or by which share of the cells",
        ),
    ];

    fn configure(chosen: &Chosen) -> Result<Othello, Invalid> {
        let view = if chosen.choice("cells") == "playable" {
            OthelloView::Playable
        } else {
            OthelloView::Plain
        };
        let reward =
            if chosen.choice("reward") == "discs" { Reward::Discs } else { Reward::Outcome };
        let size = chosen.choice("size").parse().expect("all choices are numbers");
        Ok(Othello { size, view, reward, avx2: Avx2::detect() })
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        if mv == self.pass() {
            return "pass".into();
        }
        let cell = mv.0 as usize;
        format!("{}{}", letter(cell % self.size), cell / self.size + 1)
    }

    fn state_text(&self, state: &State) -> String {
        let row =
            |y: usize| (0..self.size).map(|x| glyph(state, y * self.size + x)).collect::<String>();
        let next = match state.turn {
            Turn::Player(Player(0)) => 'x',
            Turn::Player(_) => 'o',
            _ => '-',
        };
        format!("{} {next}", (0..self.size).map(row).collect::<Vec<_>>().join("/"))
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let (discs, next) = self.parse_parts(text).ok_or_else(|| {
            let (size, start) = (self.size, self.state_text(&self.start()));
            Invalid(format!(
                "expected {size} rows of {size} cells, each . x or o, and who is next, x o or -, \
                 such as {start:?}, found {text:?}"
            ))
        })?;
        self.judge(discs, next).map_err(|e| e.about(format_args!("{text:?}")))
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let cell = |i: usize, cell: SceneCell| {
            let mv = Move(i as u32);
            let piece = match glyph(state, i) {
                'x' => Piece::Disc(BLACK, 'x'),
                'o' => Piece::Disc(WHITE, 'o'),
                dot => Piece::Empty(dot),
            };
            cell.with(piece).plays(mv).marked(last == Some(Played::Move(mv)))
        };
        let mut scene = Scene::grid(self.size, self.size, cell, Shape::Square, "#15803d");
        scene.ground = Some("#14532d");
        scene.label_columns(self.size, letter);
        scene.label_rows(self.size, |y| (y + 1).to_string());
        scene
    }
}

fn glyph(state: &State, cell: usize) -> char {
    match state.discs.map(|discs| discs >> cell & 1) {
        [1, _] => 'x',
        [_, 1] => 'o',
        _ => '.',
    }
}

impl Othello {
    /// The discs and who is next, if `text` has the right form.
    fn parse_parts(&self, text: &str) -> Option<([u64; 2], Option<Player>)> {
        let (board, next) = text.split_once(' ')?;
        let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
        if rows.len() != self.size || rows.iter().any(|row| row.len() != self.size) {
            return None;
        }
        let mut discs = [0; 2];
        for (i, glyph) in rows.iter().flatten().enumerate() {
            match glyph {
                'x' => discs[0] |= 1 << i,
                'o' => discs[1] |= 1 << i,
                '.' => {}
                _ => return None,
            }
        }
        match next {
            "x" => Some((discs, Some(Player(0)))),
            "o" => Some((discs, Some(Player(1)))),
            "-" => Some((discs, None)),
            _ => None,
        }
    }

    /// The state with these discs, if `next` is right about who is next.
    fn judge(&self, discs: [u64; 2], next: Option<Player>) -> Result<State, Invalid> {
        let start = self.start();
        let centre = start.discs[0] | start.discs[1];
        if centre & !(discs[0] | discs[1]) != 0 {
            return Err(Invalid("the four cells in the middle are never empty".into()));
        }
        let state = self.state_of(discs, next.unwrap_or_default());
        match (next, state.turn) {
            (Some(_), Turn::Over) => {
                Err(Invalid("nobody can play, so the game is over: - is next".into()))
            }
            (None, Turn::Player(_)) => Err(Invalid("somebody can play: x or o is next".into())),
            _ => Ok(state),
        }
    }
}
