//! `ludens match`: many games between the same agents.

use crate::agent_arg::agent_text;
use crate::arena_args::{ArenaArgs, GamesBar, interruptible, openings, record};
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::usage::whole;
use ludens_registry::arena::ContestPlan;
use ludens_registry::arena::statistics::Sprt;
use std::io::Write;
use std::path::PathBuf;

/// Plays a match between agents in every role: results with 95 % confidence intervals.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens match tictactoe perfect random --games 1000
  ludens match othello mcts:iterations=200 bench --openings random:6 --games 100 --record a.sgf
  ludens match nim:players=3 perfect random random --games 600 --json
  ludens match tictactoe mcts maxn:depth=2 --openings all:2
  ludens match tictactoe endgame-random random --sprt 0,50 --games 10000

Every opening is played in every role: as many agents as players sit in every order, or one agent
takes each seat against copies of a second. In games of one player each plays alone.
Openings: start, random:N moves, all:N (positions after N moves), sequences:N, within:N (at most N
moves), unlike:N (no mirror images), file:PATH (a state or moves on each line).")]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    game: GameArg,

    /// The agents, such as mcts:iterations=500
    #[arg(value_name = "AGENT", value_parser = agent_text(), required = true)]
    agents: Vec<String>,

    /// How many games, rounded up to whole rounds [default: every opening once in every role, or
    /// 50 rounds]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000))]
    games: Option<u64>,

    /// Where the games begin
    #[arg(long, value_name = "KIND", default_value = "start")]
    openings: String,

    /// Stop when a sequential test decides whether the first agent is ELO1 or only ELO0 points
    /// stronger
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,

    /// Record the games as lines of JSON, or as SGF if the name ends with .sgf
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    arena: ArenaArgs,
}

impl MatchArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        let plan = self.plan()?;
        let bar = GamesBar::new("playing");
        let workload = self.arena.workload(&bar);
        let play = || game.arena().contest(&self.agents, &plan, workload);
        let (report, games) = interruptible(play)?;
        drop(bar);
        if let Some(path) = &self.record {
            record(&*game, &games, path)?;
        }
        if self.arena.json { out.json(&report) } else { Ok(write!(out, "{report}")?) }
    }

    fn plan(&self) -> Result<ContestPlan, Failure> {
        let sprt = self.sprt.as_deref().map(Sprt::parse).transpose();
        Ok(ContestPlan {
            games: self.games.map(|games| games as usize),
            openings: openings(&self.openings)?,
            sprt: sprt.map_err(|e| e.about("--sprt"))?,
            seed: self.arena.seed,
            record: self.record.is_some(),
            ..ContestPlan::default()
        })
    }
}
