//! Who sits at the board.

/// Who decides for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Whoever types.
    Human,
    /// The agent that is written so.
    Agent(String),
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Seat::Human => f.write_str("you"),
            Seat::Agent(agent) => f.write_str(agent),
        }
    }
}

impl From<&str> for Seat {
    fn from(text: &str) -> Seat {
        if text == "human" { Seat::Human } else { Seat::Agent(text.into()) }
    }
}
