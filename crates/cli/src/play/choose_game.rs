//! Asking which game to play.

use super::prompt::Prompt;
use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg;
use crate::text_table::TextTable;
use ludens_registry::{AnyGame, GAMES, find_champion};
use std::io::{self, IsTerminal, Write};

/// Lists the games and asks for one, if there is a terminal to ask on.
pub(super) fn choose_game(out: &mut Console) -> Result<Box<dyn AnyGame>, Failure> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let names: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
        let what = format!("expected a game: one of {}", names.join(", "));
        return Err(Failure::impossible(what).with_hint("for example `ludens play connect4`"));
    }
    let mut table = TextTable::new(&[">", "game", "opponent", "aim"]);
    for (number, entry) in (1..).zip(GAMES) {
        let opponent = if find_champion(entry.name).is_some() { "champion" } else { "search" };
        let row = [number.to_string(), entry.title.into(), opponent.into(), entry.about.into()];
        table.row(row.into());
    }
    table.write(out)?;
    let prompt = Prompt::new();
    loop {
        let Some(answer) = prompt.ask("Which game (number or name)?", out)? else {
            return Err(Failure::impossible("no game was chosen"));
        };
        match game_arg::open(named(&answer)) {
            Ok(game) => return Ok(game),
            Err(failure) => writeln!(out, "{failure}")?,
        }
    }
}

/// The game with this number in the list, or the text itself.
fn named(answer: &str) -> &str {
    let number = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.and_then(|index| GAMES.get(index)).map_or(answer, |entry| entry.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_chosen_by_number_or_name() {
        assert_eq!(named("1"), GAMES[0].name);
        assert_eq!((named("0"), named("99"), named("hex:size=4")), ("0", "99", "hex:size=4"));
    }
}
