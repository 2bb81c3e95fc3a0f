//! Scenes as rows of characters.

use super::{Piece, Scene, SceneCell};
use std::fmt::Write;

impl Scene {
    /// Rows of characters, for golden files and plain output. The place played last stands in
    /// brackets.
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
            match cell.piece {
                Piece::Empty(_) => format!("\x1b[2m{left}{text}{right}\x1b[0m"),
                Piece::Disc(color, _) | Piece::Mark(color, _) | Piece::Text(color, _) => {
                    format!("{}{left}{text}{right}\x1b[0m", foreground(color))
                }
            }
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

fn foreground(color: &str) -> String {
    let part = |at: usize| color.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    match (part(1), part(3), part(5)) {
        (Some(r), Some(g), Some(b)) => format!("\x1b[1;38;2;{r};{g};{b}m"),
        _ => String::new(),
    }
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
        assert!(scene.to_ansi().contains("\x1b[1;38;2;255;0;0m x \x1b[0m"));
    }
}
