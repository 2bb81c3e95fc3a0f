//! A script for Slurm.

use crate::failure::Failure;
use crate::output::Output;
use ludens_experiment::Laboratory;
use std::io::Write;

/// Writes the script: one task of an array for each run.
pub(super) fn write(laboratory: &Laboratory, name: &str, out: &mut Output) -> Result<(), Failure> {
    let (scale, folder) = (laboratory.scale.name(), laboratory.folder.display());
    let last = laboratory.pairs()?.len() - 1;
    Ok(write!(
        out,
        "#!/bin/sh\n\
         #SBATCH --job-name=ludens-{0}\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --cpus-per-task=1\n\
         # When all are done: ludens experiment report '{name}' --scale {scale} --out '{folder}'\n\
         exec ludens experiment run '{name}' --scale {scale} --out '{folder}' \
         --index \"$SLURM_ARRAY_TASK_ID\"\n",
        laboratory.name,
    )?)
}
