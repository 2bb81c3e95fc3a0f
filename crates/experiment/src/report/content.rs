//! The content of the page about an experiment.

use super::figures::Figure;
use super::page::{Page, PagePart};
use crate::{
    ExperimentRunner, ProtocolResults, Results, SeedStatistics, Variant, VariantComparison,
    VariantResults,
};

pub(super) fn page(
    runner: &ExperimentRunner,
    results: &Results,
    figures: &[Figure],
    files: Vec<String>,
) -> Page {
    let experiment = &runner.experiment;
    let mut page = Page::new(&experiment.title);
    page.text(&experiment.about);
    page.text(format!("Source: {}.", experiment.source));
    page.text(extent(runner, results));
    page.parts.push(PagePart::Command(runner.command.clone()));
    for Figure { name, caption, svg, .. } in figures {
        let (name, caption, svg) = (name.clone(), caption.clone(), svg.clone());
        page.parts.push(PagePart::Figure { name, caption, svg });
    }
    for by in results.by_protocol() {
        page.table(&titled("Results", results, by), table(runner, by));
    }
    page.text(
        "Means over the seeds and interquartile means (IQM); in brackets 95 % CI by bootstrap over \
         seeds, from five seeds on. Over training: the mean height of the curve (AUC).",
    );
    page.parts.push(PagePart::Files(files));
    if !results.findings.is_empty() {
        page.table("Claims", claims(results));
    }
    page.list("Remarks", &experiment.remarks);
    for by in results.by_protocol().filter(|by| !by.comparisons.is_empty()) {
        page.table(&titled("Comparisons", results, by), comparisons(by));
    }
    if !results.main.comparisons.is_empty() {
        page.text(
            "P(A > B): the share of pairs of runs in which A is larger. Mann and Whitney's test, \
             two-sided; corrected for all rows of a table by Holm's method.",
        );
    }
    page.list("Deviations from the source", &experiment.deviations);
    page.table("Settings", settings(runner));
    page.list("Runs that are missing", &results.missing);
    page
}

/// A title, with the protocol if there are several.
fn titled(title: &str, results: &Results, by: &ProtocolResults) -> String {
    if results.also.is_empty() { title.into() } else { format!("{title} by {}", by.protocol) }
}

/// The extent of the experiment.
fn extent(runner: &ExperimentRunner, results: &Results) -> String {
    let name = runner.scale.name();
    let runs = results.runs();
    match runner.chosen_scale() {
        Ok(scale) => format!(
            "Scale: {name}, {runs} runs, {} seeds for each variant, {} episodes. Measured {}every {} \
             episodes by {}.",
            scale.seeds,
            scale.episodes,
            scale
                .early
                .map(|e| format!("every {} of the first {}, then ", e.every, e.until))
                .unwrap_or_default(),
            scale.every,
            measured_by(results)
        ),
        Err(_) => format!("Scale: {name}, {runs} runs."),
    }
}

/// The protocols and what they measure.
fn measured_by(results: &Results) -> String {
    let named = |by: &ProtocolResults| format!("{} ({})", by.protocol, by.measures);
    results.by_protocol().map(named).collect::<Vec<_>>().join(", ")
}

/// The rows of the table of results, heading first.
fn table(runner: &ExperimentRunner, results: &ProtocolResults) -> Vec<Vec<String>> {
    let experiment = &runner.experiment;
    let any = |has: &dyn Fn(&Variant) -> bool| results.variants.iter().any(|of| has(&of.variant));
    let published = any(&|variant| variant.published.is_some());
    let published_time = any(&|variant| variant.published_time.is_some());
    let mut heading: Vec<String> =
        ["variant", "runs", "at the end", "IQM", "last quarter", "over training"]
            .map(String::from)
            .into();
    heading.extend(published.then(|| "published".into()));
    heading.extend(experiment.learned.map(|line| format!("episodes to {line}")));
    heading.extend(published_time.then(|| "published episodes".into()));
    heading.extend(experiment.mastered.map(|line| format!("episodes to {line}, first")));
    let row = |of: &VariantResults| {
        let spread = |spread: &Option<SeedStatistics>| spread.map_or("-".into(), |s| s.to_string());
        let number = |number: Option<f64>| number.map_or("-".into(), |n| n.to_string());
        let time = |times: &[Option<u64>]| of.time_in_words(times);
        let mut row = vec![of.variant.name.clone(), of.curves.len().to_string(), spread(&of.end)];
        row.push(of.end.map_or("-".into(), |spread| spread.iqm()));
        row.extend([&of.asymptote, &of.area].map(spread));
        row.extend(published.then(|| number(of.variant.published)));
        row.extend(experiment.learned.map(|_| time(&of.learned)));
        row.extend(published_time.then(|| number(of.variant.published_time)));
        row.extend(experiment.mastered.map(|_| time(&of.mastered)));
        row
    };
    std::iter::once(heading).chain(results.variants.iter().map(row)).collect()
}

fn claims(results: &Results) -> Vec<Vec<String>> {
    let heading = ["claim", "verdict", "numbers"].map(String::from).to_vec();
    let row = |finding: &crate::Finding| {
        vec![finding.claim.clone(), finding.verdict.name().into(), finding.reason.clone()]
    };
    std::iter::once(heading).chain(results.findings.iter().map(row)).collect()
}

fn comparisons(results: &ProtocolResults) -> Vec<Vec<String>> {
    let heading = ["A", "B", "when", "P(A > B)", "p", "p, corrected"].map(String::from).to_vec();
    let row = |compared: &VariantComparison| {
        vec![
            compared.one.clone(),
            compared.other.clone(),
            compared.when.into(),
            format!("{:.2}", compared.found.effect),
            format!("{:.4}", compared.found.probability),
            format!("{:.4}", compared.corrected),
        ]
    };
    std::iter::once(heading).chain(results.comparisons.iter().map(row)).collect()
}

/// The settings of each variant.
fn settings(runner: &ExperimentRunner) -> Vec<Vec<String>> {
    let experiment = &runner.experiment;
    let scale = runner.chosen_scale().map_or(Vec::new(), |scale| scale.set);
    let heading = ["variant", "game", "preset", "settings"].map(String::from).to_vec();
    let row = |variant: Variant| {
        let set = experiment.set.iter().chain(&variant.set).chain(&scale);
        let set: Vec<String> = set.cloned().collect();
        let preset = variant.preset.or_else(|| experiment.preset.clone());
        vec![
            variant.name,
            variant.game.unwrap_or_else(|| experiment.game.clone()),
            preset.unwrap_or_else(|| "-".into()),
            set.join(", "),
        ]
    };
    std::iter::once(heading).chain(experiment.all_variants().into_iter().map(row)).collect()
}
