//! `ludens properties`: what makes a game easy or hard to learn.

use crate::arena_args::{ArenaArgs, GamesBar, interruptible};
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::usage::whole;
use ludens_registry::arena::PropertiesPlan;
use std::io::Write;

/// Measures what makes a game easy or hard to learn, with a verdict in words.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens properties tictactoe
  ludens properties othello:size=6 --games 5000
  ludens properties connect4 --states 10000000 --json

The four properties of Ghory (2004, section 9), and length, lead and draws in random games.
Smoothness needs a perfect player; `--values 0` skips it where that player is slow.")]
pub(crate) struct PropertiesArgs {
    #[command(flatten)]
    game: GameArg,

    /// How many random games to play
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = whole(2..=1_000_000_000))]
    games: u64,

    /// How many states to count one by one before their number is estimated
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
          value_parser = whole(1..=1_000_000_000))]
    states: u64,

    /// How many states a perfect player values, where one is known; 0 for none
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole(0..=1_000_000_000))]
    values: u64,

    #[command(flatten)]
    arena: ArenaArgs,
}

impl PropertiesArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        let (games, states) = (self.games as usize, self.states as usize);
        let values = self.values as usize;
        let plan = PropertiesPlan { games, states, values, seed: self.arena.seed };
        let bar = GamesBar::new("measuring");
        let workload = self.arena.workload(&bar);
        let report = interruptible(|| game.arena().properties(&plan, workload))?;
        drop(bar);
        if self.arena.json { out.json(&report) } else { Ok(write!(out, "{report}")?) }
    }
}
