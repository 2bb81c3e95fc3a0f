//! A table of shares, coloured.

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
    let place = 2.0 * value.clamp(0.0, 1.0);
    let from = usize::from(place > 1.0);
    let share = place - from as f64;
    let [r, g, b]: [f64; 3] = std::array::from_fn(|channel| {
        COLORS[from][channel] * (1.0 - share) + COLORS[from + 1][channel] * share
    });
    format!("#{:02x}{:02x}{:02x}", r.round() as u8, g.round() as u8, b.round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_and_the_middle_have_their_colours() {
        assert_eq!([color(0.0), color(0.5), color(1.0)], ["#c55a11", "#f5f5f0", "#2e75b6"]);
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
