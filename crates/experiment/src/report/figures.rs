//! The pictures of a report.

use crate::{Laboratory, Results};
use ludens_arena::figure::{Line, LineChart};

/// A picture.
pub(super) struct Figure {
    name: &'static str,
    /// What it shows, in words.
    pub(super) caption: String,
    /// The picture itself.
    pub(super) svg: String,
}

impl Figure {
    pub(super) fn file(&self) -> String {
        format!("{}.svg", self.name)
    }
}

pub(super) fn figures(laboratory: &Laboratory, results: &Results) -> Vec<Figure> {
    let lines = lines(results);
    if lines.is_empty() {
        return Vec::new();
    }
    let figures = || lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let ends = || lines.iter().flat_map(|line| line.intervals.iter().flat_map(|i| [i.0, i.1]));
    let all = || figures().chain(ends());
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let chart = LineChart {
        title: laboratory.experiment.title.clone(),
        x_label: "episodes".into(),
        y_label: results.measures.clone(),
        y_range: (low, if high > low { high } else { low + 1.0 }),
        lines,
    };
    let caption = "Learning curves: means over the seeds, with 95 % intervals.".into();
    vec![Figure { name: "curves", caption, svg: chart.to_svg() }]
}

fn lines(results: &Results) -> Vec<Line> {
    let line = |of: &crate::VariantResults| {
        let curve = of.mean_curve();
        Line {
            name: of.variant.name.clone(),
            points: curve.iter().map(|&(at, mean, _)| (at as f64, mean)).collect(),
            intervals: curve.iter().map(|(_, _, ends)| (ends.low, ends.high)).collect(),
        }
    };
    results.variants.iter().filter(|of| !of.curves.is_empty()).map(line).collect()
}
