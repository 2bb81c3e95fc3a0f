//! A script for Slurm.

use crate::console::Console;
use crate::failure::Failure;
use ludens_experiment::ExperimentRunner;
use std::io::Write;

/// Writes the script: one task of an array for each run.
pub(super) fn write(
    runner: &ExperimentRunner,
    name: &str,
    out: &mut Console,
) -> Result<(), Failure> {
    let (job, scale) = (plain(&runner.name), runner.scale.name());
    let (name, folder) = (quoted(name), quoted(&runner.folder.display().to_string()));
    let last = runner.pairs()?.len() - 1;
    Ok(write!(
        out,
        "#!/bin/sh\n\
         #SBATCH --job-name=ludens-{job}\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --cpus-per-task=1\n\
         # When all are done: ludens experiment report {name} --scale {scale} --out {folder}\n\
         exec ludens experiment run {name} --scale {scale} --out {folder} \
         --index \"$SLURM_ARRAY_TASK_ID\"\n",
    )?)
}

/// One word to the shell, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A name that Slurm takes as it is: it reads quotes and spaces in its own way.
fn plain(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c), "-")
}
