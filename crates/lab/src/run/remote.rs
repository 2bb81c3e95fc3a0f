//! Remote actors that play the games of a run.

use crate::RunError;
use ludens_registry::Training;

/// Actors that play the games of a batch, for example on other machines.
pub trait RemoteActors: Send {
    /// Plays the missing games of the batch with the current weights. Returns them in order, in the
    /// format of [`Training::play_games`].
    ///
    /// # Errors
    ///
    /// If there is nobody left to play.
    fn play(&mut self, training: &mut dyn Training) -> Result<Vec<u8>, RunError>;
}
