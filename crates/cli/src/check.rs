//! `ludens check`: whether a game keeps its promises.

use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::{self, GameArg};
use crate::progress::ProgressLine;
use crate::usage::whole;
use ludens_core::Violation;
use std::io::Write;

/// Runs the conformance tests that every game must pass.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens check tictactoe
  ludens check tictactoe --games 5000

Plays random games and checks every state. Meant for authors of games.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    game: GameArg,

    /// How many random games to play
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = whole(1..=u64::MAX))]
    games: u64,
}

/// The checks, in order.
const PROMISES: &[&str] = &[
    "the cells fill whole rows, and every symmetry is a permutation of them",
    "the text of a state is one line and is read back as the same state",
    "cells stay in range, as every player sees them",
    "legal moves are ascending, in range, and read back from how they are written",
    "a game and its image under each symmetry agree move by move, gain by gain",
    "chance's probabilities sum to one, and it draws what it lists",
    "random moves are drawn as agreed, so that seeds mean the same everywhere",
    "games end, and nothing can be played after that",
];

impl CheckArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        let info = game.info();
        let progress = ProgressLine::new("checking");
        let found = game.conformance(self.games);
        drop(progress);
        found.map_err(|breach| explain(&info.spec, &breach))?;
        let title = game_arg::entry_of(&*game).title;
        writeln!(out, "{title} kept its promises in {} random games:", self.games)?;
        PROMISES.iter().try_for_each(|promise| writeln!(out, "  {promise}"))?;
        Ok(())
    }
}

fn explain(spec: &str, breach: &Violation) -> Failure {
    let Violation { what, state } = breach;
    Failure::failed(format_args!("{spec} breaks a promise in state {state:?}: {what}"))
        .with_hint(format_args!("`ludens show {spec} --state {state:?}` draws it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_promise_is_a_failure_that_tells_the_state() {
        let breach = Violation { what: "moves on chance's turn".into(), state: "1 2".into() };
        let Failure::Failed { what, hint } = explain("nim:heaps=2", &breach) else { panic!() };
        assert_eq!(what, "nim:heaps=2 breaks a promise in state \"1 2\": moves on chance's turn");
        assert_eq!(hint.unwrap(), "`ludens show nim:heaps=2 --state \"1 2\"` draws it");
    }
}
