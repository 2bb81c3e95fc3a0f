//! `ludens gtp`: an agent as an engine for other programs.

mod board;
mod clock;
mod engine;

use crate::agent_arg::agent_text;
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg;
use crate::usage::whole;
use board::GtpBoard;
use engine::GtpEngine;
use ludens_core::bounded_lines;
#[cfg(fuzzing)]
pub(crate) use session::GtpSession;
use std::io::Write;

/// Runs an agent as an engine for other programs, by the Go Text Protocol (GTP).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gtp --game othello --agent mcts:iterations=5000
  ludens gtp --game hex:size=6 --agent mcts:time=2
  echo genmove black | ludens gtp connect4 --agent alphabeta:depth=8

Commands come from the standard input, one per line; answers go to the standard output. The command
list_commands lists all commands. Black plays first. The game must have two players and no chance.
The agents alphabeta and mcts obey time_settings and time_left.")]
pub(crate) struct GtpArgs {
    /// The game: name or name:key=value,...
    #[arg(value_name = "GAME", required_unless_present = "game")]
    named: Option<String>,

    /// The game, as an option
    #[arg(long, value_name = "GAME", conflicts_with = "named")]
    game: Option<String>,

    /// Who plays: name or name:key=value,...
    #[arg(long, value_name = "AGENT", value_parser = agent_text(), default_value = "mcts")]
    agent: String,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1,
          allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: u64,
}

/// Longer lines hold no command.
const LONGEST_LINE: usize = 1 << 20;

impl GtpArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.or(self.named).expect("one of both is required");
        let board = GtpBoard::new(game_arg::open(&game)?, self.agent, self.seed)?;
        let mut engine = GtpEngine::new(board);
        for line in bounded_lines(std::io::stdin().lock(), LONGEST_LINE) {
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

#[cfg(fuzzing)]
mod session {
    use super::{GtpBoard, GtpEngine};
    use ludens_core::Invalid;
    use ludens_registry::AnyGame;

    /// An engine without its input and output.
    pub(crate) struct GtpSession(GtpEngine);

    impl GtpSession {
        pub(crate) fn new(
            game: Box<dyn AnyGame>,
            agent: String,
            seed: u64,
        ) -> Result<GtpSession, Invalid> {
            Ok(GtpSession(GtpEngine::new(GtpBoard::new(game, agent, seed)?)))
        }

        pub(crate) fn answer(&mut self, line: &str) -> Option<String> {
            self.0.answer(line)
        }
    }
}
