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
const STEPS: usize = 10;

/// Colours that the colour-blind can tell apart (Okabe and Ito 2008).
const COLORS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000"];

impl LineChart {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let mut out = opening(WIDTH, HEIGHT);
        out += &label(LEFT, 24.0, "start", &self.title);
        out += &label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0, "middle", &self.x_label);
        out += &self.axes();
        for (line, color) in self.lines.iter().zip(COLORS.iter().cycle()) {
            out += &self.curve(line, color);
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
        let ((x0, x1), (y0, y1)) = (self.x_range(), self.y_range);
        let mut out = label(12.0, TOP - 10.0, "start", &self.y_label);
        for i in 0..=STEPS {
            let share = i as f64 / STEPS as f64;
            let (x, y) = (x0 + share * (x1 - x0), y0 + share * (y1 - y0));
            let (px, py) = self.place((x, y));
            out +=
                &format!("<path d=\"M{LEFT} {py:.1}H{:.1}\" stroke=\"#d9dde2\"/>\n", WIDTH - RIGHT);
            out += &label(LEFT - 8.0, py + 4.0, "end", &short(y));
            out += &label(px, HEIGHT - BOTTOM + 18.0, "middle", &short(x));
        }
        out
    }

    fn curve(&self, line: &Line, color: &str) -> String {
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
        out + &format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"
        )
    }

    fn legend(&self) -> String {
        let widest = self.lines.iter().map(|l| text_width(&l.name)).fold(0.0, f64::max);
        let x = WIDTH - RIGHT - widest - 12.0;
        let mut out = String::new();
        for (i, (line, color)) in self.lines.iter().zip(COLORS.iter().cycle()).enumerate() {
            let y = TOP + 16.0 + 20.0 * i as f64;
            out += &format!(
                "<path d=\"M{:.1} {:.1}h18\" stroke=\"{color}\" stroke-width=\"3\"/>\n",
                x - 24.0,
                y - 4.0
            );
            out += &label(x, y, "start", &line.name);
        }
        out
    }
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
