//! Curves over a common axis.

use super::{label, opening, text_width};

/// Curves over a common axis.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Above the picture.
    pub title: String,
    /// What the horizontal axis shows.
    pub x_label: String,
    /// What the vertical axis shows.
    pub y_label: String,
    /// The ends of the vertical axis.
    pub y_range: (f64, f64),
    /// The curves, drawn in order.
    pub lines: Vec<Line>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is called.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The lower and upper end of an interval around each point, or none at all.
    pub intervals: Vec<(f64, f64)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 60.0;
/// About so many lines cross the picture each way.
const STEPS: f64 = 8.0;

/// Colours that the colour-blind can tell apart (Okabe and Ito 2008).
const COLORS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000"];

/// Dashes that tell lines apart in black and white; the first line is whole.
const DASHES: [&str; 5] = ["none", "8 4", "2 3", "8 3 2 3", "14 4"];

/// Room that a name takes in the legend, at least, and the height of its rows.
const COLUMN: f64 = 120.0;
const ROW: f64 = 20.0;

impl LineChart {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let rows = self.lines.len().div_ceil(self.columns()) as f64;
        let mut out = opening(WIDTH, HEIGHT + 12.0 + ROW * rows);
        out += &label(LEFT, 24.0, "start", &self.title);
        out += &label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0, "middle", &self.x_label);
        out += &self.axes();
        for (i, line) in self.lines.iter().enumerate() {
            out += &self.curve(i, line);
        }
        out += &self.legend();
        out + "</svg>\n"
    }

    fn x_range(&self) -> (f64, f64) {
        let xs = || self.lines.iter().flat_map(|l| l.points.iter().map(|p| p.0));
        (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max))
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let share = |value: f64, (low, high): (f64, f64)| (value - low) / (high - low).max(1e-9);
        let across = share(x, self.x_range()) * (WIDTH - LEFT - RIGHT);
        let up = share(y, self.y_range) * (HEIGHT - TOP - BOTTOM);
        (LEFT + across, HEIGHT - BOTTOM - up)
    }

    fn axes(&self) -> String {
        let mut out = label(12.0, TOP - 10.0, "start", &self.y_label);
        for y in ticks(self.y_range) {
            let (_, py) = self.place((self.x_range().0, y));
            out +=
                &format!("<path d=\"M{LEFT} {py:.1}H{:.1}\" stroke=\"#d9dde2\"/>\n", WIDTH - RIGHT);
            out += &label(LEFT - 8.0, py + 4.0, "end", &short(y));
        }
        for x in ticks(self.x_range()) {
            let (px, _) = self.place((x, self.y_range.0));
            out += &label(px, HEIGHT - BOTTOM + 18.0, "middle", &short(x));
        }
        out
    }

    fn curve(&self, index: usize, line: &Line) -> String {
        let color = COLORS[index % COLORS.len()];
        let text = |(x, y): (f64, f64)| format!("{x:.1},{y:.1}");
        let places = |points: Vec<(f64, f64)>| -> String {
            points.into_iter().map(|p| text(self.place(p))).collect::<Vec<_>>().join(" ")
        };
        let mut out = String::new();
        if line.intervals.len() == line.points.len() {
            let ends = line.points.iter().zip(&line.intervals);
            let low: Vec<_> = ends.clone().map(|(p, i)| (p.0, i.0)).collect();
            let high = ends.rev().map(|(p, i)| (p.0, i.1));
            let band = places(low.into_iter().chain(high).collect());
            out += &format!("<polygon points=\"{band}\" fill=\"{color}\" opacity=\"0.15\"/>\n");
        }
        let points = places(line.points.clone());
        out + &format!("<polyline points=\"{points}\" fill=\"none\" {}/>\n", stroke(index))
    }

    /// How many names stand side by side in the legend.
    fn columns(&self) -> usize {
        let widest = self.lines.iter().map(|line| text_width(&line.name)).fold(COLUMN, f64::max);
        (((WIDTH - LEFT) / (widest + 48.0)) as usize).max(1)
    }

    /// The names of the lines, below the picture.
    fn legend(&self) -> String {
        let columns = self.columns();
        let wide = (WIDTH - LEFT) / columns as f64;
        let mut out = String::new();
        for (i, line) in self.lines.iter().enumerate() {
            let x = LEFT + wide * (i % columns) as f64;
            let y = HEIGHT + 12.0 + ROW * (i / columns) as f64;
            out += &format!("<path d=\"M{x:.1} {:.1}h28\" {}/>\n", y - 4.0, stroke(i));
            out += &label(x + 36.0, y, "start", &line.name);
        }
        out
    }
}

/// How the line with this index is drawn.
fn stroke(index: usize) -> String {
    let (color, dashes) = (COLORS[index % COLORS.len()], DASHES[index % DASHES.len()]);
    format!("stroke=\"{color}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"")
}

/// Round numbers within a range: multiples of 1, 2 or 5 times a power of ten.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    if high <= low {
        return vec![low];
    }
    let rough = (high - low) / STEPS;
    let power = 10f64.powf(rough.log10().floor());
    let step =
        power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= rough).unwrap_or(10.0);
    let (first, last) = ((low / step).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|i| i as f64 * step).collect()
}

/// A number with at most two digits after the point.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(ticks((0.0, 1.0)), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks((-0.89, 0.0)).first(), Some(&-0.8));
        assert_eq!(ticks((0.0, 5000.0)), [0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0]);
        assert_eq!(ticks((3.0, 3.0)), [3.0]);
    }

    #[test]
    fn numbers_are_written_short() {
        assert_eq!([short(0.5), short(10.0), short(-0.001)], ["0.5", "10", "0"]);
    }

    #[test]
    fn every_line_is_drawn_with_its_band() {
        let line = Line {
            name: "agent".into(),
            points: vec![(0.0, 0.2), (1.0, 0.8)],
            intervals: vec![(0.1, 0.3), (0.7, 0.9)],
        };
        let chart = LineChart {
            title: "t".into(),
            x_label: "x".into(),
            y_label: "y".into(),
            y_range: (0.0, 1.0),
            lines: vec![line.clone(), Line { intervals: Vec::new(), ..line }],
        };
        let svg = chart.to_svg();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("<polygon").count(), 1);
    }
}
