//! Pictures as SVG.

use super::escaped;
use super::picture::{Anchor, Picture, Point, Primitive, Rgb, Stroke};
use std::fmt::{Display, Formatter, Result, Write};

/// The whole file.
pub(super) fn write(picture: &Picture) -> String {
    let (width, height) = picture.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for shape in &picture.shapes {
        let _ = writeln!(out, "{}", element(shape));
    }
    out + "</svg>\n"
}

fn element(shape: &Primitive) -> String {
    match shape {
        Primitive::Box { corner: (x, y), size: (width, height), fill } => format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{fill}\"/>"
        ),
        Primitive::Area { corners, fill, opacity } => {
            let corners = listed(corners);
            format!("<polygon points=\"{corners}\" fill=\"{fill}\" opacity=\"{opacity}\"/>")
        }
        Primitive::Line { points, stroke } => {
            let points = listed(points);
            format!("<polyline points=\"{points}\" fill=\"none\" {}/>", stroke_attributes(stroke))
        }
        Primitive::Dot { at: (x, y), radius, fill } => {
            format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\"/>")
        }
        Primitive::Text { at: (x, y), anchor, text, color, bold } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let weight = if *bold { " font-weight=\"600\"" } else { "" };
            let text = escaped(text);
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{color}\"\
                 {weight}>{text}</text>"
            )
        }
    }
}

fn stroke_attributes(stroke: &Stroke) -> String {
    let mut stroke_attributes =
        format!("stroke=\"{}\" stroke-width=\"{}\"", stroke.color, stroke.width);
    if !stroke.dashes.is_empty() {
        let dashes: Vec<String> = stroke.dashes.iter().map(f64::to_string).collect();
        let _ = write!(stroke_attributes, " stroke-dasharray=\"{}\"", dashes.join(" "));
    }
    stroke_attributes
}

fn listed(points: &[Point]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

impl Display for Rgb {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}
