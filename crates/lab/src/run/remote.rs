//! Those who play for a run elsewhere.

use crate::RunError;
use ludens_registry::Training;

/// Somebody who plays the games of a batch elsewhere, such as on other machines.
pub trait RemoteActors: Send {
    /// Lets the missing games of the batch be played with the weights as they are; returns them in
    /// order, as [`Training::play_games`] does.
    ///
    /// # Errors
    ///
    /// If there is nobody left to play.
    fn play(&mut self, training: &mut dyn Training) -> Result<Vec<u8>, RunError>;
}
