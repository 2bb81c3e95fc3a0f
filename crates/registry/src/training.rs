//! A training run with the game type erased.

mod open;
mod remote;
mod statistics;
mod store;

pub(crate) use open::{OpenValue, open_shared, open_value};
pub use statistics::{Statistics, ValueSize};

use crate::any_arena::measure;
use crate::live_game::TypedLiveGame;
use crate::{Content, Hooks, LiveGame, MeasureOptions, ValueFile, open_agent};
use ludens_approx::Tensor;
use ludens_arena::{Contestant, FinishedGame, ProtocolReport};
use ludens_core::{Forfeit, Invalid, Played, Record, Rewards, Rng, TrainableGame};
use ludens_learn::{
    Config, Episode, ExecutionPlan, GameObserver, MoveObserver, Trainer, list_tuples,
};
use ludens_search::Greedy;
use std::borrow::Cow;
use std::ops::Range;

/// A run of learning: what the command line, the lab, the web page and Python hold.
///
/// The same configuration and seed always learn the same, however often the run was stopped, saved
/// and loaded in between.
pub trait Training: Send {
    /// The configuration, with every tuple listed.
    fn config(&self) -> &Config;

    /// The random seed.
    fn seed(&self) -> u64;

    /// The number of episodes so far.
    fn episode(&self) -> u64;

    /// Trains on one more episode.
    ///
    /// # Errors
    ///
    /// If an agent that plays in it cannot go on.
    fn step(&mut self) -> Result<(), Forfeit>;

    /// Trains on one more episode and records it.
    ///
    /// # Errors
    ///
    /// If an agent that plays in it cannot go on.
    fn step_recorded(&mut self) -> Result<Record, Forfeit>;

    /// The number of games per batch, if games are played before the learner updates.
    fn batch(&self) -> Option<u64>;

    /// Whether several threads can play, or else why not.
    ///
    /// # Errors
    ///
    /// If games are learned one by one, or are not from self-play, or weights cannot be shared.
    fn check_threads(&mut self) -> Result<(), Invalid>;

    /// How the run is executed with so many threads; `parallel` asks for threads that learn at the
    /// same time.
    ///
    /// # Errors
    ///
    /// If several threads cannot work on this run.
    fn plan(&mut self, threads: usize, parallel: bool) -> Result<ExecutionPlan, Invalid>;

    /// Trains on the rest of a batch, with several threads. The result does not depend on the
    /// number of threads. Records each game whose number is a multiple of `sample`.
    ///
    /// # Errors
    ///
    /// If there are no batches.
    fn step_batch(&mut self, threads: usize, sample: u64) -> Result<Vec<Record>, Invalid>;

    /// The numbers of the games that the batch still needs.
    fn missing_games(&self) -> Range<u64>;

    /// Plays these games with the weights as they are, and learns nothing; see
    /// [`Training::learn_games`].
    ///
    /// # Errors
    ///
    /// If there are no batches.
    fn play_games(&mut self, games: Range<u64>, threads: usize) -> Result<Vec<u8>, Invalid>;

    /// Learns the rest of a batch from games that others have played with the same weights; the
    /// result is the same as of [`Training::step_batch`].
    ///
    /// # Errors
    ///
    /// If these are not the missing games; nothing has been learned then.
    fn learn_games(&mut self, games: &[u8], sample: u64) -> Result<Vec<Record>, Invalid>;

    /// Plays so many games by the best moves, and learns nothing. Chance draws from `seed`.
    /// Returns the number of moves.
    fn play_greedily(&mut self, games: u64, seed: u64) -> u64;

    /// The weights and the state of the step sizes.
    fn tensors(&mut self) -> Vec<Tensor<'_>>;

