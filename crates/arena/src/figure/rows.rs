//! Rows with names at their left and a common axis below.

use super::axis::{Axis, short};
use super::picture::{Anchor, FAINT, GRID, INK, Picture, Point, Stroke, WHITE, text_width, widest};

/// Rows with names at their left and a common axis below.
pub(super) struct RowChart {
    pub(super) picture: Picture,
    axis: Axis,
    left: f64,
    right: f64,
}

const WIDTH: f64 = 760.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// The legend entry of published values.
pub(super) const PUBLISHED: &str = "published";

/// The height of a row.
const ROW: f64 = 34.0;

/// The layout that all rows of a chart share.
pub(super) struct RowFrame<'a> {
    pub(super) title: &'a str,
    pub(super) label: &'a str,
    pub(super) names: Vec<&'a str>,
    pub(super) axis: Axis,
    /// The width of the notes at the right of the rows.
    pub(super) note_width: f64,
}

impl RowChart {
    pub(super) fn new(frame: &RowFrame<'_>) -> RowChart {
        let left = (28.0 + widest(frame.names.iter().copied())).max(64.0);
        let height = TOP + ROW * frame.names.len() as f64 + BOTTOM;
        let width = WIDTH.max(left + 400.0).max(text_width(frame.title) + 32.0) + frame.note_width;
        let (picture, right) = (Picture::new(width, height), width - RIGHT - frame.note_width);
        let mut rows = RowChart { picture, axis: frame.axis, left, right };
        rows.picture.title(frame.title);
        rows.draw_axis(frame);
        for (i, name) in frame.names.iter().enumerate() {
            let y = rows.middle(i) + 4.0;
            rows.picture.text((left - 10.0, y), Anchor::End, name);
        }
        rows
    }

    fn draw_axis(&mut self, frame: &RowFrame<'_>) {
        let bottom = TOP + ROW * frame.names.len() as f64;
        let mut reached = f64::NEG_INFINITY;
        for tick in frame.axis.ticks() {
            let (x, text) = (self.across(tick), short(tick));
            let stroke = Stroke::whole(if tick == 0.0 { FAINT } else { GRID }, 1.0);
            self.picture.line(vec![(x, TOP), (x, bottom)], stroke);
            let half = text_width(&text) / 2.0;
            if x - half > reached {
                self.picture.text((x, bottom + 18.0), Anchor::Middle, &text);
                reached = x + half + 8.0;
            }
        }
        let middle = f64::midpoint(self.left, self.right);
        self.picture.colored_text((middle, bottom + 42.0), Anchor::Middle, frame.label, FAINT);
    }

    /// The middle of a row.
    pub(super) fn middle(&self, row: usize) -> f64 {
        TOP + ROW * (row as f64 + 0.5)
    }

    /// The x coordinate of a number.
    pub(super) fn across(&self, number: f64) -> f64 {
        self.left + self.axis.share(number) * (self.right - self.left)
    }

    /// A line from one number to another, with a stroke across each of its ends.
    pub(super) fn whisker(&mut self, row: usize, [from, to]: [f64; 2], height: f64) {
        let (y, stroke) = (self.middle(row), Stroke::whole(INK, 1.5));
        self.picture.line(vec![(from, y), (to, y)], stroke);
        for x in [from, to] {
            self.picture.line(vec![(x, y - height), (x, y + height)], stroke);
        }
    }

    /// Marks what a paper found.
    pub(super) fn mark(&mut self, row: usize, number: f64) {
        let at = (self.across(number), self.middle(row));
        self.diamond(at);
    }

    /// Says what the marks mean.
    pub(super) fn explain_marks(&mut self) {
        let y = self.picture.size.1 - 14.0;
        let x = self.right - text_width(PUBLISHED);
        self.diamond((x - 12.0, y - 4.0));
        self.picture.colored_text((x, y), Anchor::Start, PUBLISHED, FAINT);
    }

    fn diamond(&mut self, (x, y): Point) {
        for (reach, color) in [(7.5, WHITE), (5.5, INK)] {
            let corners = vec![(x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach)];
            self.picture.area(corners, color, 1.0);
        }
    }
}
