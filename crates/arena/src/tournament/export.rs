//! A tournament as text, CSV, Markdown and picture.

use super::{HeadToHead, TournamentReport};
use crate::figure::HeatMap;
use crate::report::name_width;
use std::fmt::Write;

/// The columns of the standings, in all formats.
const HEAD: [&str; 10] = [
    "place",
    "name",
    "rating",
    "error",
    "points",
    "results",
    "reward",
    "elo",
    "glicko",
    "deviation",
];

impl TournamentReport {
    /// The standings as rows of texts, without a head.
    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(i, p): (usize, &super::TournamentStanding)| {
            vec![
                (i + 1).to_string(),
                p.name.clone(),
                format!("{:.1}", p.rating.elo),
                format!("{:.1}", p.rating.error),
                p.points.to_string(),
                p.results.to_string(),
                format!("{:.4}", p.reward.mean),
                format!("{:.0}", p.elo),
                format!("{:.0}", p.glicko.rating),
                format!("{:.0}", p.glicko.deviation),
            ]
        };
        self.standings.iter().enumerate().map(row).collect()
    }

    /// The standings and the cross table as comma-separated values, with one head.
    pub fn to_csv(&self) -> String {
        let names = self.standings.iter().map(|p| format!("score vs {}", p.name));
        let head: Vec<String> = HEAD.iter().map(ToString::to_string).chain(names).collect();
        let mut out = csv_line(&head);
        for (row, cross) in self.rows().into_iter().zip(&self.cross) {
            let scores = cross.iter().map(|m| m.map_or(String::new(), score));
            out += &csv_line(&row.into_iter().chain(scores).collect::<Vec<_>>());
        }
        out
    }

    /// The standings and the cross table in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = format!("{} games of {}, seed {}.\n\n", self.games, self.game, self.seed);
        out += &markdown_table(&HEAD.map(String::from), &self.rows());
        let numbers = (1..=self.standings.len()).map(|i| i.to_string());
        let head: Vec<String> = ["score of".into()].into_iter().chain(numbers).collect();
        let row = |(i, cross): (usize, &Vec<Option<HeadToHead>>)| {
            let name = format!("{}. {}", i + 1, self.standings[i].name);
            let scores = cross.iter().map(|m| m.map_or("-".into(), score));
            [name].into_iter().chain(scores).collect()
        };
        let rows: Vec<Vec<String>> = self.cross.iter().enumerate().map(row).collect();
        let _ = write!(out, "\n{}", markdown_table(&head, &rows));
        out
    }

    /// The cross table as a picture: the share of the points of each row against each column.
    pub fn to_svg(&self) -> String {
        self.heat_map().to_svg()
    }

    /// The same picture as PNG.
    pub fn to_png(&self) -> Vec<u8> {
        self.heat_map().to_png()
    }

    fn heat_map(&self) -> HeatMap {
        let names: Vec<String> = self.standings.iter().map(|p| p.name.clone()).collect();
        let values =
            |row: &Vec<Option<HeadToHead>>| row.iter().map(|m| m.map(|m| m.score())).collect();
        HeatMap {
            title: format!("{}: share of the points, row against column", self.game),
            shares: true,
            rows: names.clone(),
            columns: names,
            values: self.cross.iter().map(values).collect(),
        }
    }
}

fn score(meeting: HeadToHead) -> String {
    format!("{:.3}", meeting.score())
}

fn csv_line(cells: &[String]) -> String {
    let quote = |cell: &String| {
        if cell.contains([',', '"', '\n']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    cells.iter().map(quote).collect::<Vec<_>>().join(",") + "\n"
}

fn markdown_table(head: &[String], rows: &[Vec<String>]) -> String {
    let escape = |cell: &String| cell.replace('|', "\\|");
    let line = |cells: &[String]| {
        format!("| {} |\n", cells.iter().map(escape).collect::<Vec<_>>().join(" | "))
    };
    let rule = format!("|{}\n", " --- |".repeat(head.len()));
    line(head) + &rule + &rows.iter().map(|row| line(row)).collect::<String>()
}

/// The standings for people.
impl std::fmt::Display for TournamentReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}: {} games, seed {}", self.game, self.games, self.seed)?;
        let width = name_width(self.standings.iter().map(|p| p.name.as_str()));
        writeln!(f, "    {:width$}  rating         points      mean reward", "contestant")?;
        for (i, p) in self.standings.iter().enumerate() {
            let rating = format!("{:+.0} \u{b1} {:.0}", p.rating.elo, 1.96 * p.rating.error);
            let points = format!("{}/{}", p.points, p.results);
            writeln!(f, "{:>2}. {:width$}  {rating:13}  {points:10}  {}", i + 1, p.name, p.reward)?;
        }
        writeln!(f, "\nshare of the points, row against column")?;
        for (i, row) in self.cross.iter().enumerate() {
            write!(f, "{:>2}. {:width$}", i + 1, self.standings[i].name)?;
            for meeting in row {
                write!(f, " {:>6}", meeting.map_or("-".into(), score))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_quoted() {
        let cells = ["mcts:c=1,n=2".to_string(), "a\"b".into(), "c".into()];
        assert_eq!(csv_line(&cells), "\"mcts:c=1,n=2\",\"a\"\"b\",c\n");
    }

    #[test]
    fn bars_are_escaped_in_markdown() {
        let table = markdown_table(&["a".into()], &[vec!["x|y".into()]]);
        assert_eq!(table, "| a |\n| --- |\n| x\\|y |\n");
    }
}
