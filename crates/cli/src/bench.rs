//! `ludens bench`: how fast Ludens learns on this machine.

use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::table::Table;
use ludens_core::Invalid;
use ludens_speed::{Effort, SETTINGS, Setting, Speed, measure};
use std::io::Write;

/// Measures how fast the settings of published systems are learned on this machine
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens bench
  ludens bench connect4-farl othello --json
  ludens bench tictactoe --quick

Speeds are per second of CPU time, best of several windows. The limit is how often the machine
reads a table of the same size at random. The games played are always the same.")]
pub(crate) struct Bench {
    /// Measure these only, of: connect4-farl, connect4-tcl-rr, connect4-tcl, othello-lambda,
    /// othello, hex, 2048, 2048-tcl, 2048-eight, tictactoe, nim-three
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Measure for moments only
    #[arg(long)]
    quick: bool,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let chosen = self.settings()?;
        let effort = match self.quick {
            true => Effort { windows: 2, seconds: 0.05, warm_up: 0.01 },
            false => Effort { windows: 7, seconds: 0.4, warm_up: 1.0 },
        };
        let (progress, mut speeds) = (Progress::new("measuring"), Vec::new());
        for (i, setting) in chosen.iter().enumerate() {
            progress.done(i as f64 / chosen.len() as f64);
            speeds.push(measure(setting, &effort)?);
        }
        drop(progress);
        if self.json {
            return out.json(&speeds);
        }
        table(&speeds).write(out)?;
        let note = "per second of CPU time; spread: how much slower the slowest window was";
        writeln!(out, "{}", out.dim(note))?;
        Ok(())
    }

    /// The settings asked for, in the order of the suite.
    fn settings(&self) -> Result<Vec<&'static Setting>, Invalid> {
        let known = || SETTINGS.iter().map(|setting| setting.name);
        if let Some(wrong) = self.names.iter().find(|name| !known().any(|known| known == *name)) {
            return Err(Invalid::unknown("setting", wrong, known()));
        }
        let wanted = |setting: &&Setting| {
            self.names.is_empty() || self.names.iter().any(|name| name == setting.name)
        };
        Ok(SETTINGS.iter().filter(wanted).collect())
    }
}

fn table(speeds: &[Speed]) -> Table {
    let head =
        ["setting", ">games", ">moves", ">look-ups", ">of limit", ">spread", "peer", ">times"];
    let mut table = Table::new(&head);
    for speed in speeds {
        table.row(vec![
            speed.name.into(),
            format!("{:.0}", speed.games),
            format!("{:.0}", speed.moves),
            format!("{:.0} M", speed.looks / 1e6),
            format!("{:.0} %", 100.0 * speed.share),
            format!("{:.0} %", 100.0 * speed.spread),
            speed.peer.into(),
            format!("{:.2}", speed.ratio),
        ]);
    }
    table
}
