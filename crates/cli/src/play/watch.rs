//! `ludens watch`: agents play in the terminal.

use super::controller::Controller;
use super::played_game::PlayedGame;
use super::screen;
use super::seed_of_the_moment;
use crate::agent_arg::agent_text;
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::usage::whole;
use ludens_registry::{AnyGame, CHAMPION, find_champion};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// Plays agents against each other, for you to watch.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens watch 2048
  ludens watch connect4 champion mcts:iterations=2000 --pace 1
  ludens watch tictactoe champion perfect --seed 1 --plain
  ludens watch 2048 champion --seed 1 --every 1000 > game.txt

On a terminal: Space pauses, s plays one move, + and - change the pace, q leaves.")]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    game: GameArg,

    /// The agents, one for each player; the last one plays all that are left
    /// [default: champion, or mcts where there is none]
    #[arg(value_name = "AGENT", value_parser = agent_text())]
    agents: Vec<String>,

    /// Seconds from one move to the next, on terminals
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = pace)]
    pace: Duration,

    /// In plain text, show the board every N moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1_000_000_000))]
    every: u64,

    /// Begin in this state instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    state: Option<String>,

    /// Show lines of text, even on a terminal
    #[arg(long)]
    plain: bool,

    /// The random seed [default: differs every time]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
}

impl WatchArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        let seats = seats(&*game, &self.agents)?;
        let seed = self.seed.unwrap_or_else(seed_of_the_moment);
        let mut live = game.live(seed);
        if let Some(text) = &self.state {
            live.set_state(text).map_err(|e| e.about("--state"))?;
        }
        let mut played_game = PlayedGame { game, live, seats, advisor: None };
        played_game.seat_agents()?;
        if screen::available() && !self.plain {
            return screen::watch(played_game, seed, self.pace, out);
        }
        self.print(played_game, seed, out)
    }

    /// Plays the game in lines of text; the pace is for terminals.
    fn print(
        &self,
        mut played_game: PlayedGame,
        seed: u64,
        out: &mut Console,
    ) -> Result<(), Failure> {
        let slow = io::stdout().is_terminal();
        writeln!(out, "{}. Seed {seed}.", played_game.players_in_words())?;
        out.draw(&played_game.live.scene())?;
        let mut told = played_game.live.history().len();
        for number in 1.. {
            let Some(player) = played_game.mover() else { break };
            if slow {
                out.flush()?;
                std::thread::sleep(self.pace);
            }
            let chosen = played_game.live.choose();
            let advice = chosen.map_err(|e| Failure::failed(format!("player {player}: {e}")))?;
            played_game.live.play(&advice.text)?;
            let happened = played_game.live.history().split_off(told);
            told += happened.len();
            writeln!(out, "{number}. player {player}: {}", happened.join(" "))?;
            if number % self.every == 0 && played_game.mover().is_some() {
                out.draw(&played_game.live.scene())?;
            }
        }
        out.draw(&played_game.live.scene())?;
        Ok(writeln!(out, "{}", out.bold(&played_game.result()))?)
    }
}

/// The agents in their order, the last one repeated.
fn seats(game: &dyn AnyGame, agents: &[String]) -> Result<Vec<Controller>, Failure> {
    let info = game.info();
    if agents.len() > info.players {
        let (found, players, spec) = (agents.len(), info.players, &info.spec);
        let what = format!("{spec} has {}; {found} agents were given", counted(players));
        return Err(Failure::impossible(what));
    }
    let usual = if find_champion(&info.spec).is_some() { CHAMPION } else { "mcts" };
    let last = agents.last().map_or(usual, String::as_str);
    let named = agents.iter().map(String::as_str).chain(std::iter::repeat(last));
    Ok(named.take(info.players).map(|agent| Controller::Agent(agent.into())).collect())
}

/// A number of players in words.
pub(super) fn counted(players: usize) -> String {
    if players == 1 { "one player".into() } else { format!("{players} players") }
}

fn pace(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    let seconds = seconds.ok_or("expected a number of seconds from 0 to 3600")?;
    Ok(Duration::from_secs_f64(seconds))
}
