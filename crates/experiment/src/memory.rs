//! As many parallel runs as fit into memory.

use crate::{ExperimentRunner, RunKey, RunStatus};
use ludens_core::Invalid;
use ludens_registry::open_game;

/// The memory of a run besides its weights: records, searches, opponents' caches.
const BESIDES: u64 = 128 << 20;

/// The share of the free memory that runs may take, in percent.
const SHARE: u64 = 80;

impl ExperimentRunner {
    /// The approximate memory of a run in bytes.
    ///
    /// # Errors
    ///
    /// If its settings are not possible.
    pub fn memory(&self, pair: &RunKey) -> Result<u64, Invalid> {
        let plan = self.plan(pair)?;
        self.write_records()?;
        let weights = open_game(&plan.config.game)?.training_bytes(&plan.config, plan.seed)?;
        Ok(weights.saturating_add(BESIDES))
    }

    /// The number of these runs that fit into the free memory in parallel, at most `jobs`.
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
                "{name} needs about {} MB of memory, but only {} MB are available",
                most >> 20,
                free >> 20
            )));
        }
        Ok(((free / 100 * SHARE / most) as usize).clamp(1, jobs.max(1)))
    }
}
