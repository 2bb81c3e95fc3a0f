//! The board in cells of characters.

use super::app::App;
use ludens_core::Scene;
use ludens_core::scene::{Piece, SceneCell, Shape};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// Characters for one cell: across and down.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct CellSize {
    pub(super) width: u16,
    pub(super) height: u16,
}

/// From roomy to tight.
const SIZES: [CellSize; 4] = [
    CellSize { width: 8, height: 3 },
    CellSize { width: 6, height: 2 },
    CellSize { width: 6, height: 1 },
    CellSize { width: 4, height: 1 },
];

/// Room for a value such as +0.12 between two others.
const VALUE_WIDTH: u16 = 6;

/// The largest cells with which the board fits, and the room it takes; nothing if none does.
pub(super) fn fit(scene: &Scene, width: u16, height: u16) -> Option<(CellSize, (u16, u16))> {
    let longest = scene.cells.iter().map(|cell| glyph(cell).chars().count()).max().unwrap_or(1);
    let tight = CellSize { width: longest as u16 + 2, height: 1 };
    let wide = SIZES.into_iter().filter(|size| size.width >= tight.width);
    wide.chain([tight]).find_map(|size| {
        let (left, top, right, bottom) = extent(scene);
        let across = ((right - left + 1.0) * f32::from(size.width)).ceil() as u16;
        let down = ((bottom - top + 1.0) * f32::from(size.height)).ceil() as u16;
        (across <= width && down <= height).then_some((size, (across, down)))
    })
}

/// Draws the board with the cursor and, if they are known, the values.
pub(super) fn draw(app: &App, size: CellSize, area: Rect, buffer: &mut Buffer) {
    let scene = &app.shown.scene;
    let (left, top, _, _) = extent(scene);
    for (i, cell) in scene.cells.iter().enumerate() {
        let x = area.x + ((cell.x - left) * f32::from(size.width)).round() as u16;
        let y = area.y + ((cell.y - top) * f32::from(size.height)).round() as u16;
        let place = Rect { x, y, width: size.width, height: size.height };
        let drawn = DrawnCell { scene, cell, color: app.color };
        drawn.ground(place, buffer);
        let value = cell_value(app, i).filter(|_| size.width >= VALUE_WIDTH);
        drawn.text(place, value, buffer);
        if app.cursor == Some(i) && app.shown.human {
            point(place, buffer);
        }
    }
}

/// The value of the move that a cell stands for, where there is room for it.
fn cell_value(app: &App, i: usize) -> Option<f32> {
    let cell = &app.shown.scene.cells[i];
    let empty = matches!(cell.piece, Piece::Empty(_)) && app.shown.targets.contains(&i);
    let values = app.opinion.as_ref()?.values.as_ref()?;
    let at = app.shown.legal.iter().position(|(mv, _)| Some(*mv) == cell.mv)?;
    (empty && app.values_wanted).then(|| values.get(at).copied()).flatten()
}

/// Brackets around the middle of a place.
fn point(place: Rect, buffer: &mut Buffer) {
    let (y, last) = (place.y + (place.height - 1) / 2, place.x + place.width - 2);
    for (x, bracket) in [(place.x, "["), (last, "]")] {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_symbol(bracket).modifier.insert(Modifier::BOLD);
        }
    }
    for x in place.x..=last {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.modifier.insert(Modifier::REVERSED);
        }
    }
}

/// A cell as it is to be drawn.
struct DrawnCell<'a> {
    scene: &'a Scene,
    cell: &'a SceneCell,
    color: bool,
}

impl DrawnCell<'_> {
    /// Fills the place, leaving some space to its neighbours.
    fn ground(&self, place: Rect, buffer: &mut Buffer) {
        let Some(back) = self.back().filter(|_| self.color) else { return };
        let behind = match (self.cell.shape, self.scene.ground.and_then(rgb)) {
            (Shape::Hole, Some(ground)) => Style::new().bg(ground),
            _ => Style::new(),
        };
        buffer.set_style(place, behind);
        let played_game =
            matches!(self.cell.piece, Piece::Disc(..)) || self.cell.shape == Shape::Hole;
        let inner = Rect { width: place.width - 1, ..place };
        for y in inner.y..inner.y + inner.height {
            let half = match (y - inner.y, inner.height) {
                (0, 2..) if played_game => Some("▄"),
                (row, 3..) if row == inner.height - 1 => Some("▀"),
                _ => None,
            };
            for x in inner.x..inner.x + inner.width {
                let Some(cell) = buffer.cell_mut((x, y)) else { continue };
                match half {
                    Some(symbol) => cell.set_symbol(symbol).set_fg(back),
                    None => cell.set_bg(back),
                };
            }
        }
    }

    /// Writes what stands on the place, or its value, in the middle.
    fn text(&self, place: Rect, value: Option<f32>, buffer: &mut Buffer) {
        let mut text = value.map_or_else(|| glyph(self.cell), |value| format!("{value:+.2}"));
        if self.cell.marked {
            text = format!("({text})");
        }
        let width = text.chars().count() as u16;
        let room = place.width - 1;
        let x = place.x + room.saturating_sub(width).div_ceil(2);
        // The upper half of two rows is the lower half of a row.
        let y = place.y + place.height / 2;
        let mut style = Style::new();
        if self.color {
            style = style.fg(self.front());
            if let Some(back) = self.back() {
                style = style.bg(back);
            }
        }
        buffer.set_stringn(x, y, &text, usize::from(place.width), style);
    }

    /// The colour of the place, or of the stone on it.
    fn back(&self) -> Option<Color> {
        match self.cell.piece {
            Piece::Disc(color, _) => rgb(color),
            _ => rgb(self.cell.fill),
        }
    }

    fn front(&self) -> Color {
        match self.cell.piece {
            // The ink of labels is made for paper.
            Piece::Text(..) if self.cell.shape == Shape::None => Color::Reset,
            Piece::Mark(color, _) | Piece::Text(color, _) => rgb(color).unwrap_or(Color::Reset),
            Piece::Empty(_) | Piece::Disc(..) => self.back().map_or(Color::Reset, contrast),
        }
    }
}

fn extent(scene: &Scene) -> (f32, f32, f32, f32) {
    let start = (f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY);
    scene.cells.iter().fold(start, |(left, top, right, bottom), cell| {
        (left.min(cell.x), top.min(cell.y), right.max(cell.x), bottom.max(cell.y))
    })
}

fn glyph(cell: &SceneCell) -> String {
    match &cell.piece {
        Piece::Empty('.') => "·".into(),
        Piece::Empty(c) | Piece::Disc(_, c) | Piece::Mark(_, c) => c.to_string(),
        Piece::Text(_, text) => text.clone(),
    }
}

fn rgb(color: &str) -> Option<Color> {
    let part = |at: usize| u8::from_str_radix(color.get(at..at + 2)?, 16).ok();
    Some(Color::Rgb(part(1)?, part(3)?, part(5)?))
}

/// Black or white, whichever is easier to read.
fn contrast(color: Color) -> Color {
    // Green looks brightest and blue darkest (weights of ITU-R BT.601, in thousandths).
    let light = match color {
        Color::Rgb(r, g, b) => 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b),
        _ => 0,
    };
    if light > 140_000 { Color::Black } else { Color::White }
}
