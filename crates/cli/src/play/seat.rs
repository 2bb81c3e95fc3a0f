//! Who sits at the board.

use ludens_core::{Forfeit, Rng};
use ludens_registry::LiveGame;

/// Who decides for one player.
pub(super) enum Seat {
    /// Whoever types.
    Human,
    /// A program.
    Agent(Box<dyn LiveAgent>),
}

impl Seat {
    /// How it is called.
    pub(super) fn name(&self) -> String {
        match self {
            Seat::Human => "you".into(),
            Seat::Agent(agent) => agent.name(),
        }
    }
}

/// An agent that plays a game whose type is forgotten.
pub(super) trait LiveAgent {
    /// How it is called.
    fn name(&self) -> String;

    /// Picks a legal move, as players write it. Called only on a player's turn.
    fn choose(&mut self, live: &dyn LiveGame) -> Result<String, Forfeit>;
}

/// Plays any legal move.
pub(super) struct Random(pub(super) Rng);

impl LiveAgent for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn choose(&mut self, live: &dyn LiveGame) -> Result<String, Forfeit> {
        let mut legal = live.legal();
        let drawn = self.0.below(legal.len());
        Ok(legal.swap_remove(drawn).1)
    }
}
