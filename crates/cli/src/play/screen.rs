//! One game on the whole screen of a terminal.

mod app;
mod board;
mod cursor;
mod pace;
#[cfg(test)]
mod tests;
mod view;

use super::played_game::PlayedGame;
use crate::console::{Console, color_wanted};
use crate::failure::Failure;
use app::App;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// The redraw interval without input.
const REDRAW: Duration = Duration::from_millis(100);

/// Whether there is an interactive terminal.
pub(super) fn available() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb
}

/// Plays until the human quits.
pub(super) fn run(played_game: PlayedGame, seed: u64, out: &mut Console) -> Result<(), Failure> {
    show(App::new(played_game, seed, color_wanted()), out)
}

/// Lets agents play, with so much time between moves, until the human quits.
pub(super) fn watch(
    played_game: PlayedGame,
    seed: u64,
    between_moves: Duration,
    out: &mut Console,
) -> Result<(), Failure> {
    let app = App::new(played_game, seed, color_wanted());
    show(app.with_pace(between_moves), out)
}

fn show(mut app: App, out: &mut Console) -> Result<(), Failure> {
    let unusable = |e: io::Error| {
        let failure = Failure::failed(format_args!("the terminal cannot be used: {e}"));
        failure.with_hint("`--plain` plays in lines of text")
    };
    let mut terminal = ratatui::try_init().map_err(unusable)?;
    let ended = play(&mut terminal, &mut app);
    ratatui::restore();
    ended.map_err(unusable)?;
    Ok(writeln!(out, "{}", app.farewell())?)
}

fn play(terminal: &mut DefaultTerminal, app: &mut App) -> io::Result<()> {
    while !app.is_left() {
        app.advance();
        terminal.draw(|frame| view::draw(frame, app))?;
        if event::poll(app.wait(REDRAW))?
            && let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
        {
            app.press(key);
        }
    }
    Ok(())
}
