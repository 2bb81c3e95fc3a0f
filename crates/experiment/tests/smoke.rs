//! Every experiment that comes with Ludens runs, is reported, and survives a stop.

#![allow(clippy::unwrap_used)]

use ludens_experiment::{EXPERIMENTS, Included, Laboratory, Report, Results, ScaleName, Watcher};
use ludens_lab::Stage;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Nobody;

impl Watcher for Nobody {
    fn progress(&self, _: usize, _: &Stage) {}
    fn warn(&self, _: usize, what: &str) {
        panic!("{what}");
    }
    fn ended(&self, _: usize, result: Result<(), &str>) {
        result.unwrap();
    }
}

fn laboratory(included: &Included, name: &str) -> Laboratory {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join(included.name);
    let _ = std::fs::remove_dir_all(&folder);
    let experiment = included.experiment();
    Laboratory { name: included.name.into(), experiment, scale: ScaleName::Smoke, folder }
}

fn run(laboratory: &Laboratory, stop: &(dyn Fn() -> bool + Sync)) {
    let all: Vec<usize> = (0..laboratory.pairs().unwrap().len()).collect();
    laboratory.run(&all, 2, stop, &Nobody).unwrap();
}

fn report(laboratory: &Laboratory) -> Vec<(PathBuf, String)> {
    let results = Results::read(laboratory).unwrap();
    let written = Report::new(laboratory, &results).write(laboratory).unwrap();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.file_name().unwrap().into(), text)
    };
    written.into_iter().map(read).collect()
}

#[test]
fn every_experiment_runs_and_is_reported() {
    for included in EXPERIMENTS {
        let laboratory = laboratory(included, "whole");
        for scale in ScaleName::ALL {
            laboratory.experiment.scale(scale).unwrap();
        }
        run(&laboratory, &|| false);
        let results = Results::read(&laboratory).unwrap();
        assert!(results.missing.is_empty(), "{:?}", results.missing);
        let files = report(&laboratory);
        let text = |name: &str| {
            &files.iter().find(|(path, _)| path == Path::new(name)).expect("it is written").1
        };
        let page = text("index.html");
        assert!(page.contains("<svg") && !page.contains("http-equiv") && !page.contains("src="));
        for of in &results.variants {
            let mean = format!("{:.3} (", of.end.unwrap().mean);
            assert!(page.contains(&mean) && text("summary.md").contains(&mean), "{mean}");
            let figures = of.curves.iter().map(Vec::len).sum::<usize>();
            let name = of.variant.name.replace('"', "\"\"");
            let lines = text("curves.csv").lines();
            let ours = lines.filter(|line| line.trim_start_matches('"').starts_with(&name));
            assert!(ours.count() >= figures);
        }
        for figure in ["curves.svg", "curves.csv", "results.csv"] {
            assert!(!text(figure).is_empty());
        }
    }
}

#[test]
fn an_experiment_stopped_again_and_again_ends_with_the_same_report() {
    let whole = laboratory(&EXPERIMENTS[0], "undisturbed");
    run(&whole, &|| false);
    let stopped = laboratory(&EXPERIMENTS[0], "disturbed");
    for patience in [30, 100, 250, 500, usize::MAX] {
        let asked = AtomicUsize::new(0);
        run(&stopped, &|| asked.fetch_add(1, Ordering::Relaxed) > patience);
    }
    assert_eq!(report(&stopped), report(&whole));
}
