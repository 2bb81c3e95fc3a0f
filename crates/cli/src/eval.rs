//! `ludens eval`: how well a learned value plays.

use crate::console::Console;
use crate::failure::Failure;
use crate::measure::ProtocolArgs;
use crate::value_arg::{ValueArg, greedy};
use ludens_lab::{EvaluationPlan, RunFolder, default_evaluation};
use ludens_registry::AnyGame;
use std::path::Path;

/// Measures how well a learned value plays.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens eval runs/tictactoe-default-1
  ludens eval runs/connect4-default-1/value.safetensors --protocol solved --threads 2
  ludens eval runs/tictactoe-default-1 --protocol random --games 100 --json

Without --protocol, the value is measured as during its training.")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    value: ValueArg,

    #[command(flatten)]
    by: ProtocolArgs,
}

impl EvalArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let (file, game) = self.value.open()?;
        let by = self.by.or(evaluation(file.path(), &*game));
        by.measure(&*game, &greedy(&file), out)
    }
}

/// How the run that wrote `path` measured strength; for other files, how training would.
fn evaluation(path: &Path, game: &dyn AnyGame) -> Option<EvaluationPlan> {
    let folder = RunFolder { path: path.parent()?.into() };
    match folder.read_plan() {
        Ok(plan) => plan.evaluation,
        Err(_) => default_evaluation(game),
    }
}
