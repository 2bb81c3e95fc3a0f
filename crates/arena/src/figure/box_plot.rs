//! Box plots.

use super::axis::Axis;
use super::picture::{Anchor, FAINT, Picture, Stroke, WHITE, color_of, widest};
use super::rows::{RowChart, RowFrame};

/// Distributions as boxes and whiskers, one per row.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// Above the picture.
    pub title: String,
    /// The label of the axis.
    pub label: String,
    /// Whether the axis is logarithmic.
    pub log: bool,
    /// The rows, from top to bottom.
    pub samples: Vec<BoxSample>,
}

/// The numbers of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxSample {
    /// The name of the row.
    pub name: String,
    /// The numbers, in any order; without any the row stays empty.
    pub numbers: Vec<f64>,
    /// The note next to the row.
    pub note: String,
    /// The published value.
    pub published: Option<f64>,
}

/// The maximum length of a whisker, in lengths of the box (Tukey 1977).
const REACH: f64 = 1.5;

impl BoxPlot {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        self.picture().to_svg()
    }

    /// The picture as PNG.
    pub fn to_png(&self) -> Vec<u8> {
        self.picture().to_png()
    }

    fn picture(&self) -> Picture {
        let numbers =
            self.samples.iter().flat_map(|s| s.numbers.iter().copied().chain(s.published));
        let note_width = widest(self.samples.iter().map(|sample| &sample.note[..]));
        let mut rows = RowChart::new(&RowFrame {
            title: &self.title,
            label: &self.label,
            names: self.samples.iter().map(|sample| &sample.name[..]).collect(),
            axis: Axis::around(numbers, self.log),
            note_width,
        });
        for (i, sample) in self.samples.iter().enumerate() {
            draw(&mut rows, i, sample);
            sample.published.iter().for_each(|&number| rows.mark(i, number));
        }
        if self.samples.iter().any(|sample| sample.published.is_some()) {
            rows.explain_marks();
        }
        rows.picture
    }
}

fn draw(rows: &mut RowChart, index: usize, sample: &BoxSample) {
    let y = rows.middle(index);
    let note = (rows.picture.size.0 - 16.0, y + 4.0);
    rows.picture.colored_text(note, Anchor::End, &sample.note, FAINT);
    let Some(five) = BoxSummary::of(&sample.numbers) else { return };
    let [low, first, median, third, high] = five.0.map(|number| rows.across(number));
    rows.whisker(index, [low, high], 6.0);
    rows.picture.fill((first, y - 10.0), ((third - first).max(2.0), 20.0), color_of(index));
    for &number in sample.numbers.iter().filter(|number| five.outside(**number)) {
        let x = rows.across(number);
        rows.picture.dot((x, y), 3.0, color_of(index));
    }
    let white = Stroke::whole(WHITE, 3.0);
    rows.picture.line(vec![(median, y - 10.0), (median, y + 10.0)], white);
}

/// The lower whisker, the quartiles and the upper whisker.
struct BoxSummary([f64; 5]);

impl BoxSummary {
    fn of(numbers: &[f64]) -> Option<BoxSummary> {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let quantile = |share: f64| {
            let point = share * last as f64;
            let (low, high) = (point.floor() as usize, point.ceil() as usize);
            sorted[low] + (point - point.floor()) * (sorted[high] - sorted[low])
        };
        let [first, median, third] = [0.25, 0.5, 0.75].map(quantile);
        let reach = REACH * (third - first);
        let near = |number: &&f64| (first - reach..=third + reach).contains(*number);
        let low = *sorted.iter().find(near)?;
        let high = *sorted.iter().rev().find(near)?;
        Some(BoxSummary([low, first, median, third, high]))
    }

    fn outside(&self, number: f64) -> bool {
        number < self.0[0] || number > self.0[4]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whiskers_end_at_the_last_number_near_the_box() {
        let five = BoxSummary::of(&[1.0, 2.0, 3.0, 4.0, 100.0]).unwrap();
        assert_eq!(five.0, [1.0, 2.0, 3.0, 4.0, 4.0]);
        assert!(five.outside(100.0) && !five.outside(1.0));
        assert_eq!(BoxSummary::of(&[7.0]).unwrap().0, [7.0; 5]);
        assert!(BoxSummary::of(&[]).is_none());
    }

    #[test]
    fn outliers_are_dots_and_empty_rows_have_only_their_note() {
        let sample = |numbers: &[f64], note: &str| BoxSample {
            name: "a".into(),
            numbers: numbers.to_vec(),
            note: note.into(),
            published: None,
        };
        let plot = BoxPlot {
            title: "t".into(),
            label: "x".into(),
            log: false,
            samples: vec![sample(&[1.0, 2.0, 3.0, 4.0, 100.0], ""), sample(&[], "never")],
        };
        let svg = plot.to_svg();
        assert_eq!(svg.matches("<circle").count(), 1);
        assert_eq!(svg.matches("<rect").count(), 2, "the ground and one box");
        assert!(svg.contains(">never<"));
    }
}
