//! One game in lines of text, for pipes and plain terminals.

use super::prompt::Prompt;
use super::round::{Round, advise};
use super::seat::Seat;
use super::wish::{HELP, Wish};
use crate::failure::Failure;
use crate::game_arg::entry_of;
use crate::output::Output;
use crate::progress::Progress;
use crate::words;
use ludens_core::Player;
use ludens_registry::Advice;
use std::io::Write;
use std::ops::ControlFlow::{self, Break, Continue};

/// One game in lines of text.
pub(super) struct Session {
    pub(super) round: Round,
    pub(super) prompt: Prompt,
}

impl Session {
    /// Plays until the game is over or a human leaves.
    pub(super) fn run(mut self, seed: u64, out: &mut Output) -> Result<(), Failure> {
        self.greet(seed, out)?;
        let mut drawn = None;
        while let Some(player) = self.round.mover() {
            let played = if self.round.awaits_human() {
                // Drawn anew only if something has changed since.
                let state = self.round.live.state_text();
                if drawn.as_ref() != Some(&state) {
                    self.draw(out)?;
                    drawn = Some(state);
                }
                self.let_human_play(player, out)?
            } else {
                self.let_agent_play(player, out)?
            };
            if played.is_break() {
                return Ok(());
            }
        }
        out.draw(&self.round.live.scene())?;
        Ok(writeln!(out, "{}", out.bold(&self.round.result()))?)
    }

    fn greet(&self, seed: u64, out: &mut Output) -> Result<(), Failure> {
        let entry = entry_of(&*self.round.game);
        writeln!(out, "{}: {}", out.bold(entry.title), entry.about)?;
        writeln!(out, "{}.", self.players())?;
        writeln!(out, "{}", out.dim(&format!("Type a move, or `help`. Seed {seed}.")))?;
        self.tell_chance(0, out)
    }

    fn players(&self) -> String {
        let name = |(i, seat): (usize, &Seat)| format!("player {} is {seat}", i + 1);
        let names: Vec<String> = self.round.seats.iter().enumerate().map(name).collect();
        capitalised(&names.join(", "))
    }

    /// The board, and what has been gained if anything has.
    fn draw(&self, out: &mut Output) -> Result<(), Failure> {
        out.draw(&self.round.live.scene())?;
        let (rewards, players) = (self.round.live.rewards(), self.round.seats.len());
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
        self.prompt.set_farewell(self.round.farewell());
        let Some(line) = self.prompt.ask(&format!("player {player}>"), out)? else {
            return self.leave(out);
        };
        match Wish::read(&line, |text| self.round.is_legal(text)) {
            Wish::Nothing => {}
            Wish::Help => write!(out, "{HELP}")?,
            Wish::Moves => writeln!(out, "{}", self.round.legal_texts().join(" "))?,
            Wish::Board => self.draw(out)?,
            Wish::State => writeln!(out, "{}", self.round.live.state_text())?,
            Wish::Undo if self.round.take_back() => {}
            Wish::Undo => writeln!(out, "You have not played yet.")?,
            Wish::Hint => self.hint(out)?,
            Wish::Values => self.values(out)?,
            Wish::Side => {
                self.round.change_sides()?;
                writeln!(out, "{}.", self.players())?;
            }
            Wish::Save(path) => tell(self.round.save(&path), "The game is written down.", out)?,
            Wish::Load(path) => tell(self.round.load(&path), "The game goes on.", out)?,
            Wish::Quit => return self.leave(out),
            Wish::Play(text) => self.play(&text, out)?,
        }
        Ok(Continue(()))
    }

    fn play(&mut self, text: &str, out: &mut Output) -> Result<(), Failure> {
        let before = self.round.live.history().len();
        match self.round.live.play(text) {
            Ok(_) => self.tell_chance(before + 1, out),
            Err(reason) => Ok(writeln!(out, "{reason} (or `help`)")?),
        }
    }

    fn hint(&self, out: &mut Output) -> Result<(), Failure> {
        let thinking = Progress::new("looking for a hint");
        let advised =
            self.round.advice().map_err(|e| e.to_string()).and_then(|mut b| advise(&mut *b));
        drop(thinking);
        match advised {
            Ok(opinion) => writeln!(out, "Play {}.", opinion.line.join(", then "))?,
            Err(reason) => writeln!(out, "There is no hint: {reason}.")?,
        }
        Ok(())
    }

    fn values(&self, out: &mut Output) -> Result<(), Failure> {
        let thinking = Progress::new("weighing the moves");
        let advised =
            self.round.advice().map_err(|e| e.to_string()).and_then(|mut b| advise(&mut *b));
        drop(thinking);
        let values = advised.as_ref().ok().and_then(|opinion| opinion.values.as_ref());
        let Some(values) = values else {
            return Ok(writeln!(out, "Nobody can tell what the moves are worth.")?);
        };
        let texts = self.round.legal_texts().into_iter().zip(values);
        let texts: Vec<String> = texts.map(|(text, value)| format!("{text} {value:+.2}")).collect();
        Ok(writeln!(out, "{}", texts.join("  "))?)
    }

    fn let_agent_play(
        &mut self,
        player: Player,
        out: &mut Output,
    ) -> Result<ControlFlow<()>, Failure> {
        let thinking = Progress::new(format_args!("player {player} is thinking"));
        let chosen = self.round.live.choose();
        drop(thinking);
        match chosen {
            Ok(Advice { text, choice }) => {
                let before = self.round.live.history().len();
                self.round.live.play(&text)?;
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
        let drawn = self.round.live.history().split_off(from);
        if !drawn.is_empty() {
            let drawn = drawn.join(" ").replace(['(', ')'], "");
            writeln!(out, "Chance draws {drawn}.")?;
        }
        Ok(())
    }

    fn leave(&self, out: &mut Output) -> Result<ControlFlow<()>, Failure> {
        writeln!(out, "{}", self.round.farewell())?;
        Ok(Break(()))
    }
}

/// What was done, or why it could not be.
fn tell(done: Result<(), Failure>, success: &str, out: &mut Output) -> Result<(), Failure> {
    match done {
        Ok(()) => Ok(writeln!(out, "{success}")?),
        Err(failure) => Ok(writeln!(out, "{failure}")?),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
