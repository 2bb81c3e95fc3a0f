//! How 2048 is written and drawn.

use super::{CELLS, Game2048, SIDE, State};
use ludens_core::scene::{Color, Piece, SceneCell, Shape, letter};
use ludens_core::{Chosen, Event, Game, Invalid, Move, Notation, Played, Scene, Setting};

const DIRECTIONS: [&str; 4] = ["up", "right", "down", "left"];

/// The most that all tiles can sum up to: 4, 8, ... 131072, one of each.
///
/// Fifteen tiles that sum up to less sum up to at most 2^18 - 8, and chance adds at most 4. So no
/// play from a state within the bound leaves it, and no tile ever exceeds 2^17.
const MOST: u32 = (1 << 18) - 4;

/// The colour of each tile, and of the empty cell.
const FILLS: [Color; 18] = [
    "#4b5563", "#e9f2ec", "#cfe8d8", "#a5d9bb", "#74c69d", "#45ad8b", "#25948a", "#217c94",
    "#2a63a6", "#3f4fb0", "#5b3fb0", "#7d34a8", "#a02b97", "#c02a7a", "#d63a57", "#e15a38",
    "#e8851d", "#eab308",
];
/// The first tile that is dark enough for white ink.
const DARK: u8 = 5;

impl Notation for Game2048 {
    const NAME: &'static str = "2048";
    const TITLE: &'static str = "2048";
    const ABOUT: &'static str = "Slide the tiles; two alike merge into one of twice the number.";
    const SETTINGS: &'static [Setting] = &[];

    fn configure(_: &Chosen) -> Result<Game2048, Invalid> {
        Ok(Game2048::default())
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        DIRECTIONS[mv.0 as usize].into()
    }

    fn event_text(&self, _: &State, event: Event) -> String {
        let (cell, face) = (event.0 as usize / 2, 2 + event.0 % 2 * 2);
        format!("{face}@{}{}", letter(cell % SIDE), cell / SIDE + 1)
    }

    fn state_text(&self, state: &State) -> String {
        let row = |y| (0..SIDE).map(|x| face(state, y * SIDE + x)).collect::<Vec<_>>().join(" ");
        let rows = (0..SIDE).map(row).collect::<Vec<_>>().join("/");
        format!("{rows} {}", if state.chance() { "chance" } else { "player 1" })
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let state = read(text).ok_or_else(|| {
            Invalid(format!(
                "expected four rows of four tiles up to 131072 or . and who acts, such as {:?} \
                 or \"2 . . ./. . 4 ./. . . ./. . . . player 1\"; found {text:?}",
                self.state_text(&self.start())
            ))
        })?;
        check(&state).map(|()| state).map_err(|e| e.about(format_args!("{text:?}")))
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let place = |cell: usize, place: SceneCell| {
            let exponent = state.exponent(cell);
            let fill = FILLS[usize::from(exponent)];
            let ink = if exponent < DARK { "#1f3a34" } else { "#ffffff" };
            let piece = match exponent {
                0 => Piece::Empty('.'),
                _ => Piece::Text(ink, face(state, cell)),
            };
            let added = matches!(last, Some(Played::Event(e)) if e.0 as usize / 2 == cell);
            SceneCell { fill, ..place.with(piece).marked(added) }
        };
        let mut scene = Scene::grid(SIDE, SIDE, place, Shape::Tile, FILLS[0]);
        scene.ground = Some("#374151");
        scene.label_columns(SIDE, letter);
        scene.label_rows(SIDE, |y| (y + 1).to_string());
        scene
    }
}

fn face(state: &State, cell: usize) -> String {
    match state.exponent(cell) {
        0 => ".".into(),
        exponent => (1u32 << exponent).to_string(),
    }
}

fn read(text: &str) -> Option<State> {
    let (rows, chance) = match text.strip_suffix(" chance") {
        Some(rows) => (rows, true),
        None => (text.strip_suffix(" player 1")?, false),
    };
    let mut state = State::new(0, 0, chance);
    let rows: Vec<Vec<&str>> = rows.split('/').map(|row| row.split(' ').collect()).collect();
    if rows.len() != SIDE || rows.iter().any(|row| row.len() != SIDE) {
        return None;
    }
    for (cell, word) in rows.concat().into_iter().enumerate() {
        let known = (1..=17).find(|exponent| (1u32 << exponent).to_string() == word);
        state.set(cell, if word == "." { 0 } else { known? });
    }
    Some(state)
}

/// A state that can be played on: chance has room, the player has tiles, and none grows too large.
fn check(state: &State) -> Result<(), Invalid> {
    let exponents = (0..CELLS).map(|cell| state.exponent(cell)).filter(|&e| e > 0);
    let (tiles, sum) = (exponents.clone().count(), exponents.map(|e| 1u32 << e).sum::<u32>());
    match tiles {
        CELLS if state.chance() => Err(Invalid("chance has no room for another tile".into())),
        0 | 1 if !state.chance() => Err(Invalid("a player's turn needs two tiles".into())),
        _ if sum > MOST => Err(Invalid(format!("the tiles sum up to {sum}; possible is {MOST}"))),
        _ => Ok(()),
    }
}
