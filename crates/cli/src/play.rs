//! `ludens play`: a game in the terminal.

mod choose_game;
mod command;
mod controller;
mod opponents;
mod played_game;
mod prompt;
mod screen;
mod session;
mod watch;

pub(crate) use watch::WatchArgs;

use crate::agent_arg::agent_text;
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg;
use crate::serve::{ListenArgs, serve};
use crate::usage::whole;
use choose_game::choose_game;
use controller::Controller;
use ludens_core::{MAX_PLAYERS, Player, Rng};
use ludens_registry::AnyGame;
use opponents::Opponents;
use played_game::PlayedGame;
use prompt::Prompt;
use session::Session;
use std::path::PathBuf;
use std::time::SystemTime;
use watch::counted;

/// Plays a game in the terminal against an agent.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens play
  ludens play connect4
  ludens play connect4 --against level:strength=2,agent=champion
  ludens play tictactoe --against mcts --as 2 --seed 7
  ludens play nim:players=3 --against maxn:depth=4 --against random
  ludens play tictactoe --as 1,2
  ludens play tictactoe --as 1,2 < moves.txt
  ludens play connect4 --browser --against mcts:iterations=2000

Without --against you meet the champion of the game at a human level, or a search where there is no
champion. `ludens champions` lists the champions, `ludens watch` shows them playing.

On a terminal the board fills the screen: point at moves with the arrow keys or type them; ? lists
all keys. With --plain, or when moves come from a file or a pipe (one per line), the game is plain
text: type `moves` for the legal moves, and `help` for all commands.")]
#[command(mut_group("ListenArgs", |place| place.requires("browser")))]
pub(crate) struct PlayArgs {
    /// The game: name or name:key=value,... [default: asks]
    #[arg(value_name = "GAME")]
    game: Option<String>,

    /// Which players you are, counted from one; several separated by commas
    #[arg(long = "as", value_name = "PLAYERS", value_delimiter = ',', default_value = "1",
          value_parser = whole(1..=MAX_PLAYERS as u64))]
    seats: Vec<u64>,

    /// Who plays the others: an agent such as mcts:iterations=500. Given several times, one each
    /// [default: the champion at a human level]
    #[arg(long, value_name = "AGENT", value_parser = agent_text())]
    against: Vec<String>,

    /// Begin in this state instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    state: Option<String>,

    /// Continue a game that `save` wrote
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    load: Option<PathBuf>,

    /// Who gives hints and values [default: perfect where it is known, else mcts]
    #[arg(long, value_name = "AGENT", value_parser = agent_text())]
    hints: Option<String>,

    /// Play in lines of text, even on a terminal
    #[arg(long)]
    plain: bool,

    /// Play in the browser
    #[arg(long, conflicts_with_all = ["load", "plain", "hints"])]
    browser: bool,

    #[command(flatten)]
    place: ListenArgs,

    /// Random seed [default: differs every time]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
}

impl PlayArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = match &self.game {
            Some(text) => game_arg::open(text)?,
            None => choose_game(out)?,
        };
        let seed = self.seed.unwrap_or_else(seed_of_the_moment);
        let seats = self.seats(&*game)?;
        if self.browser {
            let route = self.route(&game.info().spec, &seats, seed);
            return serve(&self.place, "runs".into(), &route, out);
        }
        let mut live = game.live(seed);
        if let Some(text) = &self.state {
            live.set_state(text).map_err(|e| e.about("--state"))?;
        }
        let mut played_game = PlayedGame { game, live, seats, advisor: self.hints };
        if let Some(path) = &self.load {
            played_game.load(path)?;
        }
        played_game.seat_agents()?;
        if screen::available() && !self.plain {
            return screen::run(played_game, seed, out);
        }
        Session { played_game, prompt: Prompt::new() }.run(seed, out)
    }

    /// The page with this game and these seats.
    fn route(&self, spec: &str, seats: &[Controller], seed: u64) -> String {
        let mut route = format!("#/play?game={}", escaped(spec));
        for seat in seats {
            let name = match seat {
                Controller::Human => "human",
                Controller::Agent(agent) => agent,
            };
            route += &format!("&seat={}", escaped(name));
        }
        if let Some(state) = &self.state {
            route += &format!("&start={}", escaped(state));
        }
        route + &format!("&seed={seed}")
    }

    /// The humans where `--as` says; the agents in the order given, the last one repeated.
    fn seats(&self, game: &dyn AnyGame) -> Result<Vec<Controller>, Failure> {
        let players = game.info().players;
        if let Some(wrong) = self.seats.iter().find(|&&seat| seat > players as u64) {
            let known =
                if players == 1 { "only player 1".into() } else { format!("1 to {players}") };
            let what = format!("--as: this game has no player {wrong}; known: {known}");
            return Err(Failure::impossible(what));
        }
        let is_human = |player: &Player| self.seats.contains(&(u64::from(player.0) + 1));
        let free = Player::all(players).filter(|player| !is_human(player)).count();
        if self.against.len() > free {
            return Err(self.superfluous(players, free));
        }
        let usual = self.against.is_empty().then(|| Opponents::of(game).usual);
        let last = self.against.last().or(usual.as_ref()).map_or("random", String::as_str);
        let mut agents = self.against.iter().map(String::as_str).chain(std::iter::repeat(last));
        let mut seat = |player: Player| {
            if is_human(&player) { Controller::Human } else { agents.next().unwrap_or(last).into() }
        };
        Ok(Player::all(players).map(&mut seat).collect())
    }

    /// More agents were given than seats are free.
    fn superfluous(&self, players: usize, free: usize) -> Failure {
        let (given, players) = (self.against.len(), counted(players));
        let left = if free == 0 { "no seat is left".into() } else { format!("{free} left") };
        let what = format!("--against: {given} given, but {left}: the game has {players}");
        let humans: Vec<String> = self.seats.iter().map(ToString::to_string).collect();
        let hint = format!("you play {}; `ludens watch` lets agents play alone", humans.join(", "));
        Failure::impossible(what).with_hint(hint)
    }
}

/// The text as part of an address.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let escape = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// Five digits are enough to differ, and few enough to be typed again.
fn seed_of_the_moment() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Rng::seeded(now.as_nanos() as u64).below(100_000) as u64
}
