//! The content of the page about an experiment.

use super::figures::Figure;
use super::page::{Page, PagePart};
use crate::{
    ExperimentRunner, Results, SeedStatistics, Variant, VariantComparison, VariantResults,
    median_time,
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
        let (name, caption, svg) = ((*name).to_owned(), caption.clone(), svg.clone());
        page.parts.push(PagePart::Figure { name, caption, svg });
    }
    page.table("Results", table(runner, results));
    page.text(
        "Means over the seeds, and means of their middle half; in brackets 95 % intervals by \
         drawing the seeds again.",
    );
    page.parts.push(PagePart::Files(files));
    if !results.findings.is_empty() {
        page.table("Claims", claims(results));
    }
    page.list("Remarks", &experiment.remarks);
    if !results.comparisons.is_empty() {
        page.table("Comparisons at the end", comparisons(results));
        page.text("Mann and Whitney's test, two-sided; corrected by Holm's method.");
    }
    page.list("Deviations from the source", &experiment.deviations);
    page.table("Settings", settings(runner));
    page.list("Runs that are missing", &results.missing);
    page
}

/// The extent of the experiment.
fn extent(runner: &ExperimentRunner, results: &Results) -> String {
    let name = runner.scale.name();
    let runs = results.runs();
    match runner.chosen_scale() {
        Ok(scale) => format!(
            "Scale: {name}, {runs} runs, {} seeds for each variant, {} episodes. Measured {}every {} \
             episodes by the protocol {}: {}.",
            scale.seeds,
            scale.episodes,
            scale
                .early
                .map(|e| format!("every {} of the first {}, then ", e.every, e.until))
                .unwrap_or_default(),
            scale.every,
            scale.evaluation.as_ref().unwrap_or(&runner.experiment.evaluation),
            results.measures
        ),
        Err(_) => format!("Scale: {name}, {runs} runs."),
    }
}

/// The rows of the table of results, heading first.
fn table(runner: &ExperimentRunner, results: &Results) -> Vec<Vec<String>> {
    let experiment = &runner.experiment;
    let any = |has: &dyn Fn(&Variant) -> bool| results.variants.iter().any(|of| has(&of.variant));
    let published = any(&|variant| variant.published.is_some());
    let published_time = any(&|variant| variant.published_time.is_some());
    let mut heading: Vec<String> =
        ["variant", "runs", "at the end", "middle half", "last quarter", "on average"]
            .map(String::from)
            .into();
    heading.extend(published.then(|| "published".into()));
    heading.extend(experiment.learned.map(|line| format!("episodes to {line}")));
    heading.extend(published_time.then(|| "published episodes".into()));
    heading.extend(experiment.mastered.map(|line| format!("episodes to {line}, first")));
    let row = |of: &VariantResults| {
        let spread = |spread: &Option<SeedStatistics>| spread.map_or("-".into(), |s| s.to_string());
        let number = |number: Option<f64>| number.map_or("-".into(), |n| n.to_string());
        let time = |times: &[Option<u64>]| median_time(times).map_or("never".into(), whole);
        let mut row = vec![of.variant.name.clone(), of.curves.len().to_string(), spread(&of.end)];
        row.push(of.end.map_or("-".into(), |spread| spread.middle_half()));
        row.extend([&of.asymptote, &of.area].map(spread));
        row.extend(published.then(|| number(of.variant.published)));
        row.extend(experiment.learned.map(|_| time(&of.learned)));
        row.extend(published_time.then(|| number(of.variant.published_time)));
        row.extend(experiment.mastered.map(|_| time(&of.mastered)));
        row
    };
    std::iter::once(heading).chain(results.variants.iter().map(row)).collect()
}

fn whole(number: f64) -> String {
    format!("{number:.0}")
}

fn claims(results: &Results) -> Vec<Vec<String>> {
    let heading = ["claim", "verdict", "numbers"].map(String::from).to_vec();
    let row = |finding: &crate::Finding| {
        vec![finding.claim.clone(), finding.verdict.name().into(), finding.reason.clone()]
    };
    std::iter::once(heading).chain(results.findings.iter().map(row)).collect()
}

fn comparisons(results: &Results) -> Vec<Vec<String>> {
    let heading = ["compared", "larger in", "p", "p, corrected"].map(String::from).to_vec();
    let row = |compared: &VariantComparison| {
        vec![
            format!("{} with {}", compared.one, compared.other),
            format!("{:.0} % of the pairs", 100.0 * compared.found.effect),
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
