//! `ludens gtp`: an agent as an engine for other programs.

mod board;
mod clock;
mod engine;

use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg;
use crate::usage::whole;
use board::GtpBoard;
use engine::GtpEngine;
use std::io::{BufRead, Write};

/// Runs an agent as an engine for other programs, by the Go Text Protocol (GTP).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gtp --game othello --agent mcts:iterations=5000
  ludens gtp --game hex:size=6 --agent mcts:time=2
  echo genmove black | ludens gtp connect4 --agent alphabeta:depth=8

Commands come from the standard input, one per line, answers go to the standard output; type
list_commands to see what is understood. Black plays first. For two players without chance. Agents
that look ahead step by step (alphabeta, mcts) keep to time_settings and time_left.")]
pub(crate) struct GtpArgs {
    /// The game: name or name:key=value,...
    #[arg(value_name = "GAME", required_unless_present = "game")]
    named: Option<String>,

    /// The same, as an option
    #[arg(long, value_name = "GAME", conflicts_with = "named")]
    game: Option<String>,

    /// Who plays: name or name:key=value,...
    #[arg(long, value_name = "AGENT", default_value = "mcts")]
    agent: String,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1,
          allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: u64,
}

impl GtpArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.or(self.named).expect("one of both is required");
        let board = GtpBoard::new(game_arg::open(&game)?, self.agent, self.seed)?;
        let mut engine = GtpEngine::new(board);
        for line in std::io::stdin().lock().split(b'\n') {
            let line = line.map_err(|e| Failure::failed(format_args!("cannot read: {e}")))?;
            if let Some(answer) = engine.answer(&String::from_utf8_lossy(&line)) {
                write!(out, "{answer}")?;
                out.flush()?;
            }
            if engine.has_quit() {
                break;
            }
        }
        Ok(())
    }
}
