//! `ludens show`: a state, drawn and described.

use crate::console::Console;
use crate::failure::Failure;
use crate::file;
use crate::game_arg::GameArg;
use crate::position_args::PositionArgs;
use crate::usage::whole;
use crate::words;
use ludens_core::{Player, Turn};
use ludens_registry::{AnyGame, LiveGame};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Draws a position and lists its legal moves.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens show tictactoe
  ludens show tictactoe --moves \"b2 a1 c3\"
  ludens show tictactoe --state x.o/.x./... --svg board.svg")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    game: GameArg,

    #[command(flatten)]
    position: PositionArgs,

    /// Also draw it into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Random seed of chance, in games that have chance
    #[arg(long, value_name = "S", default_value_t = 1,
          allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: u64,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ShowReport {
    game: String,
    state: String,
    over: bool,
    /// The player to move, counted from one; `None` if the game is over.
    player: Option<u8>,
    legal: Vec<LegalMoveText>,
    rewards: Vec<f32>,
    history: Vec<String>,
    board: String,
}

#[derive(Serialize)]
struct LegalMoveText {
    id: u32,
    text: String,
}

impl ShowArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        let live = self.position.open(&*game, self.seed)?;
        if let Some(path) = &self.svg {
            file::write(path, &live.scene().to_svg())?;
        }
        if self.json { out.json(&report(&*game, &*live)) } else { print(&*game, &*live, out) }
    }
}

fn print(game: &dyn AnyGame, live: &dyn LiveGame, out: &mut Console) -> Result<(), Failure> {
    let players = game.info().players;
    out.draw(&live.scene())?;
    let history = live.history().join(" ");
    if !history.is_empty() {
        writeln!(out, "played  {history}")?;
    }
    writeln!(out, "state   {}", live.state_text())?;
    if live.rewards().first(players).iter().any(|&gain| gain != 0.0) {
        writeln!(out, "gains   {}", words::gains(live.rewards(), players))?;
    }
    let legal: Vec<String> = live.legal().into_iter().map(|(_, text)| text).collect();
    match live.turn() {
        Turn::Player(player) => {
            writeln!(out, "turn    player {player}")?;
            writeln!(out, "legal   {}", legal.join(" "))?;
        }
        Turn::Chance => unreachable!("chance draws by itself"),
        Turn::Over if live.history().is_empty() => {
            writeln!(out, "over    the game had ended; a state does not tell who won")?;
        }
        Turn::Over => {
            let everybody: Vec<Player> = Player::all(players).collect();
            writeln!(out, "over    {}", words::outcome(live.rewards(), players, &everybody))?;
        }
    }
    Ok(())
}

fn report(game: &dyn AnyGame, live: &dyn LiveGame) -> ShowReport {
    let info = game.info();
    let player = match live.turn() {
        Turn::Player(player) => Some(player.0 + 1),
        Turn::Chance | Turn::Over => None,
    };
    ShowReport {
        game: info.spec.clone(),
        state: live.state_text(),
        over: live.turn() == Turn::Over,
        player,
        legal: live
            .legal()
            .into_iter()
            .map(|(mv, text)| LegalMoveText { id: mv.0, text })
            .collect(),
        rewards: live.rewards().first(info.players).to_vec(),
        history: live.history(),
        board: live.scene().to_text(),
    }
}
