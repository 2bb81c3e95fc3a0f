//! A table of numbers, coloured.

use super::axis::short;
use super::picture::{Anchor, INK, Picture, Rgb, WHITE, text_width, widest};

/// A table of numbers, each a coloured square.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Above the picture.
    pub title: String,
    /// The name of each row.
    pub rows: Vec<String>,
    /// The name of each column; drawn as a number if it is also the name of that row.
    pub columns: Vec<String>,
    /// By row and column; nothing is left white.
    pub values: Vec<Vec<Option<f64>>>,
    /// The numbers are shares, coloured from 0 to 1; others from the smallest to the largest.
    pub shares: bool,
}

const CELL: f64 = 56.0;
const TOP: f64 = 72.0;

/// From bad over even to good, readable for the colour-blind.
const COLORS: [[f64; 3]; 3] = [[197.0, 90.0, 17.0], [245.0, 245.0, 240.0], [46.0, 117.0, 182.0]];

impl HeatMap {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        self.picture().to_svg()
    }

    /// The picture as PNG.
    pub fn to_png(&self) -> Vec<u8> {
        self.picture().to_png()
    }

    fn picture(&self) -> Picture {
        let numbered = self.rows == self.columns;
        let name = |(i, row): (usize, &String)| match numbered {
            true => format!("{}. {row}", i + 1),
            false => row.clone(),
        };
        let names: Vec<String> = self.rows.iter().enumerate().map(name).collect();
        let left = 28.0 + widest(names.iter().map(String::as_str));
        let heads: Vec<String> = match numbered {
            true => (1..=self.columns.len()).map(|i| i.to_string()).collect(),
            false => self.columns.clone(),
        };
        let wide = CELL.max(12.0 + widest(heads.iter().map(String::as_str)));
        let width = (left + wide * heads.len() as f64).max(text_width(&self.title) + 16.0) + 24.0;
        let mut picture = Picture::new(width, TOP + CELL * self.rows.len() as f64 + 16.0);
        picture.title(&self.title);
        for (i, head) in heads.iter().enumerate() {
            picture.text((left + wide * (i as f64 + 0.5), TOP - 10.0), Anchor::Middle, head);
        }
        for (i, (name, row)) in names.iter().zip(&self.values).enumerate() {
            let y = TOP + CELL * i as f64;
            picture.text((left - 10.0, y + CELL / 2.0 + 4.0), Anchor::End, name);
            for (j, value) in row.iter().enumerate() {
                let Some(value) = value else { continue };
                let x = left + wide * j as f64;
                let share = self.share(*value);
                picture.fill((x, y), (wide - 1.0, CELL - 1.0), color(share));
                let middle = (x + wide / 2.0, y + CELL / 2.0 + 4.0);
                let ink = if (0.1..=0.9).contains(&share) { INK } else { WHITE };
                picture.colored_text(middle, Anchor::Middle, &self.cell_text(*value), ink);
            }
        }
        picture
    }

    /// The position of a value on the colour scale.
    fn share(&self, value: f64) -> f64 {
        if self.shares {
            return value.clamp(0.0, 1.0);
        }
        let all = || self.values.iter().flatten().flatten().copied();
        let (low, high) = (all().fold(value, f64::min), all().fold(value, f64::max));
        if high > low { (value - low) / (high - low) } else { 0.5 }
    }

    fn cell_text(&self, value: f64) -> String {
        if self.shares { format!("{:.0} %", 100.0 * value) } else { short(value) }
    }
}

fn color(share: f64) -> Rgb {
    let point = 2.0 * share;
    let from = usize::from(point > 1.0);
    let share = point - from as f64;
    Rgb(std::array::from_fn(|channel| {
        let mixed = COLORS[from][channel] * (1.0 - share) + COLORS[from + 1][channel] * share;
        mixed.round() as u8
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(values: Vec<Vec<Option<f64>>>, shares: bool) -> HeatMap {
        let name = |i: usize| format!("x&y{i}");
        let (rows, columns) = (values.len(), values[0].len());
        HeatMap {
            title: "a < b".into(),
            rows: (0..rows).map(name).collect(),
            columns: (0..columns).map(name).collect(),
            values,
            shares,
        }
    }

    #[test]
    fn the_ends_and_the_middle_have_their_colours() {
        let colors = [0.0, 0.5, 1.0].map(|share| color(share).to_string());
        assert_eq!(colors, ["#c55a11", "#f5f5f0", "#2e75b6"]);
    }

    #[test]
    fn numbers_are_coloured_from_the_smallest_to_the_largest() {
        let numbers = map(vec![vec![Some(-3.0), Some(5.0), None]], false);
        assert_eq!((numbers.share(-3.0), numbers.share(1.0), numbers.share(5.0)), (0.0, 0.5, 1.0));
        assert!(numbers.to_svg().contains(">-3<"));
    }

    #[test]
    fn the_same_cells_are_coloured_in_png() {
        let png = map(vec![vec![Some(1.0), None]], true).to_png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let (full, empty) = ([0x2e, 0x75, 0xb6], [0xff; 3]);
        let count = |color: [u8; 3]| pixels.chunks(3).filter(|pixel| *pixel == color).count();
        assert!(count(full) > 11_000 && count(empty) > 11_000, "{} {}", count(full), count(empty));
    }

    #[test]
    fn names_are_escaped_and_empty_cells_left_out() {
        let svg = map(vec![vec![None]], true).to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains("x&amp;y0"));
        assert_eq!(svg.matches("<rect").count(), 1);
    }
}
