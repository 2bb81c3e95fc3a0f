//! Games of a batch that remote actors play, such as on other machines.

use super::{Episode, Transcript};
use crate::{GameObserver, Trainer};
use ludens_core::{Invalid, Played, Rewards, Rng, TrainableGame, Turn};
use std::ops::Range;

/// Everything that happened in a game, and whether it was exploratory.
type RemoteGame = Vec<(Played, bool)>;

impl<G: TrainableGame> Trainer<G> {
    /// The numbers of the games that the batch still needs.
    pub fn missing_games(&self) -> Range<u64> {
        let size = self.batch_size();
        self.episode..(self.episode - self.episode % size + size).min(self.config.episodes)
    }

    /// Plays these games with the weights as they are, and learns nothing.
    ///
    /// # Errors
    ///
    /// As for [`Trainer::step_batch`].
    pub fn play_games(
        &mut self,
        games: Range<u64>,
        threads: usize,
    ) -> Result<Vec<RemoteGame>, Invalid> {
        let played = self.play_batch(games, threads)?;
        Ok(played.into_iter().map(|(transcript, _)| transcript.played).collect())
    }

    /// Learns the rest of the batch from games that remote actors played with the same weights; the
    /// result is the same as if they had been played here.
    ///
    /// # Errors
    ///
    /// If they are not as many as are missing, or contain an illegal move; nothing is learned then.
    pub fn learn_games(
        &mut self,
        games: Vec<RemoteGame>,
        observer: &mut GameObserver<'_, G::State>,
    ) -> Result<(), Invalid> {
        self.check_batch()?;
        let missing = self.missing_games();
        let (expected, found) = (missing.end - missing.start, games.len() as u64);
        if found != expected {
            return Err(Invalid(format!("expected {expected} games, found {found}")));
        }
        let read = |(played, number): (RemoteGame, u64)| self.read_game(played, number);
        let read = games.into_iter().zip(missing.clone()).map(read).collect::<Result<Vec<_>, _>>();
        for ((transcript, result), number) in read?.into_iter().zip(missing.clone()) {
            observer(number, &transcript, &result);
            self.batch.push(transcript);
        }
        self.episode = missing.end;
        self.learn_if_complete(false);
        Ok(())
    }

    fn read_game(
        &self,
        played: RemoteGame,
        number: u64,
    ) -> Result<(Transcript<G::State>, Episode), Invalid> {
        let rng = &mut Rng::derived(self.seed, "episode", number);
        rng.unit(); // The draw of a source, which self-play does not need.
        let start = self.start.draw(&self.game, rng);
        let (mut state, mut rewards, mut moves) = (start.clone(), Rewards::NONE, 0);
        let (mut legal, mut events) = (Vec::new(), Vec::new());
        for &(what, _) in &played {
            legal.clear();
            events.clear();
            self.game.legal_moves(&state, &mut legal);
            self.game.events(&state, &mut events);
            match (what, self.game.turn(&state)) {
                (Played::Move(mv), Turn::Player(_)) if legal.contains(&mv) => {
                    moves += 1;
                    rewards += self.game.play(&mut state, mv);
                }
                (Played::Event(event), Turn::Chance) if events.iter().any(|e| e.0 == event) => {
                    rewards += self.game.resolve(&mut state, event);
                }
                _ => return Err(Invalid(format!("game {number}: {what:?} cannot be played"))),
            }
        }
        Ok((Transcript { start, played }, Episode { rewards, moves }))
    }
}
