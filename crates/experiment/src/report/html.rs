//! Pages that work without a network.

use super::page::{Cell, Page, PagePart};
use crate::ClaimVerdict;
use ludens_arena::figure::escaped;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;\
padding:0 1rem;color:#1b1f24;background:#fff}table{border-collapse:collapse;margin:1rem 0;\
font-size:.9rem;display:block;overflow-x:auto}\
td,th{padding:.3rem .8rem;border-bottom:1px solid #d9dde2;text-align:left;vertical-align:top}\
figure{margin:1.5rem 0}figcaption{color:#5b636e;font-size:.9rem}svg{max-width:100%;height:auto}\
code,pre{background:#f3f4f6;padding:.2rem .4rem;overflow-x:auto}a{color:#0058a0}\
.holds{color:#00684a;font-weight:600}.fails{color:#a33b00;font-weight:600}.undecided{color:#555}";

pub(super) fn write(page: &Page) -> String {
    let title = escaped(&page.title);
    let body: String = page.parts.iter().map(part).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}</body></html>\n"
    )
}

fn part(part: &PagePart) -> String {
    match part {
        PagePart::Heading(text) => format!("<h2>{}</h2>\n", escaped(text)),
        PagePart::Text(text) => format!("<p>{}</p>\n", escaped(text)),
        PagePart::Command(text) => format!("<pre>{}</pre>\n", escaped(text)),
        PagePart::Figure { name, caption, svg } => {
            let (name, caption) = (escaped(name), escaped(caption));
            format!(
                "<figure role=\"img\" aria-label=\"{caption}\">\n{svg}<figcaption>{caption} \
                 <a href=\"{name}.svg\">SVG</a> <a href=\"{name}.png\">PNG</a></figcaption>\
                 </figure>\n"
            )
        }
        PagePart::Table(rows) => table(rows),
        PagePart::List(items) => {
            let item = |item: &String| format!("<li>{}</li>\n", escaped(item));
            format!("<ul>\n{}</ul>\n", items.iter().map(item).collect::<String>())
        }
        PagePart::Files(names) => {
            let link = |name: &String| format!("<a href=\"{0}\">{0}</a>", escaped(name));
            let links: Vec<String> = names.iter().map(link).collect();
            format!("<p>Data: {}.</p>\n", links.join(", "))
        }
    }
}

fn table(rows: &[Vec<Cell>]) -> String {
    let row = |(i, row): (usize, &Vec<Cell>)| {
        let tag = if i == 0 { "th" } else { "td" };
        let cells: String = row.iter().map(|cell| written(cell, tag)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    format!("<table>\n{rows}</table>\n")
}

fn written(cell: &Cell, tag: &str) -> String {
    let mut text = escaped(&cell.text);
    if let Some(to) = &cell.to {
        text = format!("<a href=\"{}/index.html\">{text}</a>", escaped(to));
    }
    let verdict = ClaimVerdict::ALL.into_iter().find(|verdict| verdict.name() == cell.text);
    let class = verdict.map_or(String::new(), |verdict| format!(" class=\"{}\"", verdict.name()));
    format!("<{tag}{class}>{text}</{tag}>")
}
