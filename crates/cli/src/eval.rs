//! `ludens eval`: how well a learned value plays.

use crate::console::Console;
use crate::failure::Failure;
use crate::measure::ProtocolArgs;
use crate::value_arg::{ValueArg, greedy};
use ludens_lab::{EvaluationPlan, RunFolder, default_evaluations};
use ludens_registry::AnyGame;
use std::io::Write;
use std::path::Path;

/// Measures how well a learned value plays.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens eval runs/tictactoe-default-1
  ludens eval runs/connect4-default-1/value.safetensors --protocol solved --threads 2
  ludens eval runs/tictactoe-default-1 --protocol random --games 100 --json

Without --protocol, the value is measured as during its training, by each protocol in turn.")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    value: ValueArg,

    #[command(flatten)]
    by: ProtocolArgs,
}

impl EvalArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let (file, game) = self.value.open()?;
        let agent = greedy(&file);
        let plans = match self.by.names_protocol() {
            true => Vec::new(),
            false => evaluations(file.path(), &*game),
        };
        if plans.is_empty() {
            return self.by.measure(&*game, &agent, out);
        }
        for (i, plan) in plans.into_iter().enumerate() {
            if i > 0 && !self.by.is_json() {
                writeln!(out)?;
            }
            self.by.by(plan).measure(&*game, &agent, out)?;
        }
        Ok(())
    }
}

/// How the run that wrote `path` measured strength; for other files, how training would.
fn evaluations(path: &Path, game: &dyn AnyGame) -> Vec<EvaluationPlan> {
    let folder = path.parent().map(|parent| RunFolder { path: parent.into() });
    match folder.and_then(|folder| folder.read_plan().ok()) {
        Some(plan) => plan.evaluations().cloned().collect(),
        None => default_evaluations(game),
    }
}
