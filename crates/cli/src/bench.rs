//! `ludens bench`: how fast Ludens learns on this machine.

use crate::console::Console;
use crate::failure::Failure;
use crate::progress::ProgressLine;
use crate::text_table::TextTable;
use ludens_core::Invalid;
use ludens_speed::{
    Effort, PLAYS, Pace, Play, SETTINGS, Speed, SpeedSetting, measure, measure_play,
};
use serde::Serialize;
use std::io::Write;

/// Measures how fast this machine trains and plays with the settings of published systems
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens bench
  ludens bench connect4-farl othello --json
  ludens bench tictactoe --quick

Speeds are per second of CPU time; with two threads, per second of elapsed time. Each is the best
of several measurements, and the spread says how much slower the slowest was. The games played are
always the same.")]
pub(crate) struct BenchArgs {
    /// Measure these only, of: connect4-farl, connect4-tcl-rr, connect4-tcl, othello-lambda,
    /// othello, hex, 2048, 2048-tcl, 2048-eight, tictactoe, nim-three, random-connect4,
    /// random-othello, random-hex, random-tictactoe, mcts-connect4, greedy-2048,
    /// two-threads-2048, network, network-sparse
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Measure briefly, and less precisely
    #[arg(long)]
    quick: bool,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl BenchArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let chosen = self.chosen()?;
        let effort = match self.quick {
            true => Effort { windows: 2, seconds: 0.05, warm_up: 0.01 },
            false => Effort { windows: 7, seconds: 0.4, warm_up: 1.0 },
        };
        let (progress, mut measured) = (ProgressLine::new("measuring"), BenchReport::default());
        let (settings, plays) = chosen;
        let all = (settings.len() + plays.len()) as f64;
        for (i, setting) in settings.iter().enumerate() {
            progress.done(i as f64 / all);
            measured.learned.push(measure(setting, &effort)?);
        }
        for (i, play) in plays.iter().enumerate() {
            progress.done((settings.len() + i) as f64 / all);
            measured.played.push(measure_play(play, &effort)?);
        }
        drop(progress);
        if self.json {
            return out.json(&measured);
        }
        if !measured.learned.is_empty() {
            table(&measured.learned).write(out)?;
        }
        if !measured.played.is_empty() {
            played_table(&measured.played).write(out)?;
        }
        let note = "per second of CPU time, for two threads of elapsed time; \
                    spread: how much slower the slowest measurement was";
        writeln!(out, "{}", out.dim(note))?;
        Ok(())
    }

    /// The requested settings and plays, in the order of the suite.
    fn chosen(&self) -> Result<(Vec<&'static SpeedSetting>, Vec<&'static Play>), Invalid> {
        let known = || SETTINGS.iter().map(|s| s.name).chain(PLAYS.iter().map(|p| p.name));
        if let Some(wrong) = self.names.iter().find(|name| !known().any(|known| known == *name)) {
            return Err(Invalid::unknown("setting", wrong, known()));
        }
        let wanted = |name: &str| self.names.is_empty() || self.names.iter().any(|n| n == name);
        let settings = SETTINGS.iter().filter(|setting| wanted(setting.name)).collect();
        Ok((settings, PLAYS.iter().filter(|play| wanted(play.name)).collect()))
    }
}

/// Everything that was measured.
#[derive(Default, Serialize)]
struct BenchReport {
    learned: Vec<Speed>,
    played: Vec<Pace>,
}

fn table(speeds: &[Speed]) -> TextTable {
    let head = ["setting", ">games/s", ">moves/s", ">ns a move", ">memory", ">spread"];
    let mut table = TextTable::new(&head);
    for speed in speeds {
        table.row(vec![
            speed.name.into(),
            format!("{:.0}", speed.games),
            format!("{:.0}", speed.moves),
            format!("{:.0}", 1e9 / speed.moves),
            format!("{:.1} MB", speed.bytes as f64 / 1e6),
            format!("{:.0} %", 100.0 * speed.spread),
        ]);
    }
    table
}

fn played_table(paces: &[Pace]) -> TextTable {
    let mut table = TextTable::new(&["measured", "counted", ">per second", ">spread"]);
    for pace in paces {
        table.row(vec![
            pace.name.into(),
            pace.unit.into(),
            format!("{:.0}", pace.speed),
            format!("{:.0} %", 100.0 * pace.spread),
        ]);
    }
    table
}
