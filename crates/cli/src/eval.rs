//! `ludens eval`: how well a learned value plays.

use crate::arena_args::{ArenaArgs, Bar, refused};
use crate::failure::Failure;
use crate::output::Output;
use crate::usage::whole;
use crate::value_arg::{ValueArg, greedy};
use ludens_registry::Measuring;
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

    #[command(flatten)]
    arena: ArenaArgs,
}

impl Eval {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let (file, game) = self.value.open()?;
        let bar = Bar::new("measuring");
        let by = Measuring {
            protocol: self.protocol.as_deref(),
            games: self.games.map(|games| games as usize),
            seed: self.arena.seed,
            workload: self.arena.workload(&bar),
        };
        let report = game.arena().measure(&greedy(&file), &by).map_err(refused)?;
        drop(bar);
        if self.arena.json { out.json(&report) } else { Ok(write!(out, "{report}")?) }
    }
}
