use super::*;
use crate::read_metrics;
use crate::{EvaluationPlan, Layers};
use std::cell::Cell;
use std::path::PathBuf;

/// Records everything that the run reports.
#[derive(Default)]
pub(super) struct RecordingObserver {
    lines: Vec<u64>,
    warnings: Vec<String>,
}

impl Observer for RecordingObserver {
    fn progress(&mut self, _: &TrainingProgress) {}

    fn line(&mut self, line: &Metrics) {
        self.lines.push(line.episode);
    }

    fn warn(&mut self, what: &str) {
        self.warnings.push(what.into());
    }
}

pub(super) fn empty_folder(name: &str) -> RunFolder {
    let path = std::env::temp_dir().join(format!("ludens-run-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    RunFolder { path }
}

pub(super) fn plan(settings: &[&str]) -> Plan {
    let mut layers = Layers::default();
    let usual = ["game=tictactoe", "episodes=400", "value.ntuple.count=4", "step=tcl"];
    usual.iter().chain(settings).for_each(|setting| layers.set(setting).unwrap());
    let evaluation = Some(EvaluationPlan { protocol: "random".into(), games: Some(20) });
    Plan { every: 100, sample: 7, evaluation, ..Plan::new(layers.config().unwrap(), 5) }
}

/// Runs until the end, stopping and resuming after each of these numbers of episodes.
fn run(folder: &RunFolder, plan: &Plan, stops: &[u64]) -> Summary {
    let mut run = Run::begin(plan.clone(), folder.clone()).unwrap();
    for &episodes in stops {
        let left = Cell::new(episodes);
        let stop = || left.replace(left.get().saturating_sub(1)) == 0;
        let ended =
            run.go(RunOptions::default(), &stop, &mut RecordingObserver::default()).unwrap();
        assert!(matches!(ended, Ended::Stopped(_)));
        drop(run);
        run = Run::resume(folder.clone(), None).unwrap();
    }
    match run.go(RunOptions::default(), &|| false, &mut RecordingObserver::default()).unwrap() {
        Ended::Finished(summary) => *summary,
        Ended::Stopped(at) => panic!("stopped at {at}"),
    }
}

fn reproducible(folder: &RunFolder) -> Vec<(PathBuf, Vec<u8>)> {
    let files = [folder.metrics(), folder.games(), folder.value(), folder.best(), folder.summary()];
    let read = |path: PathBuf| (path.file_name().unwrap().into(), std::fs::read(&path).unwrap());
    files.into_iter().map(read).collect()
}

pub(super) fn assert_same(a: &RunFolder, b: &RunFolder) {
    for ((name, a), (_, b)) in reproducible(a).into_iter().zip(reproducible(b)) {
        assert!(a == b, "{} differs", name.display());
    }
}

#[test]
fn a_run_may_be_measured_by_several_protocols() {
    let (folder, one) = (empty_folder("several"), empty_folder("one"));
    let protocols = ["random:20", "max-n:20"].map(|text| EvaluationPlan::parse(text).unwrap());
    let summary = run(&folder, &plan(&[]).measured_by(protocols.to_vec()), &[150]);
    assert_eq!(summary.also[0].protocol, "max-n");
    let lines = read_metrics(&folder.metrics()).unwrap();
    assert!(lines.iter().all(|line| line.evaluations().count() == 2));
    // A further protocol changes neither what is learned nor the first figure.
    let alone = run(&one, &plan(&[]), &[]);
    assert_eq!(alone.last, summary.last);
    let weights = |folder: &RunFolder| {
        let mut file = ValueFile::open(folder.value()).unwrap();
        file.numbers("weights").unwrap()
    };
    assert_eq!(weights(&one), weights(&folder));
    let text = std::fs::read_to_string(folder.summary_text()).unwrap();
    assert!(text.contains("\nrandom: ") && text.contains("\nmax-n: "), "{text}");
}

#[test]
fn a_run_leaves_everything_behind() {
    let folder = empty_folder("whole");
    let summary = run(&folder, &plan(&[]), &[]);
    assert_eq!((summary.episodes, summary.last.is_some()), (400, true));
    let curve = read_metrics(&folder.metrics()).unwrap();
    assert_eq!(curve.iter().map(|l| l.episode).collect::<Vec<_>>(), [0, 100, 200, 300, 400]);
    assert_eq!(curve.iter().map(|l| l.episodes).sum::<u64>(), 400);
    let games = std::fs::read_to_string(folder.games()).unwrap();
    assert_eq!(games.lines().count(), 58);
    games.lines().for_each(|line| drop(Record::parse(line).unwrap()));
    assert!(!folder.checkpoint().exists());
    assert!(std::fs::read_to_string(folder.summary_text()).unwrap().contains("400 episodes"));
    assert_eq!(std::fs::read_to_string(folder.times()).unwrap().lines().count(), 5);
}

#[test]
fn the_same_seed_gives_the_same_bytes_however_often_it_was_stopped() {
    let (whole, stopped) = (empty_folder("never"), empty_folder("often"));
    run(&whole, &plan(&[]), &[]);
    run(&stopped, &plan(&[]), &[0, 1, 99, 100, 57]);
    assert_same(&whole, &stopped);
}

#[test]
fn the_value_of_the_highest_evaluation_is_kept() {
    let folder = empty_folder("best");
    let summary = run(&folder, &plan(&["explore.epsilon.rate=1.0"]), &[250]);
    let (episode, evaluation) = summary.best.expect("it was measured");
    let file = ValueFile::open(folder.best()).unwrap();
    assert_eq!(file.number("episode").unwrap(), episode);
    assert_eq!(file.text("evaluation").unwrap(), format!("random {}", evaluation.figure));
    assert_eq!(summary.best_file.as_deref(), Some("best.safetensors"));
}

#[test]
fn the_best_value_is_not_kept_if_nobody_wants_it() {
    let folder = empty_folder("no-best");
    let options = RunOptions { keep_best: false, ..RunOptions::default() };
    let mut run = Run::begin(plan(&[]), folder.clone()).unwrap();
    let ended = run.go(options, &|| false, &mut RecordingObserver::default()).unwrap();
    let Ended::Finished(summary) = ended else { panic!("it was stopped") };
    assert!(summary.best.is_some() && summary.best_file.is_none() && !folder.best().exists());
}

#[test]
fn lines_written_after_the_last_save_are_forgotten() {
    let (whole, killed) = (empty_folder("alive"), empty_folder("killed"));
    run(&whole, &plan(&[]), &[]);
    let mut first = Run::begin(plan(&[]), killed.clone()).unwrap();
    let left = Cell::new(150);
    let stop = || left.replace(left.get() - 1) == 0;
    first.go(RunOptions::default(), &stop, &mut RecordingObserver::default()).unwrap();
    // It goes on for a while and is killed: nothing of that is in the checkpoint.
    let saved = std::fs::read(killed.checkpoint()).unwrap();
    left.set(120);
    first.go(RunOptions::default(), &stop, &mut RecordingObserver::default()).unwrap();
    drop(first);
    std::fs::write(killed.checkpoint(), saved).unwrap();
    // It was about to be saved again.
    let draft = killed.path.join(".checkpoint.safetensors.0123456789abcdef.tmp");
    std::fs::write(&draft, "half").unwrap();
    let mut second = Run::resume(killed.clone(), None).unwrap();
    second.go(RunOptions::default(), &|| false, &mut RecordingObserver::default()).unwrap();
    assert_same(&whole, &killed);
    assert!(!draft.exists());
}

#[test]
fn a_run_killed_before_it_was_saved_begins_anew() {
    let (whole, killed) = (empty_folder("good"), empty_folder("early"));
    run(&whole, &plan(&[]), &[]);
    drop(Run::begin(plan(&[]), killed.clone()).unwrap());
    std::fs::write(killed.metrics(), "{\"half").unwrap();
    let mut run = Run::resume(killed.clone(), None).unwrap();
    run.go(RunOptions::default(), &|| false, &mut RecordingObserver::default()).unwrap();
    assert_same(&whole, &killed);
}

#[test]
fn a_finished_run_goes_on_only_to_more_episodes() {
    let folder = empty_folder("more");
    run(&folder, &plan(&[]), &[]);
    let last_report = |episodes| match Run::resume(folder.clone(), episodes) {
        Ok(_) => panic!("there is nothing left to do"),
        Err(e) => e.to_string(),
    };
    assert!(last_report(None).contains("is finished: it has trained for 400 episodes"));
    assert!(last_report(Some(300)).contains("is finished"));
    let mut longer = Run::resume(folder.clone(), Some(500)).unwrap();
    longer.go(RunOptions::default(), &|| false, &mut RecordingObserver::default()).unwrap();
    assert_eq!(read_metrics(&folder.metrics()).unwrap().last().unwrap().episode, 500);
    assert_eq!(folder.read_plan().unwrap().config.episodes, 500);
}

#[test]
fn a_changed_plan_and_a_second_process_are_refused() {
    let folder = empty_folder("changed");
    let first = Run::begin(plan(&[]), folder.clone()).unwrap();
    let second = Run::resume(folder.clone(), None).err().unwrap().to_string();
    assert!(second.starts_with("another ludens is at work in "), "{second}");
    drop(first);
    run(&folder, &plan(&[]), &[]);
    let text = std::fs::read_to_string(folder.plan()).unwrap();
    std::fs::write(folder.plan(), text.replace("gamma = 1.0", "gamma = 0.5")).unwrap();
    let last_report = Run::resume(folder.clone(), Some(500)).err().unwrap().to_string();
    assert!(last_report.contains("was changed: learner.gamma was 1 and is 0.5"), "{last_report}");
    let nothing = Run::resume(empty_folder("nothing"), None).err().unwrap().to_string();
    assert!(nothing.contains("holds no run"), "{nothing}");
}

#[test]
fn a_run_survives_that_it_cannot_be_saved() {
    let folder = empty_folder("unsaved");
    let mut run = Run::begin(plan(&[]), folder.clone()).unwrap();
    // A folder in place of the file: nothing can be renamed to it.
    std::fs::create_dir_all(folder.checkpoint().join("x")).unwrap();
    let (options, mut diary) = (
        RunOptions { save_every: Duration::ZERO, ..RunOptions::default() },
        RecordingObserver::default(),
    );
    let ended = run.go(options, &|| false, &mut diary).unwrap();
    assert!(matches!(ended, Ended::Finished(_)));
    assert!(diary.warnings[0].contains("could not be saved"), "{:?}", diary.warnings[0]);
    assert_eq!(diary.lines, [0, 100, 200, 300, 400]);
}

#[test]
fn errors_without_bounds_end_the_run_with_the_reason() {
    let settings = ["learner.alpha=1e30", "value.ntuple.output=none", "step=constant"];
    let mut run = Run::begin(plan(&settings), empty_folder("wild")).unwrap();
    let last_report = run
        .go(RunOptions::default(), &|| false, &mut RecordingObserver::default())
        .unwrap_err()
        .to_string();
    assert!(last_report.contains("a smaller learner.alpha may help"), "{last_report}");
}

#[test]
fn a_run_killed_before_its_summary_was_written_ends_as_if_it_had_not_been() {
    let (whole, killed) = (empty_folder("summarised"), empty_folder("unsummarised"));
    run(&whole, &plan(&[]), &[]);
    run(&killed, &plan(&[]), &[]);
    std::fs::remove_file(killed.summary()).unwrap();
    let mut run = Run::resume(killed.clone(), None).unwrap();
    let ended =
        run.go(RunOptions::default(), &|| false, &mut RecordingObserver::default()).unwrap();
    assert!(matches!(ended, Ended::Finished(_)));
    assert_same(&whole, &killed);
    assert!(Run::resume(killed, None).is_err(), "now it is finished");
}

fn refusal(resumed: Result<Run, RunError>) -> String {
    resumed.err().expect("it is refused").to_string()
}

/// A run that was stopped after its checkpoint.
fn stopped(name: &str) -> RunFolder {
    let folder = empty_folder(name);
    let mut run = Run::begin(plan(&[]), folder.clone()).unwrap();
    let left = Cell::new(150);
    let stop = || left.replace(left.get() - 1) == 0;
    run.go(RunOptions::default(), &stop, &mut RecordingObserver::default()).unwrap();
    folder
}

#[test]
fn every_line_of_a_changed_plan_is_noticed() {
    let folder = stopped("plan-changed");
    let good = std::fs::read_to_string(folder.plan()).unwrap();
    let resumed_with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from} in {good}");
        std::fs::write(folder.plan(), good.replacen(from, to, 1)).unwrap();
        refusal(Run::resume(folder.clone(), None))
    };
    let told = resumed_with("sample = 7", "sample = 9");
    assert!(told.contains("was changed: sample was 7 and is 9; a run resumes only"), "{told}");
    let told = resumed_with("every = 100", "every = 50");
    assert!(told.contains("was changed: every was 100 and is 50"), "{told}");
    // These do not change what is learned, but what is said about it.
    for (from, to) in [("episodes = 400", "episodes = 4000"), ("cores = ", "cores = 9")] {
        let told = resumed_with(from, to);
        assert!(told.contains("was changed or is damaged: the CRC-32"), "{told}");
    }
    std::fs::write(folder.plan(), &good).unwrap();
    assert!(Run::resume(folder, None).is_ok());
}

