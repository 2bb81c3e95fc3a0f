//! Curves as pictures.

use ludens_registry::arena::figure::{ChartLine, LineChart};
use pyo3::prelude::*;

/// A curve: its name, its points, and the ends of the interval around each, if known.
type NamedCurve = (String, Vec<(f64, f64)>, Vec<(f64, f64)>);

/// Curves over a common axis, as SVG.
#[pyfunction]
pub(crate) fn curve_svg(
    title: String,
    labels: (String, String),
    curves: Vec<NamedCurve>,
) -> String {
    let lines: Vec<ChartLine> = curves
        .into_iter()
        .map(|(name, points, intervals)| ChartLine { name, points, intervals })
        .collect();
    let ends =
        |line: &ChartLine| line.intervals.iter().flat_map(|i| [i.0, i.1]).collect::<Vec<_>>();
    let heights = |line: &ChartLine| {
        line.points.iter().map(|point| point.1).chain(ends(line)).collect::<Vec<f64>>()
    };
    let all: Vec<f64> = lines.iter().flat_map(heights).filter(|y| y.is_finite()).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let y_range = match (low, high) {
        _ if all.is_empty() => (0.0, 1.0),
        (low, high) if low == high => (low - 0.5, high + 0.5),
        range => range,
    };
    let (x_label, y_label) = labels;
    LineChart { title, x_label, y_label, y_range, lines, x_log: false }.to_svg()
}
