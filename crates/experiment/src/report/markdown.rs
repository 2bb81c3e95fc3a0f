//! The summary for repositories and terminals.

use super::figures::Figure;
use super::table;
use crate::{Laboratory, Results};
use std::fmt::Write;

pub(super) fn page(laboratory: &Laboratory, results: &Results, figures: &[Figure]) -> String {
    let experiment = &laboratory.experiment;
    let mut text = format!("# {}\n\n{}\n\n", experiment.title, experiment.about);
    let _ = writeln!(text, "Source: {}. Figures: {}.\n", experiment.source, results.measures);
    let (name, scale) = (&laboratory.name, laboratory.scale.name());
    let _ = writeln!(text, "```sh\nludens experiment run {name} --scale {scale}\n```\n");
    for figure in figures {
        let _ = writeln!(text, "![{}]({})\n", figure.caption, figure.file());
    }
    text += &rows(&table(laboratory, results));
    text += "\nMeans over the seeds; in brackets the 95 % interval of the mean of the middle half, \
             by drawing the seeds again.\n";
    if !results.findings.is_empty() {
        let mut claims = vec![["claim", "verdict", "numbers"].map(String::from).to_vec()];
        claims.extend(results.findings.iter().map(|finding| {
            vec![finding.claim.clone(), finding.verdict.name().into(), finding.reason.clone()]
        }));
        let _ = writeln!(text, "\n## Claims\n\n{}", rows(&claims).trim_end());
    }
    if !results.comparisons.is_empty() {
        let heading = ["compared", "larger in", "p", "p, corrected"].map(String::from).to_vec();
        let row = |c: &crate::Compared| {
            vec![
                format!("{} with {}", c.one, c.other),
                format!("{:.0} % of the pairs", 100.0 * c.found.effect),
                format!("{:.4}", c.found.probability),
                format!("{:.4}", c.corrected),
            ]
        };
        let compared: Vec<_> =
            std::iter::once(heading).chain(results.comparisons.iter().map(row)).collect();
        let _ = writeln!(text, "\n## Comparisons at the end\n\n{}", rows(&compared).trim_end());
        text += "\nMann and Whitney's test, two-sided; corrected by Holm's method.\n";
    }
    text += &list("Deviations", &experiment.deviations);
    text += &list("Runs that are missing", &results.missing);
    text
}

fn list(title: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = items.iter().map(|item| format!("- {item}\n")).collect();
    format!("\n## {title}\n\n{}", lines.concat())
}

fn rows(table: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (i, row) in table.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if i == 0 {
            let _ = writeln!(text, "|{}", " --- |".repeat(row.len()));
        }
    }
    text
}
