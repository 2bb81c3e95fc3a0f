//! A run of learning, episode by episode.

use crate::build::{build_learner, build_start, explore_at};
use crate::config::Config;
use crate::{Episode, Learner, Seat, Start, Value, play_episode};
use ludens_core::{Forfeit, Invalid, Notation, Played, Rng};

/// A run of learning: what has been learned, and how far it has come.
///
/// Each episode draws from its own stream, so that a run that was stopped goes on as if it had not
/// been.
pub struct Trainer<G: Notation> {
    game: G,
    config: Config,
    seed: u64,
    episode: u64,
    start: Start<G::State>,
    learner: Box<dyn Learner<G>>,
}

impl<G: Notation> Trainer<G> {
    /// A run at its beginning.
    ///
    /// # Errors
    ///
    /// If the choices in `config` do not go together.
    pub fn new(game: G, config: Config, seed: u64) -> Result<Trainer<G>, Invalid> {
        let learner = build_learner(&game, &config, seed)?;
        let start = build_start(&game, &config.start)?;
        Ok(Trainer { game, config, seed, episode: 0, start, learner })
    }

    /// How many episodes have been learned.
    pub fn episode(&self) -> u64 {
        self.episode
    }

    /// Goes on as if this many episodes had been learned.
    pub fn set_episode(&mut self, episode: u64) {
        self.episode = episode;
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What was chosen.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What has been learned.
    pub fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }

    /// Plays and learns one episode; `watch` hears of everything played.
    ///
    /// # Errors
    ///
    /// If an agent cannot go on.
    pub fn step(&mut self, watch: &mut dyn FnMut(Played)) -> Result<Episode, Forfeit> {
        let rng = &mut Rng::derived(self.seed, "episode", self.episode);
        let rate = self.config.learner.alpha.at(self.episode, self.config.episodes);
        self.learner.value().net.set_rate(rate);
        let explore = explore_at(&self.config, self.episode);
        let state = self.start.draw(&self.game, rng);
        let mut seats: [Seat<'_, G>; ludens_core::MAX_PLAYERS] =
            std::array::from_fn(|_| Seat::Learner);
        let learner = &mut *self.learner;
        let episode = play_episode(&self.game, learner, &mut seats, state, explore, rng, watch)?;
        self.episode += 1;
        Ok(episode)
    }
}
