//! The commands of the human player.

use std::path::PathBuf;

/// A command of the human player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerCommand {
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

/// The help text for commands.
pub(super) const HELP: &str = "  a move     plays it, written as `moves` shows it
  moves      what you may play
  hint       what a strong player would play
  values     what each move is worth
  undo       takes back your last move and all later ones
  side       changes sides
  save FILE  saves the game
  load FILE  continues a saved game
  board      draws the board again
  state      the state in one line, for --state
  quit       leaves the game; so does the end of the input
";

impl PlayerCommand {
    /// Parses `text`, unless it is a move that `legal` recognises.
    pub(super) fn read(text: &str, legal: impl Fn(&str) -> bool) -> PlayerCommand {
        let text = text.trim();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let file = || PathBuf::from(rest.trim());
        match (word, rest.is_empty()) {
            ("", _) => PlayerCommand::Nothing,
            _ if legal(text) => PlayerCommand::Play(text.into()),
            ("help" | "h" | "?", true) => PlayerCommand::Help,
            ("moves", true) => PlayerCommand::Moves,
            ("board", true) => PlayerCommand::Board,
            ("state", true) => PlayerCommand::State,
            ("undo", true) => PlayerCommand::Undo,
            ("hint", true) => PlayerCommand::Hint,
            ("values", true) => PlayerCommand::Values,
            ("side", true) => PlayerCommand::Side,
            ("save", false) => PlayerCommand::Save(file()),
            ("load", false) => PlayerCommand::Load(file()),
            ("quit" | "q" | "exit", true) => PlayerCommand::Quit,
            _ => PlayerCommand::Play(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_moves_come_before_words() {
        assert_eq!(PlayerCommand::read(" h ", |_| false), PlayerCommand::Help);
        assert_eq!(PlayerCommand::read("h", |text| text == "h"), PlayerCommand::Play("h".into()));
        assert_eq!(
            PlayerCommand::read("save a b.json", |_| false),
            PlayerCommand::Save("a b.json".into())
        );
        assert_eq!(PlayerCommand::read("save", |_| false), PlayerCommand::Play("save".into()));
        assert_eq!(PlayerCommand::read("", |_| false), PlayerCommand::Nothing);
    }
}
