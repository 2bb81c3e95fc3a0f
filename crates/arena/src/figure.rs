//! Pictures of results, written as SVG or PNG.
//!
//! A chart is laid out once, as a list of shapes, and drawn twice. Whatever has the same index has
//! the same colour in every chart.

mod axis;
mod bar_chart;
mod box_plot;
mod heat_map;
mod line_chart;
mod picture;
mod raster;
mod rows;
mod svg;

pub use bar_chart::{Bar, BarChart};
pub use box_plot::{BoxPlot, BoxSample};
pub use heat_map::HeatMap;
pub use line_chart::{ChartLine, LineChart};

/// The text with what XML takes for itself escaped.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
