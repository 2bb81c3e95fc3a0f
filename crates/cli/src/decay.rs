//! `ludens decay`: strength as a curve.

use crate::agent_arg::agent_text;
use crate::arena_args::{ArenaArgs, GamesBar, interruptible};
use crate::console::Console;
use crate::failure::Failure;
use crate::file;
use crate::game_arg::GameArg;
use crate::usage::whole;
use ludens_registry::arena::DecayPlan;
use std::io::Write;
use std::path::PathBuf;

/// Measures how often agents win as more and more of their moves are random (decay curve).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens decay tictactoe maxn:depth=2
  ludens decay tictactoe mcts:iterations=50 maxn:depth=2 --games 200 --svg curves.svg
  ludens decay nim random --against random --json

The random-decay benchmark of Ghory (2004). The score of an agent is the area under its curve. Where
perfect play is known, its curve is printed too.")]
pub(crate) struct DecayArgs {
    #[command(flatten)]
    game: GameArg,

    /// The agents, such as mcts:iterations=500
    #[arg(value_name = "AGENT", value_parser = agent_text(), required = true)]
    agents: Vec<String>,

    /// Who plays the other players
    #[arg(long, value_name = "AGENT", default_value = "endgame-random",
          value_parser = agent_text())]
    against: String,

    /// How many games at each rate
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(2..=1_000_000_000))]
    games: u64,

    /// In how many steps to go from no random moves to random moves only
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole(1..=1_000))]
    steps: u64,

    /// Draw the curves to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    arena: ArenaArgs,
}

impl DecayArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        let (games, steps) = (self.games as usize, self.steps as usize);
        let plan = DecayPlan { games, steps, seed: self.arena.seed };
        let bar = GamesBar::new("playing");
        let workload = self.arena.workload(&bar);
        let play = || game.arena().decay(&self.agents, &self.against, &plan, workload);
        let report = interruptible(play)?;
        drop(bar);
        if let Some(path) = &self.svg {
            file::write(path, &report.to_svg())?;
        }
        if self.arena.json { out.json(&report) } else { Ok(write!(out, "{report}")?) }
    }
}
