//! A table of shares, coloured.

use super::raster::Raster;
use super::{label, opening, text_width};

/// A table of shares from 0 to 1, each a coloured square.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Above the picture.
    pub title: String,
    /// The name of each row.
    pub rows: Vec<String>,
    /// The name of each column; drawn as numbers, with the names beside the rows.
    pub columns: Vec<String>,
    /// By row and column; nothing is left white.
    pub values: Vec<Vec<Option<f64>>>,
}

const CELL: f64 = 56.0;
const TOP: f64 = 64.0;

/// From bad over even to good, readable for the colour-blind.
const COLORS: [[f64; 3]; 3] = [[197.0, 90.0, 17.0], [245.0, 245.0, 240.0], [46.0, 117.0, 182.0]];

impl HeatMap {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let name = |(i, row): (usize, &String)| format!("{}. {row}", i + 1);
        let names: Vec<String> = self.rows.iter().enumerate().map(name).collect();
        let left = 24.0 + names.iter().map(|n| text_width(n)).fold(0.0, f64::max);
        let width = (left + CELL * self.columns.len() as f64).max(text_width(&self.title)) + 24.0;
        let height = TOP + CELL * self.rows.len() as f64 + 16.0;
        let mut out = opening(width, height);
        out += &label(12.0, 24.0, "start", &self.title);
        for i in 0..self.columns.len() {
            let x = left + CELL * (i as f64 + 0.5);
            out += &label(x, TOP - 8.0, "middle", &(i + 1).to_string());
        }
        for (i, (name, row)) in names.iter().zip(&self.values).enumerate() {
            let y = TOP + CELL * i as f64;
            out += &label(left - 10.0, y + CELL / 2.0 + 4.0, "end", name);
            for (j, value) in row.iter().enumerate() {
                out += &value.map_or(String::new(), |v| cell(left + CELL * j as f64, y, v));
            }
        }
        out + "</svg>\n"
    }

    /// The same picture as PNG, two pixels for one unit.
    pub fn to_png(&self) -> Vec<u8> {
        let name = |(i, row): (usize, &String)| format!("{}. {row}", i + 1);
        let names: Vec<String> = self.rows.iter().enumerate().map(name).collect();
        let longest = names.iter().map(|name| Raster::width_of(name)).max().unwrap_or(0);
        let (cell, top, left) = (2 * CELL as usize, 2 * TOP as usize, 48 + longest);
        let width = (left + cell * self.columns.len()).max(Raster::width_of(&self.title)) + 48;
        let mut picture = Raster::new(width, top + cell * self.rows.len() + 32);
        picture.text(24, 32, &self.title);
        for i in 0..self.columns.len() {
            picture.centred(left + cell * i + cell / 2, top - 16, &(i + 1).to_string());
        }
        for (i, (name, row)) in names.iter().zip(&self.values).enumerate() {
            let y = top + cell * i;
            picture.text(left - 24 - Raster::width_of(name), y + cell / 2, name);
            for (j, value) in row.iter().enumerate() {
                let Some(value) = value else { continue };
                let x = left + cell * j;
                picture.fill(x..x + cell - 2, y..y + cell - 2, rgb(*value));
                let text = format!("{:.0} %", 100.0 * value);
                picture.centred(x + cell / 2, y + cell / 2, &text);
            }
        }
        picture.to_png()
    }
}

fn cell(x: f64, y: f64, value: f64) -> String {
    let fill = color(value);
    let square = format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" \
         stroke=\"#ffffff\"/>\n"
    );
    let text = format!("{:.0} %", 100.0 * value);
    square + &label(x + CELL / 2.0, y + CELL / 2.0 + 4.0, "middle", &text)
}

fn color(value: f64) -> String {
    let [r, g, b] = rgb(value);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn rgb(value: f64) -> [u8; 3] {
    let place = 2.0 * value.clamp(0.0, 1.0);
    let from = usize::from(place > 1.0);
    let share = place - from as f64;
    std::array::from_fn(|channel| {
        let mixed = COLORS[from][channel] * (1.0 - share) + COLORS[from + 1][channel] * share;
        mixed.round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_and_the_middle_have_their_colours() {
        assert_eq!([color(0.0), color(0.5), color(1.0)], ["#c55a11", "#f5f5f0", "#2e75b6"]);
    }

    #[test]
    fn the_same_cells_are_coloured_in_png() {
        let map = HeatMap {
            title: String::new(),
            rows: vec!["a".into()],
            columns: vec!["b".into(), "c".into()],
            values: vec![vec![Some(1.0), None]],
        };
        let png = map.to_png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let (full, empty) = ([0x2e, 0x75, 0xb6], [0xff; 3]);
        let count = |color: [u8; 3]| pixels.chunks(3).filter(|pixel| *pixel == color).count();
        assert!(count(full) > 11_000 && count(empty) > 11_000, "{} {}", count(full), count(empty));
    }

    #[test]
    fn names_are_escaped_and_empty_cells_left_out() {
        let map = HeatMap {
            title: "a < b".into(),
            rows: vec!["x&y".into()],
            columns: vec!["z".into()],
            values: vec![vec![None]],
        };
        let svg = map.to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains("x&amp;y"));
        assert_eq!(svg.matches("<rect").count(), 1);
    }
}
