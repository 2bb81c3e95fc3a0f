//! Self-play: the general episode loop, its fast special cases, and ways to use several threads.

mod actor;
mod batch;
mod episode;
mod fused;
mod hogwild;
mod pipelined;
mod remote;
pub(crate) mod source;
mod start;
#[cfg(test)]
mod tests;
mod transcript;
mod waiting;

pub use actor::GreedyActor;
pub(crate) use batch::play_parallel;
pub use episode::{Episode, EpisodeRunner, Observer, Seat};
pub(crate) use fused::FusedBuffers;
pub(crate) use hogwild::train_hogwild;
pub(crate) use pipelined::{GAMES_PER_THREAD, train_pipelined};
pub use start::Start;
pub use transcript::Transcript;
pub(crate) use waiting::available_cores;

use crate::algorithm::Learner;
use crate::build::{build_learner_of, explore_at, search_depth};
use crate::{Config, EpisodeLoop, Errors, Policy, Value};
use ludens_core::{MAX_PLAYERS, Notation, Played, Rng, TrainableGame};

/// What every thread needs to know to play its games of self-play.
pub(crate) struct SelfPlay<'a, G: Notation> {
    pub(crate) game: &'a G,
    pub(crate) config: &'a Config,
    pub(crate) seed: u64,
    pub(crate) start: &'a Start<G::State>,
    pub(crate) episode_loop: EpisodeLoop,
}

/// What one thread has played and learned.
pub(crate) struct ThreadResult {
    pub(crate) played: Vec<Episode>,
    pub(crate) errors: Errors,
    pub(crate) evaluated: u64,
}

impl<G: TrainableGame> SelfPlay<'_, G> {
    /// Plays and learns these games.
    pub(crate) fn learn(
        &self,
        value: Value<G>,
        episodes: impl Iterator<Item = u64>,
    ) -> ThreadResult {
        let learner = build_learner_of(self.game, self.config, value);
        let mut learner = learner.expect("the same was built before");
        let mut policy = Policy::new(search_depth(self.config));
        let played = episodes.map(|episode| {
            learner.value().network_mut().set_step_size(self.alpha(episode));
            self.play(&mut *learner, &mut policy, episode, None).1
        });
        let played = played.collect();
        let value = learner.value();
        ThreadResult { played, errors: value.errors, evaluated: value.evaluated }
    }

    /// The step size of a game.
    pub(crate) fn alpha(&self, episode: u64) -> f32 {
        self.config.learner.alpha.at(episode, self.config.episodes)
    }

    /// The random stream of a game and its start.
    pub(crate) fn begin(&self, episode: u64) -> (Rng, G::State) {
        let mut rng = Rng::derived(self.seed, "episode", episode);
        rng.unit(); // The draw of a source, which self-play does not need.
        let state = self.start.draw(self.game, &mut rng);
        (rng, state)
    }

    /// Plays one game. Returns its start and its result.
    pub(crate) fn play(
        &self,
        learner: &mut dyn Learner<G>,
        policy: &mut Policy,
        episode: u64,
        observer: Observer<'_>,
    ) -> (G::State, Episode) {
        let (mut rng, start) = self.begin(episode);
        let mut seats: [Seat<'_, G>; MAX_PLAYERS] = std::array::from_fn(|_| Seat::Learner);
        let runner = EpisodeRunner {
            game: self.game,
            learner,
            policy,
            seats: &mut seats,
            explore: explore_at(self.config, episode),
            episode_loop: self.episode_loop,
            // Borrowed again, for the shorter life of this game.
            observer: observer.map(|observer| observer as &mut dyn FnMut(Played, bool)),
        };
        let result = runner.play(start.clone(), &mut rng);
        (start, result.expect("a learner never forfeits"))
    }
}
