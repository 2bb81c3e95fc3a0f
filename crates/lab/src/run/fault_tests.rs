//! Every file operation of a run fails once, or is the last thing that its process does.

use super::tests::{RecordingObserver, assert_same, empty_folder, plan};
use super::*;
use ludens_files::faults::{Fault, inject};
use std::cell::Cell;

/// A run with several checkpoints that is stopped once and resumed, as far as it gets.
pub(super) fn run_in_parts(folder: &RunFolder, plan: &Plan) -> Result<(), RunError> {
    let options = RunOptions {
        save_every: Duration::ZERO,
        retry_every: Duration::from_millis(1),
        ..RunOptions::default()
    };
    let begun = folder.plan().exists();
    let mut run = if begun {
        Run::resume(folder.clone(), None)?
    } else {
        Run::begin(plan.clone(), folder.clone())?
    };
    let left = Cell::new(3_u32);
    let stop = || left.replace(left.get().saturating_sub(1)) == 0;
    let first = run.go(options, &stop, &mut RecordingObserver::default())?;
    drop(run);
    if let Ended::Stopped(_) = first {
        let mut run = Run::resume(folder.clone(), None)?;
        run.go(options, &|| false, &mut RecordingObserver::default())?;
    }
    Ok(())
}

pub(super) fn short_plan() -> Plan {
    Plan { every: 3, sample: 2, ..plan(&["episodes=5", "value.ntuple.count=1"]) }
}

/// Ends a run after a fault, as people do: with the command that began it, or with `--resume`.
pub(super) fn finish_after(folder: &RunFolder, plan: &Plan) {
    if !folder.summary().exists() {
        // A folder in which no run began counts as empty.
        let wanted = Some(folder.path.as_path());
        if !folder.plan().exists() {
            crate::new_folder(wanted, "").unwrap_or_else(|e| panic!("{e}"));
        }
        run_in_parts(folder, plan).unwrap_or_else(|e| panic!("{e}"));
    }
}

fn every_operation_suffers(fault: Fault) {
    let plan = short_plan();
    let whole = empty_folder(&format!("no-{fault:?}"));
    let (ended, operations) = inject(u64::MAX, fault, || run_in_parts(&whole, &plan));
    ended.unwrap();
    assert!(operations > 50, "a run of {operations} operations tests little");
    let damaged = empty_folder(&format!("{fault:?}"));
    for nth in 1..=operations {
        std::fs::remove_dir_all(&damaged.path).unwrap();
        std::fs::create_dir_all(&damaged.path).unwrap();
        let (ended, reached) = inject(nth, fault, || run_in_parts(&damaged, &plan));
        assert!(reached >= nth, "operation {nth} was not reached: {ended:?}");
        finish_after(&damaged, &plan);
        assert_same(&whole, &damaged);
        assert!(damaged.summary_text().exists(), "operation {nth}");
    }
}

#[test]
fn a_run_survives_every_operation_that_fails_once() {
    every_operation_suffers(Fault::Fail);
}

#[test]
fn a_run_survives_a_disk_that_is_full_from_any_operation_on() {
    every_operation_suffers(Fault::FailForever);
}

#[test]
fn a_run_survives_death_at_every_operation() {
    every_operation_suffers(Fault::Die);
}

#[test]
fn a_run_survives_half_a_write_at_every_operation() {
    every_operation_suffers(Fault::Tear);
}

#[test]
fn a_run_survives_a_power_cut_at_every_operation() {
    every_operation_suffers(Fault::PowerCut);
}
