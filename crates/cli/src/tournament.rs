//! `ludens tournament`: everybody against everybody.

use crate::agent_arg::agent_text;
use crate::arena_args::{ArenaArgs, GamesBar, interruptible, openings, record};
use crate::console::Console;
use crate::failure::Failure;
use crate::file;
use crate::game_arg::GameArg;
use crate::usage::whole;
use ludens_registry::arena::{ContestPlan, TournamentReport};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Plays a round-robin tournament: standings, ratings and a cross table.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens tournament tictactoe random endgame-random maxn:depth=2 perfect
  ludens tournament othello random heur bench --games 200 --openings random:4 --out table.svg
  ludens tournament nim:players=3 random maxn:depth=2 perfect --out a.csv --out a.md --json

Ratings are maximum-likelihood estimates (Bradley-Terry, with draws as in Davidson), in Elo points
around a mean of 0. Exported files also hold Elo and Glicko-2 ratings. A game of more than two
players counts as one result for each pair of its players.")]
pub(crate) struct TournamentArgs {
    #[command(flatten)]
    game: GameArg,

    /// The agents, such as mcts:iterations=500
    #[arg(value_name = "AGENT", value_parser = agent_text(), required = true)]
    agents: Vec<String>,

    /// How many games each group plays, rounded up to whole rounds
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1..=1_000_000_000))]
    games: u64,

    /// Where the games begin; see `ludens match --help`
    #[arg(long, value_name = "KIND", default_value = "start")]
    openings: String,

    /// Write the result to a file that ends with .csv, .json, .md, .png or .svg; may be repeated
    #[arg(long, value_name = "FILE")]
    out: Vec<PathBuf>,

    /// Record the games as lines of JSON, or as SGF if the name ends with .sgf
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    arena: ArenaArgs,
}

impl TournamentArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        self.out.iter().try_for_each(|path| check_ending(path))?;
        let game = self.game.open()?;
        let plan = ContestPlan {
            games: Some(self.games as usize),
            openings: openings(&self.openings)?,
            seed: self.arena.seed,
            record: self.record.is_some(),
            ..ContestPlan::default()
        };
        let bar = GamesBar::new("playing");
        let workload = self.arena.workload(&bar);
        let play = || game.arena().tournament(&self.agents, &plan, workload);
        let (report, games) = interruptible(play)?;
        drop(bar);
        if let Some(path) = &self.record {
            record(&*game, &games, path)?;
        }
        for path in &self.out {
            file::write_bytes(path, &export(&report, path)?)?;
        }
        if self.arena.json { out.json(&report) } else { Ok(write!(out, "{report}")?) }
    }
}

const ENDINGS: [&str; 5] = ["csv", "json", "md", "png", "svg"];

fn check_ending(path: &Path) -> Result<(), Failure> {
    if ENDINGS.contains(&file::ending(path).as_str()) {
        return Ok(());
    }
    let (known, found) = (ENDINGS.join(", ."), path.display());
    Err(Failure::impossible(format_args!("--out: expected a name with .{known}, found {found}")))
}

fn export(report: &TournamentReport, path: &Path) -> Result<Vec<u8>, Failure> {
    let text = match file::ending(path).as_str() {
        "csv" => report.to_csv(),
        "md" => report.to_markdown(),
        "png" => return Ok(report.to_png()),
        "svg" => report.to_svg(),
        _ => serde_json::to_string_pretty(report).map_err(Failure::failed)? + "\n",
    };
    Ok(text.into_bytes())
}
