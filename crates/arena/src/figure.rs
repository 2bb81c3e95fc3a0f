//! Pictures of results, written as SVG or PNG.

mod heat_map;
mod line_chart;
mod raster;

pub use heat_map::HeatMap;
pub use line_chart::{Line, LineChart};

/// The text with what XML takes for itself escaped.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The first line of a picture of this size, and its white ground.
fn opening(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    )
}

/// A text at a place. `anchor` is `start`, `middle` or `end`.
fn label(x: f64, y: f64, anchor: &str, text: &str) -> String {
    let text = escaped(text);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}

/// About how wide a text is.
fn text_width(text: &str) -> f64 {
    7.5 * text.chars().count() as f64
}
