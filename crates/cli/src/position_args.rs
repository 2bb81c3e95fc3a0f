//! The arguments that name a position of a game.

use crate::failure::Failure;
use ludens_core::Invalid;
use ludens_registry::{AnyGame, LiveGame};

/// The arguments that name a position of a game.
#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    /// Play these moves, separated by spaces or commas
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Begin in this state instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    state: Option<String>,
}

impl PositionArgs {
    /// The game in that position; chance draws from `seed`.
    pub(crate) fn open(&self, game: &dyn AnyGame, seed: u64) -> Result<Box<dyn LiveGame>, Failure> {
        let mut live = game.live(seed);
        if let Some(text) = &self.state {
            live.set_state(text).map_err(|e| e.about("--state"))?;
        }
        let moves = self.moves.as_deref().unwrap_or_default();
        let words = moves.split([' ', ',']).filter(|word| !word.is_empty());
        for (i, word) in words.enumerate() {
            let wrong = |e: Invalid| e.about(format_args!("--moves: move {}", i + 1));
            live.play(word).map_err(wrong)?;
        }
        Ok(live)
    }
}
