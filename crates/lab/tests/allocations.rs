//! A run survives every allocation that fails: it ends, and resumes to the same bytes.
//!
//! An allocation that fails ends a Rust program, so each is tried in a process of its own: this
//! test program, called again for the test `child`.

use ludens_lab::{
    EvaluationPlan, Layers, Metrics, Observer, Plan, Run, RunError, RunFolder, RunOptions,
    TrainingProgress, new_folder,
};
use ludens_simd::FailingAllocator;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: FailingAllocator = FailingAllocator::new();

/// Which allocation fails in the test `child`, and the folder of its run.
const NTH: &str = "LUDENS_FAILING_ALLOCATION";
const FOLDER: &str = "LUDENS_FAILING_RUN";
/// Set to test each allocation, not only one in `STEP`.
const ALL: &str = "LUDENS_ALL_ALLOCATIONS";
/// Unrelated to the number of allocations in a game, so that different ones are hit.
const STEP: usize = 101;

struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _: &TrainingProgress) {}
    fn line(&mut self, _: &Metrics) {}
    fn warn(&mut self, _: &str) {}
}

fn plan() -> Plan {
    let mut layers = Layers::default();
    let settings = ["game=tictactoe", "episodes=5", "value.ntuple.count=1", "step=tcl"];
    settings.iter().for_each(|setting| layers.set(setting).expect("a setting"));
    let evaluation = Some(EvaluationPlan { protocol: "random".into(), games: Some(2) });
    let config = layers.config().expect("a configuration");
    Plan { every: 3, sample: 2, evaluation, ..Plan::new(config, 5) }
}

/// Begins the run in the folder or resumes it, and stops it once on its way to the end.
fn run_in_parts(folder: &RunFolder) -> Result<(), RunError> {
    let options = || RunOptions { save_every: Duration::ZERO, ..RunOptions::default() };
    let mut run = if folder.plan().exists() {
        Run::resume(folder.clone(), None)?
    } else {
        Run::begin(plan(), folder.clone())?
    };
    let left = Cell::new(3_u32);
    let stop = || left.replace(left.get().saturating_sub(1)) == 0;
    run.go(options(), &stop, &mut Silent)?;
    drop(run);
    if !folder.summary().exists() {
        Run::resume(folder.clone(), None)?.go(options(), &|| false, &mut Silent)?;
    }
    Ok(())
}

fn empty_folder(name: &str) -> RunFolder {
    let name = format!("ludens-allocations-{}-{name}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    RunFolder { path }
}

fn bytes(folder: &RunFolder) -> Vec<(PathBuf, Vec<u8>)> {
    let files = [folder.metrics(), folder.games(), folder.value(), folder.best(), folder.summary()];
    let name = |path: &Path| path.file_name().expect("a name").into();
    let read = |path: &Path| fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    files.map(|path| (name(&path), read(&path))).into()
}

/// The run in a process whose `nth` allocation fails.
fn run_with_failure(nth: u64, folder: &RunFolder) -> Output {
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    child.args(["--ignored", "--exact", "child", "--nocapture"]);
    child.env(NTH, nth.to_string()).env(FOLDER, &folder.path);
    child.output().expect("this program runs again")
}

#[test]
#[ignore = "called by the test below, as a process of its own"]
fn child() {
    let variable = |name| std::env::var(name).expect("set by the test below");
    let folder = RunFolder { path: variable(FOLDER).into() };
    ALLOCATOR.fail_at(variable(NTH).parse().expect("a number"));
    let _ = run_in_parts(&folder);
}

#[test]
fn a_run_survives_each_allocation_that_fails() {
    let whole = empty_folder("whole");
    let (ended, allocations) = ALLOCATOR.count(|| run_in_parts(&whole));
    ended.expect("nothing fails here");
    let expected = bytes(&whole);
    let step = if std::env::var_os(ALL).is_some() { 1 } else { STEP };
    let (folder, mut aborted, mut tried) = (empty_folder("damaged"), 0, 0);
    for nth in (1..=allocations).step_by(step) {
        fs::remove_dir_all(&folder.path).expect("our own folder");
        fs::create_dir_all(&folder.path).expect("a folder");
        let output = run_with_failure(nth, &folder);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || told.contains("memory allocation"), "{nth}: {told}");
        aborted += u64::from(!output.status.success());
        tried += 1;
        if !folder.summary().exists() {
            if !folder.plan().exists() {
                // A folder in which no run began counts as empty.
                new_folder(Some(&folder.path), "").unwrap_or_else(|e| panic!("{nth}: {e}"));
            }
            run_in_parts(&folder).unwrap_or_else(|e| panic!("allocation {nth}: {e}"));
        }
        assert!(bytes(&folder) == expected, "other bytes after allocation {nth} failed");
    }
    [whole, folder].iter().for_each(|folder| drop(fs::remove_dir_all(&folder.path)));
    println!("{aborted} of {tried} failures ended the process; {allocations} allocations in all");
    assert!(aborted * 2 > tried, "only {aborted} of {tried} failures ended the process");
}
