//! Pages for repositories and terminals.

use super::page::{Cell, Page, Part};

pub(super) fn write(page: &Page) -> String {
    let parts: Vec<String> = page.parts.iter().map(part).collect();
    format!("# {}\n\n{}", page.title, parts.join("\n"))
}

fn part(part: &Part) -> String {
    match part {
        Part::Heading(text) => format!("## {text}\n"),
        Part::Text(text) => format!("{text}\n"),
        Part::Command(text) => format!("```sh\n{text}\n```\n"),
        Part::Figure { name, caption, .. } => format!("![{caption}]({name}.svg)\n"),
        Part::Table(rows) => table(rows),
        Part::List(items) => items.iter().map(|item| format!("- {item}\n")).collect(),
        Part::Files(names) => {
            let links: Vec<String> = names.iter().map(|name| format!("[{name}]({name})")).collect();
            format!("Data: {}.\n", links.join(", "))
        }
    }
}

/// A table, heading first.
pub(super) fn table(rows: &[Vec<Cell>]) -> String {
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(written).collect();
        text += &format!("| {} |\n", cells.join(" | "));
        if i == 0 {
            text += &format!("|{}\n", " --- |".repeat(row.len()));
        }
    }
    text
}

fn written(cell: &Cell) -> String {
    let text = cell.text.replace('|', "\\|");
    match &cell.to {
        Some(to) => format!("[{text}]({to}/summary.md)"),
        None => text,
    }
}
