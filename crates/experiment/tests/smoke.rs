//! Every experiment that comes with Ludens runs, is reported, and survives a stop.

#![allow(clippy::unwrap_used)]

use ludens_experiment::{
    BundledExperiment, EXPERIMENTS, ExperimentObserver, ExperimentReport, ExperimentRunner, Index,
    Results, ScaleName,
};
use ludens_lab::TrainingProgress;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Nobody;

impl ExperimentObserver for Nobody {
    fn progress(&self, _: usize, _: &TrainingProgress) {}
    fn warn(&self, _: usize, what: &str) {
        panic!("{what}");
    }
    fn ended(&self, _: usize, result: Result<(), &str>) {
        result.unwrap();
    }
}

fn runner(included: &BundledExperiment, name: &str) -> ExperimentRunner {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join(included.name);
    let _ = std::fs::remove_dir_all(&folder);
    let experiment = included.experiment();
    let (name, command) = (included.name.into(), "ludens experiment run".into());
    ExperimentRunner { name, experiment, scale: ScaleName::Smoke, folder, command }
}

fn run(runner: &ExperimentRunner, stop: &(dyn Fn() -> bool + Sync)) {
    let all: Vec<usize> = (0..runner.pairs().unwrap().len()).collect();
    runner.run(&all, 2, stop, &Nobody).unwrap();
}

/// The files of the report: names and contents.
fn report(runner: &ExperimentRunner) -> BTreeMap<String, Vec<u8>> {
    let results = Results::read(runner).unwrap();
    let folder = runner.folder.join("report");
    let written = ExperimentReport::new(runner, &results).write(&folder).unwrap();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    written.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

/// Every file that a page leads to lies beside it.
fn check_links(files: &BTreeMap<String, Vec<u8>>, page: &str) {
    assert!(page.contains("<svg") && !page.contains("http-equiv") && !page.contains("src="));
    for link in page.split("href=\"").skip(1) {
        let (name, _) = link.split_once('"').unwrap();
        assert!(files.contains_key(name), "{name} is missing");
    }
}

/// Every figure is there twice, and is what its name says.
fn check_figures(files: &BTreeMap<String, Vec<u8>>) {
    let figures: Vec<&String> = files.keys().filter(|name| name.ends_with(".svg")).collect();
    assert!(figures.len() >= 2, "{figures:?}");
    for name in figures {
        let png = files.get(&name.replace(".svg", ".png")).expect("both kinds are written");
        assert!(files[name].starts_with(b"<svg") && png.starts_with(b"\x89PNG"), "{name}");
    }
}

/// The numbers of the table are those of the data.
fn check_numbers(files: &BTreeMap<String, Vec<u8>>, results: &Results, pages: [&str; 2]) {
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let (table, curves) = (text("results.csv"), text("curves.csv"));
    for (of, line) in results.main.variants.iter().zip(table.lines().skip(1)) {
        let name = of.variant.name.replace('"', "\"\"");
        assert!(line.trim_start_matches('"').starts_with(&name), "{line}");
        let end = of.end.unwrap();
        // Two seeds have no interval.
        assert!(line.contains(&format!(",{},{},,,", of.curves.len(), end.mean)), "{line}");
        assert!(pages.iter().all(|page| page.contains(&end.to_string())), "{name}: {end}");
        let ours = curves.lines().filter(|line| line.trim_start_matches('"').starts_with(&name));
        assert!(ours.count() >= of.curves.iter().map(Vec::len).sum::<usize>());
    }
    for finding in &results.findings {
        assert!(text("claims.csv").contains(finding.verdict.name()));
    }
}

#[test]
fn every_experiment_runs_and_is_reported() {
    let gathered = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gathered");
    let _ = std::fs::remove_dir_all(&gathered);
    for included in EXPERIMENTS {
        let runner = runner(included, "whole");
        for scale in ScaleName::ALL {
            runner.experiment.scale(scale).unwrap();
        }
        run(&runner, &|| false);
        let results = Results::read(&runner).unwrap();
        assert!(results.missing.is_empty(), "{:?}", results.missing);
        let files = report(&runner);
        let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
        let (page, summary) = (text("index.html"), text("summary.md"));
        check_links(&files, &page);
        check_figures(&files);
        check_numbers(&files, &results, [&page, &summary]);
        ExperimentReport::new(&runner, &results).write(&gathered.join(included.name)).unwrap();
    }
    check_index(&gathered);
}

/// The index names every experiment and leads to its pages.
fn check_index(folder: &Path) {
    let index = Index::gather(folder).unwrap();
    assert_eq!(index.entries.len(), EXPERIMENTS.len());
    index.write(folder).unwrap();
    for (file, page) in [("index.html", "index.html"), ("README.md", "summary.md")] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        for included in EXPERIMENTS {
            let to = format!("{}/{page}", included.name);
            assert!(text.contains(&to) && folder.join(&to).exists(), "{file} leads to {to}");
        }
    }
}

#[test]
fn an_experiment_stopped_again_and_again_ends_with_the_same_report() {
    let whole = runner(&EXPERIMENTS[0], "undisturbed");
    run(&whole, &|| false);
    let stopped = runner(&EXPERIMENTS[0], "disturbed");
    for patience in [30, 100, 250, 500, usize::MAX] {
        let asked = AtomicUsize::new(0);
        run(&stopped, &|| asked.fetch_add(1, Ordering::Relaxed) > patience);
    }
    assert_eq!(report(&stopped), report(&whole));
}
