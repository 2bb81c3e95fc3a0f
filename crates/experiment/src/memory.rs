//! As many runs at once as there is memory for.

use crate::{ExperimentRunner, RunKey, RunStatus};
use ludens_core::Invalid;
use ludens_registry::open_game;

/// Bytes that a run takes besides its weights: records, searches, what opponents remember.
const BESIDES: u64 = 128 << 20;

/// The share of the free memory that runs may take, in percent.
const SHARE: u64 = 80;

impl ExperimentRunner {
    /// How many bytes one of the runs is going to take, about.
    ///
    /// # Errors
    ///
    /// If its settings are not possible.
    pub fn memory(&self, pair: &RunKey) -> Result<u64, Invalid> {
        let plan = self.plan(pair)?;
        self.write_records()?;
        let mut training = open_game(&plan.config.game)?.train(&plan.config, plan.seed)?;
        Ok(training.size().bytes + BESIDES)
    }

    /// How many of the runs with these indices fit into the free memory at once, at most `jobs`.
    ///
    /// # Errors
    ///
    /// If not even one of them does, or their settings are not possible.
    pub fn jobs(&self, indices: &[usize], jobs: usize, free: u64) -> Result<usize, Invalid> {
        let pairs = self.pairs()?;
        let waiting = indices.iter().map(|&index| &pairs[index]);
        let mut left: Vec<&RunKey> =
            waiting.filter(|pair| self.progress(pair) != RunStatus::Finished).collect();
        // Runs of one variant take the same.
        left.dedup_by(|a, b| a.variant == b.variant);
        let needs = left.into_iter().map(|pair| Ok((self.memory(pair)?, &pair.variant.name)));
        let needs = needs.collect::<Result<Vec<_>, Invalid>>()?;
        let Some((most, name)) = needs.into_iter().max() else { return Ok(jobs) };
        if most > free {
            return Err(Invalid(format!(
                "{name} needs about {} MB of memory, but only {} MB are free",
                most >> 20,
                free >> 20
            )));
        }
        Ok(((free / 100 * SHARE / most) as usize).clamp(1, jobs.max(1)))
    }
}
