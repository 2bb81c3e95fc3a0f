//! Scenes as rows of characters.

use super::{Piece, Scene, SceneCell, Shape};
use std::fmt::Write;

impl Scene {
    /// Rows of characters, for golden files and plain output.
    ///
    /// Brackets mark the place of the last move or event.
    pub fn to_text(&self) -> String {
        self.rows(|cell, text| {
            let (left, right) = if cell.marked { ('(', ')') } else { (' ', ' ') };
            format!("{left}{text}{right}")
        })
    }

    /// The same with colours, for terminals.
    pub fn to_ansi(&self) -> String {
        self.rows(|cell, text| {
            let (left, right) = if cell.marked { ('(', ')') } else { (' ', ' ') };
            let back = match (&cell.piece, cell.shape) {
                (Piece::Disc(color, _), _) => color,
                (_, Shape::Hole) => self.ground.unwrap_or(cell.fill),
                _ => cell.fill,
            };
            let front = match cell.piece {
                Piece::Mark(color, _) | Piece::Text(color, _) => color,
                Piece::Empty(_) | Piece::Disc(..) => contrast(back),
            };
            format!("{}{}{left}{text}{right}\x1b[0m", paint(48, back), paint(38, front))
        })
    }

    fn rows(&self, dress: impl Fn(&SceneCell, &str) -> String) -> String {
        let width = self.cells.iter().map(|c| glyph(c).chars().count()).max().unwrap_or(1);
        let left = self.cells.iter().map(|c| c.x).fold(f32::INFINITY, f32::min);
        let mut cells: Vec<&SceneCell> = self.cells.iter().collect();
        cells.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
        let mut out = String::new();
        for row in cells.chunk_by(|a, b| a.y == b.y) {
            let (mut line, mut at) = (String::new(), 0);
            for cell in row {
                let column = ((cell.x - left) * (width + 2) as f32).round() as usize;
                line.extend(std::iter::repeat_n(' ', column.saturating_sub(at)));
                let _ = write!(line, "{}", dress(cell, &format!("{:>width$}", glyph(cell))));
                at = column.max(at) + width + 2;
            }
            out += line.trim_end();
            out.push('\n');
        }
        out
    }
}

fn glyph(cell: &SceneCell) -> String {
    match &cell.piece {
        Piece::Empty(c) | Piece::Disc(_, c) | Piece::Mark(_, c) => c.to_string(),
        Piece::Text(_, text) => text.clone(),
    }
}

/// The code that sets the foreground (38) or background (48), if `color` is valid.
fn paint(layer: u8, color: &str) -> String {
    match rgb(color) {
        Some([r, g, b]) => format!("\x1b[{layer};2;{r};{g};{b}m"),
        None => String::new(),
    }
}

/// Black or white, whichever is easier to read on `color`.
fn contrast(color: &str) -> &'static str {
    // Green looks brightest and blue darkest (weights of ITU-R BT.601, in thousandths).
    let light = |[r, g, b]: [u8; 3]| 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b);
    if rgb(color).is_some_and(|color| light(color) > 140_000) { "#000000" } else { "#ffffff" }
}

fn rgb(color: &str) -> Option<[u8; 3]> {
    let part = |at: usize| u8::from_str_radix(color.get(at..at + 2)?, 16).ok();
    Some([part(1)?, part(3)?, part(5)?])
}

#[cfg(test)]
mod tests {
    use super::super::*;

    #[test]
    fn rows_are_indented_and_the_last_place_stands_in_brackets() {
        let mut scene = Scene::grid(2, 1, |_, cell| cell, Shape::Hexagon, "#ffffff");
        scene.cells.push(SceneCell::new(0.5, 1.0, Shape::Hexagon, "#ffffff").marked(true));
        scene.cells[1].piece = Piece::Disc("#ff0000", 'x');
        assert_eq!(scene.to_text(), " .  x\n  (.)\n");
        assert!(scene.to_ansi().contains("\x1b[48;2;255;0;0m\x1b[38;2;255;255;255m x \x1b[0m"));
    }
}
