//! Games written in SGF, which other programs read.

use ludens_core::{Invalid, Notation, Record};
use std::fmt::Write;

/// The SGF description of a game.
struct SgfFormat {
    name: &'static str,
    /// The number of the game in the list of SGF FF[4].
    number: u32,
    /// Our texts that are written otherwise.
    words: &'static [(&'static str, &'static str)],
}

/// The games that can be written. The first player is black.
const FORMATS: &[SgfFormat] = &[
    SgfFormat { name: "hex", number: 11, words: &[("swap", "swap-pieces")] },
    SgfFormat { name: "othello", number: 2, words: &[("pass", "")] },
];

/// The record as SGF. Cells are written as players do: a letter and a number.
///
/// # Errors
///
/// If SGF has no place for the game, or the game did not begin at the usual start.
pub fn sgf<G: Notation>(game: &G, record: &Record) -> Result<String, Invalid> {
    let known = || FORMATS.iter().map(|f| f.name).collect::<Vec<_>>().join(", ");
    let format = FORMATS.iter().find(|f| f.name == G::NAME).ok_or_else(|| {
        Invalid(format!("{} cannot be written in SGF; these can: {}", G::NAME, known()))
    })?;
    if record.start.is_some() {
        return Err(Invalid("only games from the usual start can be written in SGF".into()));
    }
    let [black, white] = &record.players[..] else {
        return Err(Invalid(format!("expected 2 players, found {}", record.players.len())));
    };
    let mut out = format!("(;FF[4]GM[{}]SZ[{}]", format.number, game.layout().width);
    let _ = write!(out, "PB[{}]PW[{}]RE[{}]", escaped(black), escaped(white), result(record));
    for (i, text) in record.played.iter().enumerate() {
        let color = if i % 2 == 0 { 'B' } else { 'W' };
        let word = format.words.iter().find(|(ours, _)| ours == text).map_or(&**text, |w| w.1);
        let _ = write!(out, ";{color}[{word}]");
    }
    out.push_str(")\n");
    Ok(out)
}

fn result(record: &Record) -> &'static str {
    let reward = record.rewards.first().copied().unwrap_or(0.0);
    match record.forfeit {
        Some(_) if reward > 0.0 => "B+Forfeit",
        Some(_) => "W+Forfeit",
        None if reward > 0.0 => "B+",
        None if reward < 0.0 => "W+",
        None => "0",
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_games::TicTacToe;

    #[test]
    fn games_that_sgf_does_not_know_are_refused() {
        let refused = sgf(&TicTacToe, &Record::default()).unwrap_err().to_string();
        assert_eq!(refused, "tictactoe cannot be written in SGF; these can: hex, othello");
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped(r"a]b\c"), r"a\]b\\c");
    }
}
