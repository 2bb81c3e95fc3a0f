//! `ludens gtp`: an agent as an engine for other programs.

mod board;
mod engine;

use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::output::Output;
use crate::usage::whole;
use board::Board;
use engine::Engine;
use std::io::{BufRead, Write};

/// Lets an agent play for another program, by the Go Text Protocol.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gtp othello --agent mcts:iterations=5000
  ludens gtp hex:size=6 --agent mcts:time=2
  echo genmove black | ludens gtp connect4 --agent alphabeta:depth=8

Commands come from the standard input, one per line, answers go to the standard output; type
list_commands to see what is understood. Black plays first. For two players without chance.")]
pub(crate) struct Gtp {
    #[command(flatten)]
    game: GameArg,

    /// Who plays: name or name:key=value,...
    #[arg(long, value_name = "AGENT", default_value = "mcts")]
    agent: String,

    /// Where randomness begins
    #[arg(long, value_name = "S", default_value_t = 1,
          allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: u64,
}

impl Gtp {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let board = Board::new(self.game.open()?, self.agent, self.seed)?;
        let mut engine = Engine::new(board);
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
