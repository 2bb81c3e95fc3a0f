//! `ludens measure`: an agent by a protocol.

use crate::agent_arg::agent_text;
use crate::arena_args::{ArenaArgs, GamesBar, interruptible};
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::{GameArg, entry_of};
use crate::text_table::TextTable;
use crate::usage::whole;
use ludens_lab::EvaluationPlan;
use ludens_registry::arena::{PROTOCOLS, Protocol, default_protocol, find_protocol};
use ludens_registry::{AnyGame, MeasureOptions};
use std::io::Write;

/// Measures an agent by a protocol: opponent, openings, roles and score.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens measure tictactoe
  ludens measure tictactoe maxn:depth=4
  ludens measure othello mcts:iterations=100 --protocol bench-4ply
  ludens measure nim mcts --protocol solved --json

Without an agent the protocols of the game are listed.")]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    game: GameArg,

    /// The agent, such as mcts:iterations=500
    #[arg(value_name = "AGENT", value_parser = agent_text())]
    agent: Option<String>,

    #[command(flatten)]
    by: ProtocolArgs,
}

/// The arguments that tell how strength is measured.
#[derive(clap::Args)]
pub(crate) struct ProtocolArgs {
    /// How to measure [default: the game's standard protocol]
    #[arg(long, value_name = "NAME")]
    protocol: Option<String>,

    /// Number of games or positions, as the protocol counts them [default: as the protocol says]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000))]
    games: Option<u64>,

    #[command(flatten)]
    arena: ArenaArgs,
}

impl MeasureArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        match &self.agent {
            Some(agent) => self.by.measure(&*game, agent, out),
            None => list(&*game, out),
        }
    }
}

impl ProtocolArgs {
    /// Whether `--protocol` is given.
    pub(crate) fn names_protocol(&self) -> bool {
        self.protocol.is_some()
    }

    /// Whether reports are printed as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.arena.json
    }

    /// The same by this plan; a given number of games stays.
    pub(crate) fn by(&self, plan: EvaluationPlan) -> ProtocolArgs {
        let EvaluationPlan { protocol, games } = plan;
        let games = self.games.or(games.map(|games| games as u64));
        ProtocolArgs { protocol: Some(protocol), games, arena: self.arena.clone() }
    }

    /// Measures an agent and prints the result.
    pub(crate) fn measure(
        &self,
        game: &dyn AnyGame,
        agent: &str,
        out: &mut Console,
    ) -> Result<(), Failure> {
        let bar = GamesBar::new("measuring");
        let by = MeasureOptions {
            protocol: self.protocol.as_deref(),
            games: self.games.map(|games| games as usize),
            seed: self.arena.seed,
            with_perfect: true,
            workload: self.arena.workload(&bar),
        };
        let report = interruptible(|| game.arena().measure(agent, &by))?;
        drop(bar);
        if self.arena.json { out.json(&report) } else { Ok(write!(out, "{report}")?) }
    }
}

fn list(game: &dyn AnyGame, out: &mut Console) -> Result<(), Failure> {
    let name = entry_of(game).name;
    let players = game.info().players;
    let usual = default_protocol(name, players);
    let mut table = TextTable::new(&["protocol", "what is measured"]);
    let own = |p: &&Protocol| {
        find_protocol(p.name, name, players).is_ok_and(|found| std::ptr::eq(found, *p))
    };
    for protocol in PROTOCOLS.iter().filter(own) {
        let mark = if protocol.name == usual { " (usual)" } else { "" };
        table.row(vec![format!("{}{mark}", protocol.name), protocol.about.into()]);
    }
    table.write(out)
}
