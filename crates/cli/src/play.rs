//! `ludens play`: a game in the terminal.

mod prompt;
mod seat;
mod session;

use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::output::Output;
use crate::usage::whole;
use ludens_core::{MAX_PLAYERS, Player, Rng};
use ludens_registry::LiveGame;
use prompt::Prompt;
use seat::Seat;
use session::Session;
use std::time::SystemTime;

/// Plays a game in the terminal against an agent.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens play tictactoe
  ludens play tictactoe --against mcts --as 2 --seed 7
  ludens play nim:players=3 --against maxn:depth=4 --against random
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

    /// Who plays the others: an agent such as mcts:iterations=500. Given several times, one each
    #[arg(long, value_name = "AGENT", default_value = "random")]
    against: Vec<String>,

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
        let seats = self.seats(info.players)?;
        let mut live = game.live(seed);
        if let Some(text) = &self.state {
            live.set_state(text).map_err(|e| e.about("--state"))?;
        }
        seat_agents(&mut *live, &seats)?;
        let again = self.again(&info.spec);
        let session = Session { game: &*game, live, seats, prompt: Prompt::new(), again };
        session.run(seed, out)
    }

    /// The command that leads to the same seats.
    fn again(&self, spec: &str) -> String {
        let mut command = format!("ludens play {spec}");
        if self.seats != [1] {
            let seats: Vec<String> = self.seats.iter().map(ToString::to_string).collect();
            command += &format!(" --as {}", seats.join(","));
        }
        for agent in
            self.against.iter().filter(|agent| self.against.len() > 1 || *agent != "random")
        {
            command += &format!(" --against \"{agent}\"");
        }
        command
    }

    /// The humans where `--as` says; the agents in the order given, the last one repeated.
    fn seats(&self, players: usize) -> Result<Vec<Seat>, Failure> {
        if let Some(wrong) = self.seats.iter().find(|&&seat| seat > players as u64) {
            let known =
                if players == 1 { "only player 1".into() } else { format!("1 to {players}") };
            let what = format!("--as: this game has no player {wrong}; known: {known}");
            return Err(Failure::impossible(what));
        }
        let last = self.against.last().map_or("random", String::as_str);
        let mut agents = self.against.iter().map(String::as_str).chain(std::iter::repeat(last));
        let mut seat = |player: Player| {
            let human = self.seats.contains(&(u64::from(player.0) + 1));
            if human { Seat::Human } else { agents.next().unwrap_or(last).into() }
        };
        Ok(Player::all(players).map(&mut seat).collect())
    }
}

/// Lets the agents take their seats.
fn seat_agents(live: &mut dyn LiveGame, seats: &[Seat]) -> Result<(), Failure> {
    for (player, seat) in Player::all(seats.len()).zip(seats) {
        if let Seat::Agent(agent) = seat {
            live.seat(player, agent).map_err(|e| {
                let hint = "`ludens agents` lists all agents and their settings";
                Failure::from(e.about("--against")).with_hint(hint)
            })?;
        }
    }
    Ok(())
}

/// Five digits are enough to differ, and few enough to be typed again.
fn seed_of_the_moment() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Rng::seeded(now.as_nanos() as u64).below(100_000) as u64
}
