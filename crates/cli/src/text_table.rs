//! Columns that line up.

use crate::console::Console;
use crate::failure::Failure;
use std::io::Write;

/// The widest column; longer cells stick out. Formatting refuses 65,536 and more.
const MAX_WIDTH: usize = 1000;

/// Rows of cells under a head.
pub(crate) struct TextTable {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows. Columns whose title begins with `>` are aligned to the right.
    pub(crate) fn new(head: &[&'static str]) -> TextTable {
        TextTable { head: head.to_vec(), rows: Vec::new() }
    }

    /// Adds a row: one cell per column.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.head.len());
        self.rows.push(cells);
    }

    /// Writes the head and the rows.
    pub(crate) fn write(&self, out: &mut Console) -> Result<(), Failure> {
        let titles: Vec<String> = self.head.iter().map(|h| h.replace('>', "")).collect();
        let head = self.line(&titles);
        writeln!(out, "{}", out.bold(&head))?;
        for row in &self.rows {
            writeln!(out, "{}", self.line(row))?;
        }
        Ok(())
    }

    fn line(&self, cells: &[String]) -> String {
        let pad = |(i, cell): (usize, &String)| {
            let width = self.width(i);
            if self.head[i].starts_with('>') {
                format!("{cell:>width$}")
            } else {
                format!("{cell:width$}")
            }
        };
        let cells: Vec<String> = cells.iter().enumerate().map(pad).collect();
        cells.join("  ").trim_end().into()
    }

    fn width(&self, column: usize) -> usize {
        let title = self.head[column].trim_start_matches('>').chars().count();
        let cells = self.rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(title).min(MAX_WIDTH)
    }
}
