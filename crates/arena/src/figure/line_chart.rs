//! Curves over a common axis.

use super::axis::{Axis, short};
use super::picture::{Anchor, FAINT, GRID, Picture, Point, Stroke, color_of, widest};

/// Curves over a common axis.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Above the picture.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
    pub y_label: String,
    /// Whether the horizontal axis is logarithmic; points at zero are left out then.
    pub x_log: bool,
    /// The ends of the vertical axis.
    pub y_range: (f64, f64),
    /// The curves, drawn in order.
    pub lines: Vec<ChartLine>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// The name of the line.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The lower and upper end of an interval around each point, or none at all.
    pub intervals: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 32.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 60.0;

/// Room that a name takes in the legend, at least, and the height of its rows.
const COLUMN: f64 = 120.0;
const ROW: f64 = 20.0;

/// A curve of at most so many points shows each of them.
const FEW: usize = 12;

/// A chart with its axes.
struct Drawing<'a> {
    chart: &'a LineChart,
    across: Axis,
    up: Axis,
    picture: Picture,
}

impl LineChart {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        self.picture().to_svg()
    }

    /// The picture as PNG.
    pub fn to_png(&self) -> Vec<u8> {
        self.picture().to_png()
    }

    fn picture(&self) -> Picture {
        let rows = self.lines.len().div_ceil(self.columns()) as f64;
        let mut drawing = Drawing {
            chart: self,
            across: Axis::new(self.x_range(), self.x_log),
            up: Axis::new(self.y_range, false),
            picture: Picture::new(WIDTH, HEIGHT + 12.0 + ROW * rows),
        };
        drawing.axes();
        for (i, line) in self.lines.iter().enumerate() {
            drawing.band(i, line);
        }
        for (i, line) in self.lines.iter().enumerate() {
            drawing.curve(i, line);
        }
        drawing.legend();
        drawing.picture
    }

    /// Whether the horizontal axis can show a point.
    fn shown(&self, x: f64) -> bool {
        !self.x_log || x > 0.0
    }

    fn x_range(&self) -> (f64, f64) {
        let xs = || self.lines.iter().flat_map(|l| l.points.iter().map(|p| p.0));
        let shown = || xs().filter(|&x| self.shown(x));
        (shown().fold(f64::INFINITY, f64::min), shown().fold(f64::NEG_INFINITY, f64::max))
    }

    /// The number of columns in the legend.
    fn columns(&self) -> usize {
        let widest = widest(self.lines.iter().map(|line| &line.name[..])).max(COLUMN);
        (((WIDTH - LEFT) / (widest + 48.0)) as usize).max(1)
    }
}

impl Drawing<'_> {
    fn point(&self, (x, y): (f64, f64)) -> Point {
        let across = self.across.share(x) * (WIDTH - LEFT - RIGHT);
        (LEFT + across, HEIGHT - BOTTOM - self.up.share(y) * (HEIGHT - TOP - BOTTOM))
    }

    fn axes(&mut self) {
        self.picture.title(&self.chart.title);
        let below = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16.0);
        self.picture.colored_text(below, Anchor::Middle, &self.chart.x_label, FAINT);
        self.picture.colored_text((16.0, 46.0), Anchor::Start, &self.chart.y_label, FAINT);
        let (first, floor) = (self.chart.x_range().0, self.chart.y_range.0);
        for y in self.up.ticks() {
            let (_, at) = self.point((first, y));
            self.picture.line(vec![(LEFT, at), (WIDTH - RIGHT, at)], Stroke::whole(GRID, 1.0));
            self.picture.text((LEFT - 8.0, at + 4.0), Anchor::End, &short(y));
        }
        for x in self.across.ticks() {
            let (at, bottom) = self.point((x, floor));
            self.picture.line(vec![(at, bottom), (at, bottom + 5.0)], Stroke::whole(FAINT, 1.0));
            self.picture.text((at, bottom + 20.0), Anchor::Middle, &short(x));
        }
    }

    /// The interval around each point.
    fn band(&mut self, index: usize, line: &ChartLine) {
        if line.intervals.len() != line.points.len() {
            return;
        }
        let ends = line.points.iter().zip(&line.intervals).filter(|(p, _)| self.chart.shown(p.0));
        let low = ends.clone().map(|(p, i)| self.point((p.0, i.0)));
        let high = ends.rev().map(|(p, i)| self.point((p.0, i.1)));
        let corners = low.chain(high).collect();
        self.picture.area(corners, color_of(index), 0.15);
    }

    fn curve(&mut self, index: usize, line: &ChartLine) {
        let shown = line.points.iter().filter(|p| self.chart.shown(p.0));
        let points: Vec<Point> = shown.map(|&p| self.point(p)).collect();
        if points.len() <= FEW {
            points.iter().for_each(|&at| self.picture.dot(at, 3.5, color_of(index)));
        }
        self.picture.line(points, Stroke::of(index));
    }

    /// The names of the lines, below the picture.
    fn legend(&mut self) {
        let columns = self.chart.columns();
        let wide = (WIDTH - LEFT) / columns as f64;
        for (i, line) in self.chart.lines.iter().enumerate() {
            let x = LEFT + wide * (i % columns) as f64;
            let y = HEIGHT + 12.0 + ROW * (i / columns) as f64;
            self.picture.line(vec![(x, y - 4.0), (x + 28.0, y - 4.0)], Stroke::of(i));
            self.picture.text((x + 36.0, y), Anchor::Start, &line.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> LineChart {
        let line = ChartLine {
            name: "agent".into(),
            points: vec![(0.0, 0.2), (1.0, 0.8), (10.0, 0.9)],
            intervals: vec![(0.1, 0.3), (0.7, 0.9), (0.8, 1.0)],
        };
        LineChart {
            title: "t".into(),
            x_label: "x".into(),
            y_label: "y".into(),
            x_log: false,
            y_range: (0.0, 1.0),
            lines: vec![line.clone(), ChartLine { intervals: Vec::new(), ..line }],
        }
    }

    #[test]
    fn every_line_is_drawn_with_its_band() {
        let svg = chart().to_svg();
        assert_eq!(svg.matches("stroke-width=\"2\"").count(), 4, "two curves, two in the legend");
        assert_eq!(svg.matches("<polygon").count(), 1);
    }

    #[test]
    fn what_has_no_logarithm_is_left_out() {
        let dots = |chart: &LineChart| chart.to_svg().matches("<circle").count();
        assert_eq!(dots(&chart()), 6);
        assert_eq!(dots(&LineChart { x_log: true, ..chart() }), 4);
    }
}
