//! The controller of a player: human or agent.

/// The controller of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Controller {
    /// A human at the terminal.
    Human,
    /// The agent that is written so.
    Agent(String),
}

impl std::fmt::Display for Controller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Controller::Human => f.write_str("you"),
            Controller::Agent(agent) => f.write_str(agent),
        }
    }
}

impl From<&str> for Controller {
    fn from(text: &str) -> Controller {
        if text == "human" { Controller::Human } else { Controller::Agent(text.into()) }
    }
}
