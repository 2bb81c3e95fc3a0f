//! `ludens play`: a game in the terminal.

mod prompt;
mod seat;
mod session;

use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::output::Output;
use crate::usage::whole;
use ludens_core::{MAX_PLAYERS, Player, Rng};
use prompt::Prompt;
use seat::{Random, Seat};
use session::Session;
use std::time::SystemTime;

/// Plays a game in the terminal against random players.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens play tictactoe
  ludens play tictactoe --as 2 --seed 7
  ludens play tictactoe --as 1,2
  ludens play tictactoe --as 1,2 < moves.txt

Type moves as `moves` shows them; `help` tells what else can be typed. Moves may also come from a
file or a pipe, one per line.")]
pub(crate) struct Play {
    #[command(flatten)]
    game: GameArg,

    /// Which players you are, counted from one; several separated by commas
    #[arg(long = "as", value_name = "PLAYERS", value_delimiter = ',', default_value = "1",
          value_parser = whole(1..=MAX_PLAYERS as u64))]
    seats: Vec<u64>,

    /// Begin in this state instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    state: Option<String>,

    /// Where randomness begins [default: differs every time]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
}

impl Play {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let game = self.game.open()?;
        let (info, seed) = (game.info(), self.seed.unwrap_or_else(seed_of_the_moment));
        let seats = self.seats(info.players, seed)?;
        let mut live = game.live(seed);
        if let Some(text) = &self.state {
            live.set_state(text).map_err(|e| e.about("--state"))?;
        }
        let session = Session { game: &*game, live, seats, prompt: Prompt::new() };
        session.run(seed, out)
    }

    fn seats(&self, players: usize, seed: u64) -> Result<Vec<Seat>, Failure> {
        if let Some(wrong) = self.seats.iter().find(|&&seat| seat > players as u64) {
            let known =
                if players == 1 { "only player 1".into() } else { format!("1 to {players}") };
            let what = format!("--as: this game has no player {wrong}; known: {known}");
            return Err(Failure::impossible(what));
        }
        let seat = |player: Player| {
            if self.seats.contains(&(u64::from(player.0) + 1)) {
                Seat::Human
            } else {
                let rng = Rng::derived(seed, "random player", player.0.into());
                Seat::Agent(Box::new(Random(rng)))
            }
        };
        Ok(Player::all(players).map(seat).collect())
    }
}

/// Five digits are enough to differ, and few enough to be typed again.
fn seed_of_the_moment() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Rng::seeded(now.as_nanos() as u64).below(100_000) as u64
}