    /// The weights, for others who play.
    fn weights(&mut self) -> Cow<'_, [f32]> {
        let weights = self.tensors().into_iter().find(|tensor| tensor.name == "weights");
        weights.map_or_else(Cow::default, |found| found.data.into())
    }

    /// Takes over the weights of others who learn.
    ///
    /// # Errors
    ///
    /// If they are not as many as here.
    fn set_weights(&mut self, weights: &[f32]) -> Result<(), Invalid>;

    /// Trains with several threads at the same time, as the [plan](Training::plan) says.
    ///
    /// # Errors
    ///
    /// If the weights cannot be shared, or games are not learned while they are played.
    fn step_parallel(&mut self, episodes: u64, threads: usize) -> Result<(), Invalid>;

    /// Trains on up to this many episodes while `go_on` returns true.
    ///
    /// # Errors
    ///
    /// If an agent that plays in one cannot go on.
    fn run(&mut self, episodes: u64, go_on: &mut dyn FnMut() -> bool) -> Result<(), Forfeit> {
        for _ in 0..episodes {
            if !go_on() {
                break;
            }
            self.step()?;
        }
        Ok(())
    }

    /// The statistics of the episodes since the last [`Training::take_statistics`].
    fn statistics(&self) -> &Statistics;

    /// The same, which then begin anew.
    fn take_statistics(&mut self) -> Statistics;

    /// The size of the learned value.
    fn size(&mut self) -> ValueSize;

    /// The content of a checkpoint.
    fn content(&mut self) -> Content<'_>;

    /// Goes on from what was saved by a run of the same game and configuration.
    ///
    /// # Errors
    ///
    /// If the file is damaged or of another game or configuration; the run is of no use then.
    fn load(&mut self, file: &mut ValueFile) -> Result<(), Invalid>;

    /// Measures how well it plays by now, without exploring.
    ///
    /// # Errors
    ///
    /// If the protocol does not fit the game.
    fn measure(&mut self, by: &MeasureOptions<'_>) -> Result<ProtocolReport, Invalid>;

    /// A game in which all players play by a copy of what has been learned so far.
    ///
    /// # Errors
    ///
    /// If there is not enough room for a copy.
    fn live(&mut self, seed: u64) -> Result<Box<dyn LiveGame>, Invalid>;
}

/// Reads the text of a configuration, as files keep it.
///
/// # Errors
///
/// If it is none.
pub fn stored_config(file: &ValueFile) -> Result<Config, Invalid> {
    let read = toml::from_str(file.text("config")?);
    read.map_err(|e| Invalid(format!("the configuration in it: {}", e.message())))
        .map_err(|e| e.about(file.path().display()))
}

/// A run of learning one game.
pub(crate) struct TrainingRun<G: TrainableGame> {
    spec: String,
    seed: u64,
    trainer: Trainer<G>,
    statistics: Statistics,
}

impl<G: TrainableGame> TrainingRun<G> {
    /// A run at its beginning.
    pub(crate) fn new(
        game: &G,
        spec: &str,
        config: &Config,
        seed: u64,
    ) -> Result<TrainingRun<G>, Invalid> {
        let mut config = list_tuples(game, config, seed)?;
        config.game = spec.into();
        let open = |text: &str| open_agent(text, game, &Hooks::NONE);
        let trainer = Trainer::new(game.clone(), config, seed, &open)?;
        Ok(TrainingRun { spec: spec.into(), seed, trainer, statistics: Statistics::default() })
    }

    fn observed_step(&mut self, observer: MoveObserver<'_>) -> Result<Episode, Forfeit> {
        let episode = self.trainer.step(observer)?;
        let players = self.trainer.game().num_players();
        self.statistics.add(players, &episode);
        self.record_errors();
        Ok(episode)
    }

