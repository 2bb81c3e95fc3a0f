//! `ludens eval`: how well a learned value plays.

use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::usage::whole;
use crate::value_arg::{ValueArg, greedy};
use ludens_registry::Measuring;
use ludens_registry::arena::{Silent, Workload};
use std::io::Write;

/// Measures how well a learned value plays.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens eval runs/tictactoe-default-1
  ludens eval runs/connect4-default-1/value.safetensors --protocol solved --threads 2
  ludens eval runs/tictactoe-default-1 --protocol random --games 100 --json")]
pub(crate) struct Eval {
    #[command(flatten)]
    value: ValueArg,

    /// How to measure [default: as usual for the game]
    #[arg(long, value_name = "NAME")]
    protocol: Option<String>,

    /// How many games, or states of each kind [default: as the protocol says]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000))]
    games: Option<u64>,

    /// Where randomness begins
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    seed: u64,

    /// How many threads play
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole(1..=1024))]
    threads: u64,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let (file, game) = self.value.open()?;
        let progress = Progress::new("measuring");
        let report = game.arena().measure(
            &greedy(&file),
            &Measuring {
                protocol: self.protocol.as_deref(),
                games: self.games.map(|games| games as usize),
                seed: self.seed,
                workload: Workload { threads: self.threads as usize, progress: &Silent },
            },
        )?;
        drop(progress);
        if self.json { out.json(&report) } else { Ok(write!(out, "{report}")?) }
    }
}
