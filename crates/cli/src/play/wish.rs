//! What the human wants.

use std::path::PathBuf;

/// What the human wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Nothing,
    Help,
    Moves,
    Board,
    State,
    Undo,
    Hint,
    Values,
    Side,
    Save(PathBuf),
    Load(PathBuf),
    Quit,
    /// Everything else is meant as a move.
    Play(String),
}

/// What can be typed besides moves.
pub(super) const HELP: &str = "  a move     plays it, written as `moves` shows it
  moves      what you may play
  hint       what a strong player would play
  values     what each move is worth
  undo       takes your last move back, and all that followed
  side       changes sides
  save FILE  writes the game down
  load FILE  goes on with a game that was written down
  board      draws the board again
  state      the state in one line, for --state
  quit       leaves the game; so does the end of the input
";

impl Wish {
    /// What `text` asks for, unless it is the move that `legal` recognises.
    pub(super) fn read(text: &str, legal: impl Fn(&str) -> bool) -> Wish {
        let text = text.trim();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let file = || PathBuf::from(rest.trim());
        match (word, rest.is_empty()) {
            ("", _) => Wish::Nothing,
            _ if legal(text) => Wish::Play(text.into()),
            ("help" | "h" | "?", true) => Wish::Help,
            ("moves", true) => Wish::Moves,
            ("board", true) => Wish::Board,
            ("state", true) => Wish::State,
            ("undo", true) => Wish::Undo,
            ("hint", true) => Wish::Hint,
            ("values", true) => Wish::Values,
            ("side", true) => Wish::Side,
            ("save", false) => Wish::Save(file()),
            ("load", false) => Wish::Load(file()),
            ("quit" | "q" | "exit", true) => Wish::Quit,
            _ => Wish::Play(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_moves_come_before_words() {
        assert_eq!(Wish::read(" h ", |_| false), Wish::Help);
        assert_eq!(Wish::read("h", |text| text == "h"), Wish::Play("h".into()));
        assert_eq!(Wish::read("save a b.json", |_| false), Wish::Save("a b.json".into()));
        assert_eq!(Wish::read("save", |_| false), Wish::Play("save".into()));
        assert_eq!(Wish::read("", |_| false), Wish::Nothing);
    }
}
