//! One game in lines of text, for pipes and plain terminals.

use super::command::{HELP, PlayerCommand};
use super::played_game::{PlayedGame, advise};
use super::prompt::Prompt;
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::entry_of;
use crate::progress::ProgressLine;
use crate::words;
use ludens_core::Player;
use ludens_registry::Advice;
use std::io::Write;
use std::ops::ControlFlow::{self, Break, Continue};

/// One game in lines of text.
pub(super) struct Session {
    pub(super) played_game: PlayedGame,
    pub(super) prompt: Prompt,
}

impl Session {
    /// Plays until the game is over or the human quits.
    pub(super) fn run(mut self, seed: u64, out: &mut Console) -> Result<(), Failure> {
        self.greet(seed, out)?;
        let mut drawn = None;
        while let Some(player) = self.played_game.mover() {
            let played = if self.played_game.awaits_human() {
                // Drawn anew only if something has changed since.
                let state = self.played_game.live.state_text();
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
        out.draw(&self.played_game.live.scene())?;
        Ok(writeln!(out, "{}", out.bold(&self.played_game.result()))?)
    }

    fn greet(&self, seed: u64, out: &mut Console) -> Result<(), Failure> {
        let entry = entry_of(&*self.played_game.game);
        writeln!(out, "{}: {}", out.bold(entry.title), entry.about)?;
        writeln!(out, "{}.", self.played_game.players_in_words())?;
        if let Some(offer) = self.played_game.offer() {
            writeln!(out, "{}", out.dim(&offer))?;
        }
        writeln!(out, "{}", out.dim(&format!("Type a move, or `help`. Seed {seed}.")))?;
        self.print_chance(0, out)
    }

    /// The board, and what has been gained if anything has.
    fn draw(&self, out: &mut Console) -> Result<(), Failure> {
        out.draw(&self.played_game.live.scene())?;
        let (rewards, players) = (self.played_game.live.rewards(), self.played_game.seats.len());
        if rewards.first(players).iter().any(|&gain| gain != 0.0) {
            writeln!(out, "So far {}.", words::gains(rewards, players))?;
        }
        Ok(())
    }

    fn let_human_play(
        &mut self,
        player: Player,
        out: &mut Console,
    ) -> Result<ControlFlow<()>, Failure> {
        self.prompt.set_farewell(self.played_game.farewell());
        let Some(line) = self.prompt.ask(&format!("player {player}>"), out)? else {
            return self.leave(out);
        };
        match PlayerCommand::read(&line, |text| self.played_game.is_legal(text)) {
            PlayerCommand::Nothing => {}
            PlayerCommand::Help => write!(out, "{HELP}")?,
            PlayerCommand::Moves => writeln!(out, "{}", self.played_game.legal_texts().join(" "))?,
            PlayerCommand::Board => self.draw(out)?,
            PlayerCommand::State => writeln!(out, "{}", self.played_game.live.state_text())?,
            PlayerCommand::Undo if self.played_game.take_back() => {}
            PlayerCommand::Undo => writeln!(out, "You have not played yet.")?,
            PlayerCommand::Hint => self.hint(out)?,
            PlayerCommand::Values => self.values(out)?,
            PlayerCommand::Side => {
                self.played_game.change_sides()?;
                writeln!(out, "{}.", self.played_game.players_in_words())?;
            }
            PlayerCommand::Save(path) => {
                print_result(self.played_game.save(&path), "The game is written down.", out)?;
            }
            PlayerCommand::Load(path) => {
                print_result(self.played_game.load(&path), "The game continues.", out)?;
            }
            PlayerCommand::Quit => return self.leave(out),
            PlayerCommand::Play(text) => self.play(&text, out)?,
        }
        Ok(Continue(()))
    }

    fn play(&mut self, text: &str, out: &mut Console) -> Result<(), Failure> {
        let before = self.played_game.live.history().len();
        match self.played_game.live.play(text) {
            Ok(_) => self.print_chance(before + 1, out),
            Err(reason) => Ok(writeln!(out, "{reason} (or `help`)")?),
        }
    }

    fn hint(&self, out: &mut Console) -> Result<(), Failure> {
        let thinking = ProgressLine::new("looking for a hint");
        let advised =
            self.played_game.advice().map_err(|e| e.to_string()).and_then(|mut b| advise(&mut *b));
        drop(thinking);
        match advised {
            Ok(opinion) => writeln!(out, "Play {}.", opinion.line.join(", then "))?,
            Err(reason) => writeln!(out, "There is no hint: {reason}.")?,
        }
        Ok(())
    }

    fn values(&self, out: &mut Console) -> Result<(), Failure> {
        let thinking = ProgressLine::new("weighing the moves");
        let advised =
            self.played_game.advice().map_err(|e| e.to_string()).and_then(|mut b| advise(&mut *b));
        drop(thinking);
        let values = advised.as_ref().ok().and_then(|opinion| opinion.values.as_ref());
        let Some(values) = values else {
            return Ok(writeln!(out, "Nobody can tell what the moves are worth.")?);
        };
        let texts = self.played_game.legal_texts().into_iter().zip(values);
        let texts: Vec<String> = texts.map(|(text, value)| format!("{text} {value:+.2}")).collect();
        Ok(writeln!(out, "{}", texts.join("  "))?)
    }

    fn let_agent_play(
        &mut self,
        player: Player,
        out: &mut Console,
    ) -> Result<ControlFlow<()>, Failure> {
        let thinking = ProgressLine::new(format_args!("player {player} is thinking"));
        let chosen = self.played_game.live.choose();
        drop(thinking);
        match chosen {
            Ok(Advice { text, choice }) => {
                let before = self.played_game.live.history().len();
                self.played_game.live.play(&text)?;
                let value = choice.value.map_or(String::new(), |v| format!(", expecting {v:.2}"));
                writeln!(out, "Player {player} plays {text}{value}.")?;
                self.print_chance(before + 1, out)?;
                Ok(Continue(()))
            }
            Err(reason) => {
                writeln!(out, "Player {player} gives up and loses: {reason}.")?;
                Ok(Break(()))
            }
        }
    }

    /// Tells what chance drew since the `from`-th thing that happened.
    fn print_chance(&self, from: usize, out: &mut Console) -> Result<(), Failure> {
        let drawn = self.played_game.live.history().split_off(from);
        if !drawn.is_empty() {
            let drawn = drawn.join(" ").replace(['(', ')'], "");
            writeln!(out, "Chance draws {drawn}.")?;
        }
        Ok(())
    }

    fn leave(&self, out: &mut Console) -> Result<ControlFlow<()>, Failure> {
        writeln!(out, "{}", self.played_game.farewell())?;
        Ok(Break(()))
    }
}

/// Prints the result of an action.
fn print_result(
    done: Result<(), Failure>,
    success: &str,
    out: &mut Console,
) -> Result<(), Failure> {
    match done {
        Ok(()) => Ok(writeln!(out, "{success}")?),
        Err(failure) => Ok(writeln!(out, "{failure}")?),
    }
}
