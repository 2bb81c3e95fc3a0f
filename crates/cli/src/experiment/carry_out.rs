//! Running what is not finished.

use super::display::Display;
use crate::failure::Failure;
use crate::interrupt::{cancel_soon_after_interrupt, stop_on_interrupt};
use ludens_core::Invalid;
use ludens_experiment::ExperimentRunner;
use ludens_lab::free_memory;
use std::sync::atomic::Ordering;

fn with_hint(error: Invalid) -> Failure {
    let too_large = error.0.contains("MB are available");
    let failure = Failure::from(error);
    if too_large { failure.with_hint("--force starts it nonetheless") } else { failure }
}

/// Runs what is not finished, until everything is or the user wants to stop.
pub(crate) fn carry_out(
    runner: &ExperimentRunner,
    indices: &[usize],
    jobs: usize,
    force: bool,
) -> Result<(), Failure> {
    let pairs = runner.pairs()?;
    let fitting = match free_memory().filter(|_| !force) {
        Some(free) => runner.jobs(indices, jobs, free).map_err(with_hint)?,
        None => jobs,
    };
    if fitting < jobs.min(indices.len()) {
        eprintln!("memory is short: {fitting} at a time instead of {jobs}");
    }
    let stop = stop_on_interrupt();
    let stopped = || stop.load(Ordering::Relaxed);
    let display = Display::new(&pairs, indices);
    let run = || runner.run(indices, fitting, &stopped, &display);
    cancel_soon_after_interrupt().scope(run)?;
    let failed = display.failed();
    drop(display);
    if stopped() {
        let hint = "the same command continues where this one stopped";
        return Err(Failure::interrupted("Stopped; all runs are saved.").with_hint(hint));
    }
    if failed == indices.len() {
        return Err(Failure::failed("every run has failed"));
    }
    Ok(())
}
