//! One game between those who sit at the board.

use super::prompt::Prompt;
use super::seat::Seat;
use crate::failure::Failure;
use crate::game_arg::entry_of;
use crate::output::Output;
use crate::progress::Progress;
use crate::words;
use ludens_core::{Player, Turn};
use ludens_registry::{Advice, AnyGame, LiveGame};
use std::io::Write;
use std::ops::ControlFlow::{self, Break, Continue};

/// One game between those who sit at the board.
pub(super) struct Session<'a> {
    pub(super) game: &'a dyn AnyGame,
    pub(super) live: Box<dyn LiveGame>,
    pub(super) seats: Vec<Seat>,
    pub(super) prompt: Prompt,
    /// The command that goes on with this game, up to its state.
    pub(super) again: String,
}

const HELP: &str = "  a move   plays it, written as `moves` shows it
  moves    what you may play
  board    draws the board again
  state    the state in one line, for --state
  undo     takes your last move back, and all that followed
  quit     leaves the game; so does the end of the input
";

impl Session<'_> {
    /// Plays until the game is over or a human leaves.
    pub(super) fn run(mut self, seed: u64, out: &mut Output) -> Result<(), Failure> {
        self.greet(seed, out)?;
        let mut drawn = None;
        loop {
            match self.live.turn() {
                Turn::Over => return self.tell_result(out),
                Turn::Chance => unreachable!("chance draws by itself"),
                Turn::Player(player) => {
                    let played = match &self.seats[player.index()] {
                        Seat::Human => {
                            // Drawn anew only if something has changed since.
                            if drawn != Some(self.live.state_text()) {
                                self.draw(out)?;
                                drawn = Some(self.live.state_text());
                            }
                            self.let_human_play(player, out)?
                        }
                        Seat::Agent(_) => self.let_agent_play(player, out)?,
                    };
                    if played.is_break() {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn greet(&self, seed: u64, out: &mut Output) -> Result<(), Failure> {
        let entry = entry_of(self.game);
        writeln!(out, "{}: {}", out.bold(entry.title), entry.about)?;
        let name = |(i, seat): (usize, &Seat)| format!("player {} is {seat}", i + 1);
        let names: Vec<String> = self.seats.iter().enumerate().map(name).collect();
        writeln!(out, "{}.", capitalised(&names.join(", ")))?;
        writeln!(out, "{}", out.dim(&format!("Type a move, or `help`. Seed {seed}.")))?;
        self.tell_chance(0, out)
    }

    /// The board, and what has been gained if anything has.
    fn draw(&self, out: &mut Output) -> Result<(), Failure> {
        out.draw(&self.live.scene())?;
        let (rewards, players) = (self.live.rewards(), self.seats.len());
        if rewards.first(players).iter().any(|&gain| gain != 0.0) {
            writeln!(out, "So far {}.", words::gains(rewards, players))?;
        }
        Ok(())
    }

    fn let_human_play(
        &mut self,
        player: Player,
        out: &mut Output,
    ) -> Result<ControlFlow<()>, Failure> {
        self.prompt.set_farewell(self.farewell());
        let Some(line) = self.prompt.ask(&format!("player {player}>"), out)? else {
            return self.leave(out);
        };
        let before = self.live.history().len();
        match line.as_str() {
            "" => {}
            text if self.is_legal(text) => {
                self.live.play(text)?;
                self.tell_chance(before + 1, out)?;
            }
            "help" | "h" | "?" => write!(out, "{HELP}")?,
            "moves" => writeln!(out, "{}", self.legal_texts().join(" "))?,
            "board" => self.draw(out)?,
            "state" => writeln!(out, "{}", self.live.state_text())?,
            "undo" if self.take_back() => {}
            "undo" => writeln!(out, "You have not played yet.")?,
            "quit" | "q" | "exit" => return self.leave(out),
            text => match self.live.play(text) {
                Ok(_) => self.tell_chance(before + 1, out)?,
                Err(reason) => writeln!(out, "{reason} (or `help`)")?,
            },
        }
        Ok(Continue(()))
    }

    fn let_agent_play(
        &mut self,
        player: Player,
        out: &mut Output,
    ) -> Result<ControlFlow<()>, Failure> {
        let thinking = Progress::new(format_args!("player {player} is thinking"));
        let chosen = self.live.choose();
        drop(thinking);
        match chosen {
            Ok(Advice { text, choice }) => {
                let before = self.live.history().len();
                self.live.play(&text)?;
                let value = choice.value.map_or(String::new(), |v| format!(", expecting {v:.2}"));
                writeln!(out, "Player {player} plays {text}{value}.")?;
                self.tell_chance(before + 1, out)?;
                Ok(Continue(()))
            }
            Err(reason) => {
                writeln!(out, "Player {player} gives up and loses: {reason}.")?;
                Ok(Break(()))
            }
        }
    }

    /// Tells what chance drew since the `from`-th thing that happened.
    fn tell_chance(&self, from: usize, out: &mut Output) -> Result<(), Failure> {
        let drawn = self.live.history().split_off(from);
        if !drawn.is_empty() {
            let drawn = drawn.join(" ").replace(['(', ')'], "");
            writeln!(out, "Chance draws {drawn}.")?;
        }
        Ok(())
    }

    fn is_legal(&self, text: &str) -> bool {
        self.legal_texts().iter().any(|legal| legal.eq_ignore_ascii_case(text))
    }

    fn legal_texts(&self) -> Vec<String> {
        self.live.legal().into_iter().map(|(_, text)| text).collect()
    }

    /// Goes back to where a human last moved. False if none has.
    fn take_back(&mut self) -> bool {
        let (mut earlier, mut moves) = (self.live.fork(), 0);
        while earlier.undo() {
            moves += 1;
            if let Turn::Player(player) = earlier.turn()
                && self.seats[player.index()] == Seat::Human
            {
                return (0..moves).all(|_| self.live.undo());
            }
        }
        false
    }

    fn leave(&self, out: &mut Output) -> Result<ControlFlow<()>, Failure> {
        writeln!(out, "{}", self.farewell())?;
        Ok(Break(()))
    }

    fn farewell(&self) -> String {
        format!(
            "You left the game. To go on: {} --state \"{}\"",
            self.again,
            self.live.state_text()
        )
    }

    fn tell_result(&self, out: &mut Output) -> Result<(), Failure> {
        out.draw(&self.live.scene())?;
        let is_human = |p: &Player| self.seats[p.index()] == Seat::Human;
        let players = self.seats.len();
        let humans: Vec<Player> = Player::all(players).filter(is_human).collect();
        let told = if self.live.history().is_empty() {
            "This game had already ended.".into()
        } else {
            words::outcome(self.live.rewards(), players, &humans)
        };
        writeln!(out, "{}", out.bold(&told))?;
        Ok(())
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