#[test]
fn every_changed_byte_of_the_plan_and_of_the_logs_is_noticed() {
    let folder = stopped("bytes-changed");
    for path in [folder.plan(), folder.metrics(), folder.games()] {
        let good = std::fs::read(&path).unwrap();
        // The checksum of a plan is its last line.
        let lines = good.len() - if path == folder.plan() { 39 } else { 0 };
        for at in (0..lines).step_by(1 + lines / 60) {
            let mut changed = good.clone();
            changed[at] ^= 1;
            std::fs::write(&path, changed).unwrap();
            let told = Run::resume(folder.clone(), None).map(drop);
            assert!(told.is_err(), "byte {at} of {}", path.display());
        }
        std::fs::write(&path, good).unwrap();
    }
    assert!(Run::resume(folder, None).is_ok());
}

#[test]
fn a_folder_with_a_lock_and_drafts_only_is_empty() {
    let folder = empty_folder("leftovers");
    std::fs::write(folder.path.join(".lock"), "").unwrap();
    std::fs::write(folder.path.join(".run.toml.0123456789abcdef.tmp"), "ludens = ").unwrap();
    let again = crate::new_folder(Some(&folder.path), "").unwrap();
    run(&again, &plan(&[]), &[]);
    let other = empty_folder("letters");
    std::fs::write(other.path.join("letter.txt"), "dear").unwrap();
    let told = crate::new_folder(Some(&other.path), "").unwrap_err().to_string();
    assert!(told.ends_with("is not empty"), "{told}");
}

