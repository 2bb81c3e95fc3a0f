//! Which runs belong to an experiment, and how many fit into the machine at once.

#![allow(clippy::unwrap_used)]

use ludens_experiment::{
    Experiment, ExperimentObserver, ExperimentReport, ExperimentRunner, Results, RunStatus,
    ScaleName,
};
use ludens_lab::TrainingProgress;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const TEXT: &str = r#"
title = "Two rates"
source = "nowhere"
about = "Two rates."
game = "tictactoe"
preset = "default"
evaluation = "random:4"

[[variants]]
name = "fast"
set = ["learner.alpha=0.5"]

[[variants]]
name = "slow"

[scales.smoke]
seeds = 1
episodes = 10
every = 5
"#;

fn runner(folder: &str, text: &str) -> ExperimentRunner {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("laboratory").join(folder);
    ExperimentRunner {
        name: "rates".into(),
        experiment: Experiment::parse("rates", text).unwrap(),
        scale: ScaleName::Smoke,
        folder,
        command: "none".into(),
    }
}

fn fresh(folder: &str) -> ExperimentRunner {
    let runner = runner(folder, TEXT);
    let _ = std::fs::remove_dir_all(&runner.folder);
    runner
}

/// Remembers why runs failed.
#[derive(Default)]
struct Failures(Mutex<Vec<String>>);

impl ExperimentObserver for Failures {
    fn progress(&self, _: usize, _: &TrainingProgress) {}

    fn warn(&self, _: usize, what: &str) {
        panic!("{what}");
    }

    fn ended(&self, _: usize, result: Result<(), &str>) {
        if let Err(reason) = result {
            self.0.lock().unwrap().push(reason.into());
        }
    }
}

fn run(runner: &ExperimentRunner) -> Vec<String> {
    let failures = Failures::default();
    let all: Vec<usize> = (0..runner.pairs().unwrap().len()).collect();
    runner.run(&all, 1, &|| false, &failures).unwrap();
    failures.0.into_inner().unwrap()
}

#[test]
fn a_run_with_other_settings_is_not_ours() {
    let before = fresh("other");
    assert!(run(&before).is_empty());
    let changes = [
        ("episodes = 10", "episodes = 20", "episodes is 10, but 20 is wanted"),
        ("every = 5", "every = 10", "every is 5, but 10 is wanted"),
        ("random:4", "random:6", "evaluation.games is 4, but 6 is wanted"),
        ("random:4", "max-n", "evaluation.protocol is random, but max-n is wanted"),
        ("alpha=0.5", "alpha=0.25", "learner.alpha is 0.5, but 0.25 is wanted"),
    ];
    for (from, to, told) in changes {
        let after = runner("other", &TEXT.replace(from, to));
        let pair = &after.pairs().unwrap()[0];
        let RunStatus::Failed(reason) = after.progress(pair) else { panic!("{to}: not ours") };
        assert!(reason.ends_with(told), "{reason}");
        assert_eq!(run(&after)[0], reason);
        assert!(Results::read(&after).unwrap().missing[0].ends_with(told));
    }
    // Nothing was overwritten or marked as failed.
    let all = before.pairs().unwrap();
    assert!(all.iter().all(|pair| before.progress(pair) == RunStatus::Finished));
}

#[test]
fn results_are_kept_by_protocol_and_pairs_are_compared_from_five_seeds_on() {
    let text = TEXT.replace("\"random:4\"", "[\"random:4\", \"max-n:4\"]");
    let few = runner("protocols-few", &text);
    let _ = std::fs::remove_dir_all(&few.folder);
    assert!(run(&few).is_empty());
    assert!(Results::read(&few).unwrap().main.comparisons.is_empty());
    let seeds = text.lines().find(|line| line.starts_with("seeds")).unwrap();
    let two = "[[variants]]\nname = \"other\"\n\n[scales.smoke]";
    let text = text.replace(seeds, "seeds = 5").replace("[scales.smoke]", two);
    let several = runner("protocols", &text);
    let _ = std::fs::remove_dir_all(&several.folder);
    assert!(run(&several).is_empty());
    let results = Results::read(&several).unwrap();
    let protocols: Vec<&str> = results.by_protocol().map(|by| &by.protocol[..]).collect();
    assert_eq!(protocols, ["random", "max-n"]);
    for by in results.by_protocol() {
        let variants = by.variants.len();
        // Every pair, at the end and over training.
        assert_eq!(by.comparisons.len(), variants * (variants - 1));
        assert!(by.variants.iter().all(|of| of.end.unwrap().interval.is_some()));
    }
    let written = ExperimentReport::new(&several, &results).write(&several.folder).unwrap();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let names: Vec<String> = written.iter().map(name).collect();
    for wanted in ["comparisons.csv", "comparisons-max-n.csv", "curves-max-n.svg", "end-max-n.png"]
    {
        assert!(names.iter().any(|name| name == wanted), "{wanted}: {names:?}");
    }
}

#[test]
fn a_run_of_another_experiment_in_the_same_folder_is_not_ours() {
    let ours = fresh("another");
    assert!(run(&ours).is_empty());
    let theirs = TEXT.replace("game = \"tictactoe\"", "game = \"nimm3\"");
    let theirs = runner("another", &theirs.replace("random:4", "max-n"));
    let failures = run(&theirs);
    assert_eq!(failures.len(), 2);
    assert!(failures[0].contains("evaluation.protocol is random"), "{failures:?}");
}

#[test]
fn a_run_that_somebody_else_is_at_work_on_has_not_failed() {
    let runner = fresh("busy");
    let pair = &runner.pairs().unwrap()[0];
    let folder = runner.run_folder(pair).path;
    std::fs::create_dir_all(&folder).unwrap();
    let lock = std::fs::File::create(folder.join(".lock")).unwrap();
    lock.lock().unwrap();
    let failures = run(&runner);
    assert_eq!(failures.len(), 1);
    assert!(failures[0].starts_with("another ludens is at work in "), "{failures:?}");
    assert_eq!(runner.progress(pair), RunStatus::Waiting);
    drop(lock);
    assert!(run(&runner).is_empty());
    assert_eq!(runner.progress(pair), RunStatus::Finished);
}

#[test]
fn no_more_runs_at_once_than_memory_holds() {
    let runner = fresh("memory");
    let need = runner.memory(&runner.pairs().unwrap()[0]).unwrap();
    let jobs = |free: u64| runner.jobs(&[0, 1], 8, free);
    assert_eq!(jobs(need).unwrap(), 1);
    assert_eq!(jobs(6 * need).unwrap(), 4, "a fifth is left for others");
    assert_eq!(jobs(100 * need).unwrap(), 8);
    let refused = jobs(need / 2).unwrap_err().to_string();
    assert!(refused.contains("needs about") && refused.contains("MB are available"), "{refused}");
    assert!(run(&runner).is_empty());
    assert_eq!(jobs(1).unwrap(), 8, "what is finished needs nothing");
}
