//! `ludens perft`: how many sequences of turns there are.

use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::progress::ProgressLine;
use crate::usage::whole;
use crate::words;
use ludens_registry::AnyGame;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Counts the sequences of turns of each length: a test of rules and of their speed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens perft tictactoe 9
  ludens perft tictactoe 6 --json

Chance events count as turns. Games that end earlier are not counted.")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    game: GameArg,

    /// Count sequences of 1 to DEPTH turns
    #[arg(value_name = "DEPTH", value_parser = whole(1..=1000))]
    depth: u64,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PerftReport {
    game: String,
    depths: Vec<DepthCount>,
}

#[derive(Serialize)]
struct DepthCount {
    depth: u64,
    count: u64,
    seconds: f64,
    /// Sequences per second; nothing if it took no measurable time.
    per_second: Option<f64>,
}

impl PerftArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        if self.json {
            let depths = (1..=self.depth).map(|depth| measured(&*game, depth)).collect();
            return out.json(&PerftReport { game: game.info().spec.clone(), depths });
        }
        let head = format!("{:>5}  {:>20}  {:>11}  {:>8}", "depth", "count", "time", "leaves/s");
        writeln!(out, "{}", out.bold(&head))?;
        for depth in 1..=self.depth {
            let DepthCount { count, seconds, .. } = measured(&*game, depth);
            let time = Duration::from_secs_f64(seconds);
            let (rate, time) = (words::per_second(count, time), words::time(time));
            writeln!(out, "{depth:>5}  {count:>20}  {time:>11}  {rate:>8}")?;
            out.flush()?;
        }
        Ok(())
    }
}

fn measured(game: &dyn AnyGame, depth: u64) -> DepthCount {
    let progress = ProgressLine::new(format_args!("depth {depth}"));
    let start = Instant::now();
    let count = game.perft_with_progress(depth as u32, &mut |share| progress.done(share));
    let seconds = start.elapsed().as_secs_f64();
    let per_second = (seconds > 0.0).then(|| count as f64 / seconds);
    DepthCount { depth, count, seconds, per_second }
}
