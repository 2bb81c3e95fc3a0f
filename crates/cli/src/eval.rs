//! `ludens eval`: how well a learned value plays.

use crate::console::Console;
use crate::failure::Failure;
use crate::measure::ProtocolArgs;
use crate::value_arg::{ValueArg, greedy};

/// Measures how well a learned value plays.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens eval runs/tictactoe-default-1
  ludens eval runs/connect4-default-1/value.safetensors --protocol solved --threads 2
  ludens eval runs/tictactoe-default-1 --protocol random --games 100 --json")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    value: ValueArg,

    #[command(flatten)]
    by: ProtocolArgs,
}

impl EvalArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let (file, game) = self.value.open()?;
        self.by.measure(&*game, &greedy(&file), out)
    }
}
