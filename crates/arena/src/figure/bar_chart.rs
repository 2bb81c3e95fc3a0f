//! Numbers as bars, with intervals.

use super::axis::Axis;
use super::picture::{Picture, color_of};
use super::rows::{RowChart, RowFrame};

/// Numbers as bars side by side, each with its interval and what others found.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// Above the picture.
    pub title: String,
    /// The label of the axis.
    pub label: String,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The name of the bar.
    pub name: String,
    /// Whatever has the same index has the same colour.
    pub index: usize,
    /// The value of the bar.
    pub number: f64,
    /// The lower and upper end of its interval.
    pub interval: Option<(f64, f64)>,
    /// The published value.
    pub published: Option<f64>,
}

impl BarChart {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        self.picture().to_svg()
    }

    /// The picture as PNG.
    pub fn to_png(&self) -> Vec<u8> {
        self.picture().to_png()
    }

    fn picture(&self) -> Picture {
        let numbers = self.bars.iter().flat_map(|bar| {
            let ends = bar.interval.map(|(low, high)| [low, high]).into_iter().flatten();
            ends.chain([bar.number]).chain(bar.published)
        });
        let frame = RowFrame {
            title: &self.title,
            label: &self.label,
            names: self.bars.iter().map(|bar| &bar.name[..]).collect(),
            axis: Axis::around(numbers, false),
            note_width: 0.0,
        };
        let mut rows = RowChart::new(&frame);
        for (i, bar) in self.bars.iter().enumerate() {
            draw(&mut rows, i, bar);
        }
        if self.bars.iter().any(|bar| bar.published.is_some()) {
            rows.explain_marks();
        }
        rows.picture
    }
}

fn draw(rows: &mut RowChart, row: usize, bar: &Bar) {
    let (zero, end) = (rows.across(0.0), rows.across(bar.number));
    let y = rows.middle(row);
    let (left, width) = (zero.min(end), (end - zero).abs());
    rows.picture.fill((left, y - 9.0), (width.max(1.0), 18.0), color_of(bar.index));
    if let Some((low, high)) = bar.interval {
        let ends = [low, high].map(|end| rows.across(end));
        rows.whisker(row, ends, 5.0);
    }
    if let Some(published) = bar.published {
        rows.mark(row, published);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::rows::PUBLISHED;

    #[test]
    fn bars_have_intervals_and_published_marks_where_there_are_any() {
        let bar = |published| Bar {
            name: "a".into(),
            index: 0,
            number: -0.5,
            interval: Some((-0.6, -0.4)),
            published,
        };
        let chart = |bars| BarChart { title: "t".into(), label: "x".into(), bars };
        let ours = chart(vec![bar(None), bar(None)]).to_svg();
        assert_eq!(ours.matches("<polygon").count(), 0);
        assert_eq!(ours.matches("stroke-width=\"1.5\"").count(), 6, "three strokes each");
        let note_width = chart(vec![bar(Some(0.1)), bar(None)]).to_svg();
        assert_eq!(note_width.matches("<polygon").count(), 4, "two diamonds of two colours");
        assert!(note_width.contains(PUBLISHED));
    }
}
