//! Scenes as SVG.

use super::{Edge, Piece, Scene, SceneCell, Shape};
use std::fmt::Write;

/// Space around the outermost centres.
const MARGIN: f32 = 0.7;

/// The ground ends around the places of the board; labels stand outside.
const GROUND_MARGIN: f32 = 0.6;

impl Scene {
    /// A drawing, for files, the web page and notebooks.
    ///
    /// `data-cell` numbers the places. Places that play a move have its id as `data-move`, and places
    /// that are not empty have their content as `data-piece`.
    pub fn to_svg(&self) -> String {
        let (left, top, width, height) = self.frame(|_| true, MARGIN);
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" viewBox="{left} {top} {width} {height}" width="{}" height="{}" font-family="system-ui, sans-serif" text-anchor="middle">"#,
            width * 60.0,
            height * 60.0
        );
        if let Some(ground) = self.ground {
            let (left, top, width, height) = self.frame(|c| c.shape != Shape::None, GROUND_MARGIN);
            let _ = write!(
                svg,
                r#"<rect class="ground" x="{left}" y="{top}" width="{width}" height="{height}" rx=".15" fill="{ground}"/>"#
            );
        }
        self.edges.iter().for_each(|edge| draw_edge(&mut svg, edge));
        let mut places = 0;
        for cell in &self.cells {
            open_cell(&mut svg, cell, &mut places);
            draw_cell(&mut svg, cell);
        }
        svg + "</svg>\n"
    }

    /// Left, top, width and height of some cells with a margin around their centres.
    fn frame(&self, of: fn(&&SceneCell) -> bool, margin: f32) -> (f32, f32, f32, f32) {
        let bounds = |at: fn(&SceneCell) -> f32| {
            let places = || self.cells.iter().filter(of).map(at);
            (places().fold(f32::INFINITY, f32::min), places().fold(f32::NEG_INFINITY, f32::max))
        };
        let ((left, right), (top, bottom)) = (bounds(|c| c.x), bounds(|c| c.y));
        (left - margin, top - margin, right - left + 2.0 * margin, bottom - top + 2.0 * margin)
    }
}

fn draw_edge(svg: &mut String, edge: &Edge) {
    let points: Vec<String> = edge.points.iter().map(|(x, y)| format!("{x:.3},{y:.3}")).collect();
    let _ = write!(
        svg,
        r#"<polyline class="edge" points="{}" fill="none" stroke="{}" stroke-width=".3" stroke-linejoin="round" stroke-linecap="round"/>"#,
        points.join(" "),
        edge.color
    );
}

