//! Pages for repositories and terminals.

use super::page::{Cell, Page, PagePart};

pub(super) fn write(page: &Page) -> String {
    let parts: Vec<String> = page.parts.iter().map(part).collect();
    format!("# {}\n\n{}", page.title, parts.join("\n"))
}

fn part(part: &PagePart) -> String {
    match part {
        PagePart::Heading(text) => format!("## {text}\n"),
        PagePart::Text(text) => format!("{text}\n"),
        PagePart::Command(text) => format!("```sh\n{text}\n```\n"),
        PagePart::Figure { name, caption, .. } => format!("![{caption}]({name}.svg)\n"),
        PagePart::Table(rows) => table(rows),
        PagePart::List(items) => items.iter().map(|item| format!("- {item}\n")).collect(),
        PagePart::Files(names) => {
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
