//! Every memory allocation of a run fails once.
//!
//! An allocation that fails ends a Rust program, so each is tried in a process of its own: this
//! test program, called again for the test `child`.

use super::fault_tests::{finish_after, run_in_parts, short_plan};
use super::tests::{assert_same, empty_folder};
use crate::RunFolder;
use ludens_simd::FailingAllocator;
use std::process::{Command, Output};

#[global_allocator]
static ALLOCATOR: FailingAllocator = FailingAllocator::new();

/// Which allocation fails in the test `child`, or 0 for none, and the folder of its run.
const NTH: &str = "LUDENS_FAILING_ALLOCATION";
const FOLDER: &str = "LUDENS_FAILING_RUN";
/// Set to test each allocation, not only one in `STEP`.
const ALL: &str = "LUDENS_ALL_ALLOCATIONS";
/// Unrelated to the number of allocations in a game, so that different ones are hit.
const STEP: usize = 101;
/// What the test `child` prints before the number of its allocations.
const COUNTED: &str = "allocations: ";

/// The run in a process whose `nth` allocation fails.
fn run_in_child(nth: u64, folder: &RunFolder) -> Output {
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    child.args(["--ignored", "--exact", "run::allocation_tests::child", "--nocapture"]);
    child.env(NTH, nth.to_string()).env(FOLDER, &folder.path);
    child.output().expect("this program runs again")
}

#[test]
#[ignore = "called by the test below, as a process of its own"]
fn child() {
    let variable = |name| std::env::var(name).expect("set by the test below");
    let folder = RunFolder { path: variable(FOLDER).into() };
    ALLOCATOR.fail_at(variable(NTH).parse().expect("a number"));
    let (_, allocations) = ALLOCATOR.count(|| run_in_parts(&folder, &short_plan()));
    println!("\n{COUNTED}{allocations}");
}

/// The number of allocations of the whole run.
fn count_allocations(folder: &RunFolder) -> u64 {
    let output = run_in_child(0, folder);
    let printed = String::from_utf8_lossy(&output.stdout);
    let counted = printed.lines().find_map(|line| line.strip_prefix(COUNTED));
    counted.unwrap_or_else(|| panic!("{output:?}")).parse().expect("a number")
}

#[test]
fn a_run_survives_each_allocation_that_fails() {
    let (whole, damaged) = (empty_folder("no-allocation"), empty_folder("allocation"));
    let allocations = count_allocations(&whole);
    let step = if std::env::var_os(ALL).is_some() { 1 } else { STEP };
    let (mut aborted, mut tried) = (0, 0);
    for nth in (1..=allocations).step_by(step) {
        std::fs::remove_dir_all(&damaged.path).unwrap();
        std::fs::create_dir_all(&damaged.path).unwrap();
        let output = run_in_child(nth, &damaged);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || told.contains("memory allocation"), "{nth}: {told}");
        aborted += u64::from(!output.status.success());
        tried += 1;
        finish_after(&damaged, &short_plan());
        assert_same(&whole, &damaged);
    }
    println!("{aborted} of {tried} failures ended the process; {allocations} allocations in all");
    assert!(aborted * 2 > tried, "only {aborted} of {tried} failures ended the process");
}
