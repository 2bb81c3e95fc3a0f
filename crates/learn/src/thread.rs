//! One of several threads that play at once.

use crate::build::{build_learner_of, explore_at};
use crate::config::Config;
use crate::relay::Share;
use crate::{Episode, Learner, Scout, Seat, Start, Transcript, Value, Watch, play_episode};
use ludens_core::{MAX_PLAYERS, Notation, Rng};

/// What a thread needs to know to play its games.
pub(crate) struct Thread<'a, G: Notation> {
    pub(crate) game: &'a G,
    pub(crate) config: &'a Config,
    pub(crate) seed: u64,
    pub(crate) start: &'a Start<G::State>,
}

impl<G: Notation> Thread<'_, G> {
    /// Plays one game of self-play and learns from it.
    pub(crate) fn learn(&self, learner: &mut dyn Learner<G>, episode: u64) -> Episode {
        learner.value().net_mut().set_rate(self.rate(episode));
        self.play_with(learner, episode, None).1
    }

    /// Plays and learns these games of self-play.
    pub(crate) fn learn_all(&self, value: Value<G>, episodes: impl Iterator<Item = u64>) -> Share {
        let learner = build_learner_of(self.game, self.config, value);
        let mut learner = learner.expect("the same was built before");
        let played = episodes.map(|episode| self.learn(&mut *learner, episode)).collect();
        let value = learner.value();
        Share { played, errors: value.errors, evaluated: value.evaluated }
    }

    /// The learning rate of a game.
    pub(crate) fn rate(&self, episode: u64) -> f32 {
        self.config.learner.alpha.at(episode, self.config.episodes)
    }

    /// What a game of self-play draws from, and where it begins.
    pub(crate) fn begin(&self, episode: u64) -> (Rng, G::State) {
        let mut rng = Rng::derived(self.seed, "episode", episode);
        rng.unit(); // Stands for the draw of a source.
        let state = self.start.draw(self.game, &mut rng);
        (rng, state)
    }

    fn play_with(
        &self,
        learner: &mut dyn Learner<G>,
        episode: u64,
        note: Watch<'_>,
    ) -> (G::State, Episode) {
        let (mut rng, start) = self.begin(episode);
        let (explore, state) = (explore_at(self.config, episode), start.clone());
        let mut seats: [Seat<'_, G>; MAX_PLAYERS] = std::array::from_fn(|_| Seat::Learner);
        let result = play_episode(self.game, learner, &mut seats, state, explore, &mut rng, note);
        (start, result.expect("a learner never forfeits"))
    }

    /// Plays one game of self-play exactly as [`Trainer::step`](crate::Trainer::step) would.
    pub(crate) fn play(
        &self,
        scout: &mut Scout<G>,
        episode: u64,
    ) -> (Transcript<G::State>, Episode) {
        let mut played = Vec::new();
        let note = &mut |what, explored| played.push((what, explored));
        let (start, episode) = self.play_with(scout, episode, Some(note));
        (Transcript { start, played }, episode)
    }
}
