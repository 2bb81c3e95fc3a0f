//! The page that works without a network.

use super::figures::Figure;
use super::table;
use crate::{Laboratory, Results};
use ludens_arena::figure::escaped;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;\
padding:0 1rem;color:#1b1f24;background:#fff}table{border-collapse:collapse;margin:1rem 0}\
td,th{padding:.3rem .8rem;border-bottom:1px solid #d9dde2;text-align:left}\
figure{margin:1rem 0}svg{max-width:100%;height:auto}code,pre{background:#f3f4f6;padding:.2rem .4rem}\
.holds{color:#00684a}.fails{color:#a33b00}.undecided{color:#555}";

pub(super) fn page(laboratory: &Laboratory, results: &Results, figures: &[Figure]) -> String {
    let experiment = &laboratory.experiment;
    let (name, scale) = (&laboratory.name, laboratory.scale.name());
    let mut body = format!(
        "<h1>{}</h1>\n<p>{}</p>\n<p>Source: {}. Figures: {}.</p>\n\
         <pre>ludens experiment run {} --scale {scale}</pre>\n",
        escaped(&experiment.title),
        escaped(&experiment.about),
        escaped(&experiment.source),
        escaped(&results.measures),
        escaped(name),
    );
    for figure in figures {
        let caption = escaped(&figure.caption);
        body += &format!(
            "<figure role=\"img\" aria-label=\"{caption}\">\n{}<figcaption>{caption}</figcaption>\
             </figure>\n",
            figure.svg
        );
    }
    body += &rows(&table(laboratory, results));
    body += "<p>Means over the seeds; in brackets the 95 % interval of the mean of the middle \
             half, by drawing the seeds again. Data: <a href=\"curves.csv\">curves.csv</a>, \
             <a href=\"results.csv\">results.csv</a>.</p>\n";
    body += &claims(results);
    body += &list("Deviations", &experiment.deviations);
    body += &list("Runs that are missing", &results.missing);
    body += &settings(laboratory);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\
         <style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n",
        escaped(&experiment.title)
    )
}

fn claims(results: &Results) -> String {
    if results.findings.is_empty() {
        return String::new();
    }
    let row = |finding: &crate::Finding| {
        let verdict = finding.verdict.name();
        format!(
            "<tr><td>{}</td><td class=\"{verdict}\">{verdict}</td><td>{}</td></tr>\n",
            escaped(&finding.claim),
            escaped(&finding.reason)
        )
    };
    let rows: String = results.findings.iter().map(row).collect();
    format!(
        "<h2>Claims</h2>\n<table>\n<tr><th>claim</th><th>verdict</th><th>numbers</th></tr>\n\
         {rows}</table>\n"
    )
}

/// What each variant sets.
fn settings(laboratory: &Laboratory) -> String {
    let experiment = &laboratory.experiment;
    let heading = ["variant", "game", "preset", "settings"].map(String::from).to_vec();
    let row = |variant: crate::Variant| {
        let set: Vec<String> = experiment.set.iter().chain(&variant.set).cloned().collect();
        vec![
            variant.name,
            variant.game.unwrap_or_else(|| experiment.game.clone()),
            variant.preset.unwrap_or_else(|| experiment.preset.clone()),
            set.join(", "),
        ]
    };
    let table: Vec<_> =
        std::iter::once(heading).chain(experiment.all_variants().into_iter().map(row)).collect();
    format!("<h2>Settings</h2>\n{}", rows(&table))
}

fn list(title: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escaped(item))).collect();
    format!("<h2>{title}</h2>\n<ul>\n{items}</ul>\n")
}

fn rows(table: &[Vec<String>]) -> String {
    let row = |(i, row): (usize, &Vec<String>)| {
        let tag = if i == 0 { "th" } else { "td" };
        let cells: String =
            row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.iter().enumerate().map(row).collect();
    format!("<table>\n{rows}</table>\n")
}