    /// Trains on a batch and records each game whose number is a multiple of `sample`.
    fn observed_batch(
        &mut self,
        sample: u64,
        learn: impl FnOnce(&mut Trainer<G>, &mut GameObserver<'_, G::State>) -> Result<(), Invalid>,
    ) -> Result<Vec<Record>, Invalid> {
        let (game, spec) = (self.trainer.game().clone(), &self.spec);
        let names = vec!["learner".to_owned(); game.num_players()];
        let (statistics, mut records) = (&mut self.statistics, Vec::new());
        learn(&mut self.trainer, &mut |number, transcript, episode| {
            statistics.add(game.num_players(), episode);
            if number.is_multiple_of(sample) {
                let played = transcript.played.iter().map(|(what, _)| *what).collect();
                let finished = finished(&game, transcript.start.clone(), played);
                records.push(finished.record(&game, spec, &names));
            }
        })?;
        self.record_errors();
        Ok(records)
    }

    fn record_errors(&mut self) {
        let errors = std::mem::take(&mut self.trainer.value().errors);
        self.statistics.errors.add(errors);
    }
}

impl<G: TrainableGame> Training for TrainingRun<G> {
    fn config(&self) -> &Config {
        self.trainer.config()
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn episode(&self) -> u64 {
        self.trainer.episode()
    }

    fn step(&mut self) -> Result<(), Forfeit> {
        self.observed_step(None).map(drop)
    }

    fn step_recorded(&mut self) -> Result<Record, Forfeit> {
        let mut played = Vec::new();
        self.observed_step(Some(&mut |what| played.push(what)))?;
        let game = self.trainer.game();
        let start = self.trainer.last_start().clone();
        let names = self.trainer.last_players();
        Ok(finished(game, start, played).record(game, &self.spec, &names))
    }

    fn batch(&self) -> Option<u64> {
        self.trainer.batch()
    }

    fn check_threads(&mut self) -> Result<(), Invalid> {
        self.trainer.check_threads()
    }

    fn plan(&mut self, threads: usize, parallel: bool) -> Result<ExecutionPlan, Invalid> {
        self.trainer.plan(threads, parallel)
    }

    fn step_batch(&mut self, threads: usize, sample: u64) -> Result<Vec<Record>, Invalid> {
        self.observed_batch(sample, |trainer, watch| trainer.step_batch(threads, watch))
    }

    fn missing_games(&self) -> Range<u64> {
        self.trainer.missing_games()
    }

    fn play_games(&mut self, games: Range<u64>, threads: usize) -> Result<Vec<u8>, Invalid> {
        Ok(remote::to_bytes(&self.trainer.play_games(games, threads)?))
    }

    fn learn_games(&mut self, games: &[u8], sample: u64) -> Result<Vec<Record>, Invalid> {
        let games = remote::from_bytes(games)?;
        self.observed_batch(sample, |trainer, watch| trainer.learn_games(games, watch))
    }

    fn play_greedily(&mut self, games: u64, seed: u64) -> u64 {
        let mut play = |number| {
            u64::from(self.trainer.play_greedily(&mut Rng::derived(seed, "play", number)).moves)
        };
        (0..games).map(&mut play).sum()
    }

    fn tensors(&mut self) -> Vec<Tensor<'_>> {
        self.trainer.value().network.tensors()
    }

    fn set_weights(&mut self, weights: &[f32]) -> Result<(), Invalid> {
        let tensors = self.trainer.value().network_mut().tensors_mut();
        let own = tensors.into_iter().find(|tensor| tensor.name == "weights");
        let (own, found) = (own.map_or(Default::default(), |own| own.data), weights.len());
        if own.len() != found {
            return Err(Invalid(format!("expected {} weights, found {found}", own.len())));
        }
        own.copy_from_slice(weights);
        Ok(())
    }

    fn step_parallel(&mut self, episodes: u64, threads: usize) -> Result<(), Invalid> {
        let played = self.trainer.step_parallel(episodes, threads)?;
        let players = self.trainer.game().num_players();
        played.iter().for_each(|e| self.statistics.add(players, e));
        self.record_errors();
        Ok(())
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn take_statistics(&mut self) -> Statistics {
        std::mem::take(&mut self.statistics)
    }

    fn size(&mut self) -> ValueSize {
        let starts_at_zero = self.trainer.config().value.starts_at_zero();
        let players = self.trainer.game().num_players();
        let value = self.trainer.value();
        let weight_sets = value.spec.num_weight_sets(players);
        ValueSize::of(&*value.network, weight_sets, starts_at_zero)
    }

    fn content(&mut self) -> Content<'_> {
        store::content(&self.spec, self.seed, &self.statistics, &mut self.trainer)
    }

    fn load(&mut self, file: &mut ValueFile) -> Result<(), Invalid> {
        self.statistics = store::load(&self.spec, self.seed, &mut self.trainer, file)?;
        Ok(())
    }

    fn measure(&mut self, by: &MeasureOptions<'_>) -> Result<ProtocolReport, Invalid> {
        let value = self.trainer.value().fork();
        let learned = Contestant::new("learned", move || Greedy::new(Box::new(value.fork())));
        measure(self.trainer.game(), &self.spec, &learned, by)
    }

    fn live(&mut self, seed: u64) -> Result<Box<dyn LiveGame>, Invalid> {
        let copy = store::copy(&mut self.trainer, self.seed)?;
        let game = self.trainer.game();
        let mut live = TypedLiveGame::new(game.clone(), seed);
        live.seat_all(|| Box::new(Greedy::new(Box::new(copy.fork()))));
        Ok(Box::new(live))
    }
}

/// The game that was played so, from its beginning to its end.
fn finished<G: TrainableGame>(
    game: &G,
    start: G::State,
    played: Vec<Played>,
) -> FinishedGame<G::State> {
    let (mut end, mut rewards) = (start.clone(), Rewards::NONE);
    for &what in &played {
        rewards += match what {
            Played::Move(mv) => game.play(&mut end, mv),
            Played::Event(event) => game.resolve(&mut end, event),
        };
    }
    FinishedGame { start, played, end, rewards, forfeit: None, cut: false }
}
