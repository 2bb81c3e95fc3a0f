//! How Hex is written and drawn.

use super::{Hex, State, Wide};
use ludens_core::scene::{Color, Edge, Piece, SceneCell, Shape, letter};
use ludens_core::{Chosen, Invalid, Move, Notation, Played, Player, Scene, Setting};

/// The colour of each player's stones and edges.
const COLORS: [Color; 2] = ["#d64045", "#2f6fd0"];
const MARKS: [char; 2] = ['x', 'o'];

/// Between two rows, if two columns are one unit apart.
const ROW: f32 = 0.866_025_4;
/// From the centre of a hexagon to its top.
const TOP: f32 = 0.577_350_3;

impl Notation for Hex {
    const NAME: &'static str = "hex";
    const TITLE: &'static str = "Hex";
    const ABOUT: &'static str = "Join your two edges with an unbroken chain of stones.";
    const SETTINGS: &'static [Setting] = &[
        Setting::integer("size", 6, (2, 13), "cells on a side"),
        Setting::flag("swap", false, "whether the second player may take over the first stone"),
    ];

    fn configure(chosen: &Chosen) -> Result<Hex, Invalid> {
        Ok(Hex::new(chosen.count("size"), chosen.flag("swap")))
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        if mv == self.swap_move() {
            return "swap".into();
        }
        let cell = mv.0 as usize;
        format!("{}{}", letter(cell % self.size), cell / self.size + 1)
    }

    fn state_text(&self, state: &State) -> String {
        let row = |y: usize| {
            let mark = |x| owner(state, y * self.size + x).map_or('.', |p| MARKS[p.index()]);
            (0..self.size).map(mark).collect::<String>()
        };
        let rows: Vec<_> = (0..self.size).map(row).collect();
        format!("{} player {}", rows.join("/"), state.mover)
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let (stones, mover) = self.read(text).ok_or_else(|| {
            Invalid(format!(
                "expected {0} rows of {0} cells x, o or . and who moves, such as {1:?}; found {text:?}",
                self.size,
                self.state_text(&State { mover: Player(0), ..ludens_core::Game::start(self) })
            ))
        })?;
        let about = |e: Invalid| e.about(format_args!("{text:?}"));
        self.check_turns(stones, mover).map_err(about)?;
        let [(first, first_won), (second, second_won)] =
            [0, 1].map(|p| self.wide.search(p, stones[p]));
        let won = [first_won, second_won];
        if won[mover.index()] {
            return Err(about(Invalid("the game would have ended earlier".into())));
        }
        let won = won[mover.other().index()];
        Ok(State { stones, joined: [first, second], mover, won })
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let last = match last {
            Some(Played::Move(mv)) if mv == self.swap_move() => state.stones[1].places().next(),
            Some(Played::Move(mv)) => Some(mv.0 as usize),
            _ => None,
        };
        let cell = |cell: usize| {
            let (x, y) = self.centre(cell % self.size, cell / self.size);
            let place = SceneCell::new(x, y, Shape::Hexagon, "#f4f1e8");
            let piece = owner(state, cell)
                .map_or(Piece::Empty('.'), |p| Piece::Disc(COLORS[p.index()], MARKS[p.index()]));
            place.with(piece).plays(Move(cell as u32)).marked(last == Some(cell))
        };
        let mut cells: Vec<_> = (0..self.size * self.size).map(cell).collect();
        cells.extend((0..self.size).flat_map(|i| self.labels(i)));
        Scene { cells, edges: self.edges(), ..Scene::default() }
    }
}

impl Hex {
    /// The stones of each player and the player to move.
    fn read(&self, text: &str) -> Option<([Wide; 2], Player)> {
        let (board, mover) = text.split_once(" player ")?;
        let mover = Player::all(2).find(|p| p.to_string() == mover)?;
        let rows: Vec<&str> = board.split('/').collect();
        let whole = rows.len() == self.size && rows.iter().all(|row| row.len() == self.size);
        let mut stones = [Wide::default(); 2];
        for (cell, mark) in whole.then(|| rows.concat())?.chars().enumerate() {
            match MARKS.iter().position(|&m| m == mark) {
                Some(player) => stones[player] = stones[player] | Wide::bit(cell),
                None if mark == '.' => {}
                None => return None,
            }
        }
        Some((stones, mover))
    }

    /// Turns alternate, but for one swap.
    fn check_turns(&self, stones: [Wide; 2], mover: Player) -> Result<(), Invalid> {
        let [x, o] = stones.map(Wide::count);
        let plain = x == o + mover.index();
        let swapped = self.swap && o > 0 && o == x + 1 - mover.index();
        if plain || swapped {
            return Ok(());
        }
        Err(Invalid(format!("{x} x and {o} o cannot be when player {mover} moves: x begins")))
    }

    fn centre(&self, x: usize, y: usize) -> (f32, f32) {
        (x as f32 + y as f32 / 2.0, y as f32 * ROW)
    }

    /// The names of the `i`-th column and row.
    fn labels(&self, i: usize) -> [SceneCell; 2] {
        let (x, y) = self.centre(0, i);
        [SceneCell::label(i as f32 - 0.5, -1.1, letter(i)), SceneCell::label(x - 1.1, y, i + 1)]
    }

    /// The border: top and bottom for the first player, left and right for the second.
    fn edges(&self) -> Vec<Edge> {
        let end = self.size - 1;
        let along = |cell: &dyn Fn(usize) -> (usize, usize), corners: [(f32, f32); 3]| {
            let points = |i: usize| {
                let (column, row) = cell(i);
                let (x, y) = self.centre(column, row);
                corners.map(|(dx, dy)| (x + dx, y + dy))
            };
            (0..self.size).flat_map(points).collect::<Vec<_>>()
        };
        let side = TOP / 2.0;
        let top = along(&|i| (i, 0), [(-0.5, -side), (0.0, -TOP), (0.5, -side)]);
        let bottom = along(&|i| (i, end), [(-0.5, side), (0.0, TOP), (0.5, side)]);
        let left = along(&|i| (0, i), [(-0.5, -side), (-0.5, side), (0.0, TOP)]);
        let right = along(&|i| (end, i), [(0.0, -TOP), (0.5, -side), (0.5, side)]);
        let edges = [(top, 0), (bottom, 0), (left, 1), (right, 1)];
        edges.map(|(points, player)| Edge { points, color: COLORS[player] }).into()
    }
}

fn owner(state: &State, cell: usize) -> Option<Player> {
    Player::all(2).find(|p| state.stones[p.index()].contains(cell))
}