/// The attributes that identify a place and describe its content.
fn open_cell(svg: &mut String, cell: &SceneCell, places: &mut usize) {
    if cell.shape == Shape::None {
        return svg.push_str(r#"<g class="label">"#);
    }
    let &SceneCell { x, y, .. } = cell;
    let _ = write!(svg, r#"<g class="cell" data-cell="{places}" data-x="{x}" data-y="{y}""#);
    *places += 1;
    if let Some(mv) = cell.mv {
        let _ = write!(svg, r#" data-move="{}""#, mv.0);
    }
    let _ = match &cell.piece {
        Piece::Empty(_) => Ok(()),
        Piece::Disc(_, mark) | Piece::Mark(_, mark) => write!(svg, r#" data-piece="{mark}""#),
        Piece::Text(_, text) => write!(svg, r#" data-piece="{}""#, escaped(text)),
    };
    svg.push_str(if cell.marked { r#" data-last="">"# } else { ">" });
}

fn draw_cell(svg: &mut String, cell: &SceneCell) {
    draw_place(svg, cell);
    draw_piece(svg, cell);
    if cell.marked {
        draw_last(svg, cell);
    }
    svg.push_str("</g>");
}

fn draw_place(svg: &mut String, &SceneCell { x, y, shape, fill, .. }: &SceneCell) {
    let _ = match shape {
        Shape::None => Ok(()),
        Shape::Square => write!(
            svg,
            r##"<rect class="place" x="{}" y="{}" width="1" height="1" fill="{fill}" stroke="#0006" stroke-width=".03"/>"##,
            x - 0.5,
            y - 0.5
        ),
        Shape::Tile => write!(
            svg,
            r#"<rect class="place" x="{}" y="{}" width=".9" height=".9" rx=".08" fill="{fill}"/>"#,
            x - 0.45,
            y - 0.45
        ),
        Shape::Hole => {
            write!(svg, r#"<circle class="place" cx="{x}" cy="{y}" r=".42" fill="{fill}"/>"#)
        }
        Shape::Hexagon => write!(
            svg,
            r##"<polygon class="place" points="{}" fill="{fill}" stroke="#0006" stroke-width=".04"/>"##,
            hexagon(x, y)
        ),
    };
}

/// The corners of a hexagon one unit wide, starting on top.
fn hexagon(x: f32, y: f32) -> String {
    let radius = 1.0 / 3f32.sqrt();
    let corners = [(0.0, -1.0), (0.5, -0.5), (0.5, 0.5), (0.0, 1.0), (-0.5, 0.5), (-0.5, -0.5)];
    let corner = |(dx, dy): (f32, f32)| {
        let dy = if dx == 0.0 { dy * radius } else { dy.signum() * radius / 2.0 };
        format!("{:.3},{:.3}", x + dx, y + dy)
    };
    corners.map(corner).join(" ")
}

fn draw_piece(svg: &mut String, &SceneCell { x, y, shape, ref piece, .. }: &SceneCell) {
    let class = if shape == Shape::None { "word" } else { "piece" };
    let _ = match piece {
        Piece::Empty(_) => Ok(()),
        Piece::Disc(color, _) => write!(
            svg,
            r##"<circle class="piece" cx="{x}" cy="{y}" r=".38" fill="{color}" stroke="#0005" stroke-width=".04"/>"##
        ),
        Piece::Mark(color, mark) => {
            draw_text(svg, class, (x, y), color, 0.8, &mark.to_uppercase().to_string())
        }
        Piece::Text(color, text) => {
            let size =
                if text.chars().count() > 3 { 1.1 / text.chars().count() as f32 } else { 0.4 };
            draw_text(svg, class, (x, y), color, size, text)
        }
    };
}

fn draw_text(
    svg: &mut String,
    class: &str,
    (x, y): (f32, f32),
    color: &str,
    size: f32,
    text: &str,
) -> std::fmt::Result {
    let text = escaped(text);
    let baseline = y + 0.36 * size;
    write!(
        svg,
        r#"<text class="{class}" x="{x}" y="{baseline:.3}" font-size="{size:.3}" font-weight="600" fill="{color}">{text}</text>"#
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// A frame around a square, or a small dot that stands out on every round piece.
fn draw_last(svg: &mut String, &SceneCell { x, y, shape, .. }: &SceneCell) {
    let _ = match shape {
        Shape::Square | Shape::Tile => write!(
            svg,
            r##"<rect class="last" x="{}" y="{}" width=".86" height=".86" rx=".08" fill="none" stroke="#e11d8f" stroke-width=".07"/>"##,
            x - 0.43,
            y - 0.43
        ),
        _ => write!(
            svg,
            r##"<circle class="last" cx="{x}" cy="{y}" r=".12" fill="#ffffff" stroke="#1f2937" stroke-width=".05"/>"##
        ),
    };
}

#[cfg(test)]
mod tests {
    use super::super::*;

    #[test]
    fn a_drawing_holds_every_place_and_escapes_text() {
        let mut scene = Scene::grid(3, 2, |_, cell| cell, Shape::Hole, "#ffffff");
        scene.cells[0] = scene.cells[0].clone().plays(Move(7)).marked(true);
        scene.cells.push(SceneCell::label(0.0, -1.0, "<a>"));
        let svg = scene.to_svg();
        assert_eq!(svg.matches("<circle").count(), 7);
        assert!(svg.contains(r#"data-cell="0" data-x="0" data-y="0" data-move="7" data-last="">"#));
        assert_eq!((svg.matches("data-cell").count(), svg.matches("data-piece").count()), (6, 0));
        assert!(svg.contains(r#"<g class="label">"#) && svg.contains("&lt;a>"));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}