#[test]
fn the_summary_for_programs_is_written_last() {
    let folder = empty_folder("last");
    run(&folder, &plan(&[]), &[]);
    let written = |path: PathBuf| std::fs::metadata(path).unwrap().modified().unwrap();
    assert!(written(folder.summary_text()) <= written(folder.summary()));
    // Without it, the text is written again, whatever became of it.
    std::fs::remove_file(folder.summary()).unwrap();
    std::fs::remove_file(folder.summary_text()).unwrap();
    let mut run = Run::resume(folder.clone(), None).unwrap();
    run.go(RunOptions::default(), &|| false, &mut RecordingObserver::default()).unwrap();
    assert!(folder.summary_text().exists() && folder.summary().exists());
}

#[test]
fn a_run_that_goes_on_for_longer_is_not_finished_meanwhile() {
    let folder = empty_folder("longer");
    run(&folder, &plan(&[]), &[]);
    drop(Run::resume(folder.clone(), Some(500)).unwrap());
    assert!(!folder.summary().exists(), "the summary of 400 episodes would end it at 500");
}

#[test]
fn a_run_whose_folder_is_deleted_ends_with_the_reason() {
    let folder = empty_folder("deleted");
    let mut run = Run::begin(plan(&[]), folder.clone()).unwrap();
    std::fs::remove_dir_all(&folder.path).unwrap();
    let options = RunOptions { retry_every: Duration::from_secs(60), ..RunOptions::default() };
    let begun = Instant::now();
    let told = run.go(options, &|| false, &mut RecordingObserver::default());
    let told = told.unwrap_err().to_string();
    assert!(told.contains("is gone: it was deleted or renamed"), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(30), "nothing to wait for");
}

#[test]
fn a_lasting_failure_to_save_is_told_once() {
    let folder = empty_folder("told-once");
    let mut run = Run::begin(plan(&[]), folder.clone()).unwrap();
    std::fs::create_dir_all(folder.checkpoint().join("x")).unwrap();
    let options = RunOptions { save_every: Duration::ZERO, ..RunOptions::default() };
    let mut diary = RecordingObserver::default();
    run.go(options, &|| false, &mut diary).unwrap();
    assert_eq!(diary.warnings.len(), 1, "{:?}", diary.warnings);
}
