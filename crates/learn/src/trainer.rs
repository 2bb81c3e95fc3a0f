//! A training run, game by game.

use crate::algorithm::Learner;
use crate::build::{build_learner, build_start, explore_at, learns_afterwards, search_depth};
use crate::plan::{check_parallel, is_self_play};
use crate::selfplay::GAMES_PER_THREAD;
use crate::selfplay::source::{Offer, OpenAgent, Source, pick};
use crate::selfplay::{
    Episode, EpisodeRunner, GreedyActor, Observer, Seat, SelfPlay, Start, Transcript,
    available_cores, play_parallel, train_hogwild, train_pipelined,
};
use crate::{Config, EpisodeLoop, ExecutionPlan, Explore, Policy, Value, Workers};
use ludens_core::{
    Forfeit, Invalid, MAX_PLAYERS, Notation, Played, Player, RandomAgent, Rng, TrainableGame,
};

/// A training run: what has been learned, and how far it has come.
///
/// Each game draws from its own random stream, so that a run that was stopped goes on as if it had
/// not been. Games are learned while they are played or, in batches, afterwards; a batch is played
/// with the weights as they were before it, so that several threads can play its games.
pub struct Trainer<G: Notation> {
    pub(crate) game: G,
    pub(crate) config: Config,
    pub(crate) seed: u64,
    pub(crate) episode: u64,
    pub(crate) start: Start<G::State>,
    learner: Box<dyn Learner<G>>,
    policy: Policy,
    episode_loop: EpisodeLoop,
    sources: Vec<Source<G>>,
    /// Games played and not yet learned.
    pub(crate) batch: Vec<Transcript<G::State>>,
    random: [RandomAgent; MAX_PLAYERS],
    last_start: G::State,
    /// The source of the latest game.
    last_source: usize,
}

/// A game of a batch and its result.
pub(crate) type PlayedGame<S> = (Transcript<S>, Episode);

/// Gets to know everything that is played, if it is there.
pub type MoveObserver<'a> = Option<&'a mut dyn FnMut(Played)>;

/// Gets to know each game of a batch: its number, its moves and its result.
pub type GameObserver<'a, S> = dyn FnMut(u64, &Transcript<S>, &Episode) + 'a;

impl<G: TrainableGame> Trainer<G> {
    /// A run at its beginning. `open` opens the agents that the configuration names.
    ///
    /// # Errors
    ///
    /// If the settings in `config` contradict each other.
    pub fn new(
        game: G,
        config: Config,
        seed: u64,
        open: OpenAgent<'_, G>,
    ) -> Result<Trainer<G>, Invalid> {
        let mut learner = build_learner(&game, &config, seed)?;
        let start = build_start(&game, &config.start)?;
        let sources = config.games.iter();
        let sources =
            sources.map(|source| Source::new(&game, source, config.search.depth.max(2), open));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        let weights = sources.iter().map(|s| s.weight);
        if weights.clone().any(|w| w.is_nan() || w < 0.0) || weights.sum::<f32>() == 0.0 {
            return Err(Invalid("games: weights are not negative, and one is above zero".into()));
        }
        let plan = ExecutionPlan::choose(&config, &game, &mut *learner, 1, false)?;
        let (batch, random) = Default::default();
        Ok(Trainer {
            last_start: game.start(),
            policy: Policy::new(search_depth(&config)),
            episode_loop: plan.episode_loop,
            game,
            config,
            seed,
            episode: 0,
            start,
            learner,
            sources,
            batch,
            random,
            last_source: 0,
        })
    }

    /// How many games have been played.
    pub fn episode(&self) -> u64 {
        self.episode
    }

    /// Goes on as if this many games had been played. Games of a batch that was not complete are
    /// played again.
    ///
    /// # Errors
    ///
    /// If an agent cannot go on.
    pub fn set_episode(&mut self, episode: u64) -> Result<(), Forfeit> {
        self.batch.clear();
        self.episode = episode;
        if learns_afterwards(&self.config) {
            self.episode -= episode % self.batch_size();
            while self.episode < episode {
                self.step(None)?;
            }
        }
        Ok(())
    }

    /// Where the latest game began.
    pub fn last_start(&self) -> &G::State {
        &self.last_start
    }

    /// Who played each player in the latest game.
    pub fn last_players(&self) -> Vec<String> {
        let (source, latest) = (&self.sources[self.last_source], self.episode.saturating_sub(1));
        Player::all(self.game.num_players())
            .map(|player| source.who(&self.game, latest, player).to_owned())
            .collect()
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What has been learned.
    pub fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }

    /// An agent that plays by what has been learned so far, searching as deep as in training; it
    /// must be dropped before training goes on.
    pub fn agent(&mut self) -> GreedyActor<G> {
        GreedyActor::new(self.learner.value().fork(), search_depth(&self.config))
    }

    /// Plays one game greedily from the start of the game, without learning.
    pub fn play_greedily(&mut self, rng: &mut Rng) -> Episode {
        let mut actor = self.agent();
        let (game, explore) = (&self.game, Explore::GREEDY);
        let (policy, episode_loop) = (&mut self.policy, self.episode_loop);
        let mut seats: [Seat<'_, G>; MAX_PLAYERS] = std::array::from_fn(|_| Seat::Learner);
        let (learner, seats) = (&mut actor, &mut seats[..]);
        let runner =
            EpisodeRunner { game, learner, policy, seats, explore, episode_loop, observer: None };
        runner.play(game.start(), rng).expect("a learner never forfeits")
    }

    /// How the run is executed with so many threads; `parallel` asks for threads that learn at the
    /// same time.
    ///
    /// # Errors
    ///
    /// If several threads cannot work on this run.
    pub fn plan(&mut self, threads: usize, parallel: bool) -> Result<ExecutionPlan, Invalid> {
        ExecutionPlan::choose(&self.config, &self.game, &mut *self.learner, threads, parallel)
    }

    /// Plays one game, and learns from it at once or when its batch is complete.
    ///
    /// # Errors
    ///
    /// If an agent cannot go on.
    pub fn step(&mut self, mut observer: MoveObserver<'_>) -> Result<Episode, Forfeit> {
        let rng = &mut Rng::derived(self.seed, "episode", self.episode);
        let afterwards = learns_afterwards(&self.config);
        self.set_step_size(self.episode);
        self.last_source = pick(&self.sources, rng);
        let source = &mut self.sources[self.last_source];
        let offer = source.offer(&self.game, self.episode, &mut self.random, rng);
        let episode = match offer {
            Offer::Recorded(transcript) => {
                if let Some(observer) = observer {
                    transcript.played.iter().for_each(|(played, _)| observer(*played));
                }
                self.last_start = transcript.start.clone();
                self.batch.push(transcript);
                None
            }
            Offer::Play { mut seats, start } => {
                let start = start.unwrap_or_else(|| self.start.draw(&self.game, rng));
                self.last_start = start.clone();
                let mut transcript = Transcript { start: start.clone(), played: Vec::new() };
                let is_observed = afterwards || observer.is_some();
                let notify = &mut |played, explored| {
                    if let Some(observer) = &mut observer {
                        observer(played);
                    }
                    if afterwards {
                        transcript.played.push((played, explored));
                    }
                };
                let notify: Observer<'_> = if is_observed { Some(notify) } else { None };
                let mut actor = None;
                let learner: &mut dyn Learner<G> = if afterwards {
                    let value = self.learner.value().fork();
                    actor.insert(GreedyActor::new(value, search_depth(&self.config)))
                } else {
                    &mut *self.learner
                };
                let runner = EpisodeRunner {
                    game: &self.game,
                    learner,
                    policy: &mut self.policy,
                    seats: &mut seats,
                    explore: explore_at(&self.config, self.episode),
                    episode_loop: self.episode_loop,
                    observer: notify,
                };
                let episode = runner.play(start, rng)?;
                if afterwards {
                    self.batch.push(transcript);
                }
                Some(episode)
            }
        };
        self.episode += 1;
        let recorded = self.learn_if_complete(!afterwards);
        Ok(episode.or(recorded).unwrap_or_default())
    }

    /// Learns the games of the batch if it is complete, or `at_once`. Returns the result of the last
    /// of them.
    pub(crate) fn learn_if_complete(&mut self, at_once: bool) -> Option<Episode> {
        let complete = self.episode.is_multiple_of(self.batch_size());
        if !(at_once || complete || self.episode == self.config.episodes) {
            return None;
        }
        let (batch, mut last) = (std::mem::take(&mut self.batch), None);
        let first = self.episode - batch.len() as u64;
        for (transcript, episode) in batch.iter().zip(first..) {
            self.set_step_size(episode);
            for _ in 0..self.config.learner.repeats.max(1) {
                last = Some(self.teach(transcript));
            }
        }
        self.learner.value().network_mut().end_batch();
        last
    }

    fn teach(&mut self, transcript: &Transcript<G::State>) -> Episode {
        let episode = transcript.teach(&self.game, &mut *self.learner);
        if self.config.learner.inverted {
            self.learner.value().spec.swapped = true;
            transcript.teach(&self.game, &mut *self.learner);
            self.learner.value().spec.swapped = false;
        }
        episode
    }

    /// How many games a batch has, if games are played before they are learned, by self-play.
    pub fn batch(&self) -> Option<u64> {
        let playable = learns_afterwards(&self.config) && is_self_play(&self.config);
        playable.then(|| self.batch_size())
    }

    /// Whether several threads can work on the run.
    ///
    /// # Errors
    ///
    /// If games are learned one by one after they were played, or are not from self-play, or the
    /// network does not support several threads.
    pub fn check_threads(&mut self) -> Result<(), Invalid> {
        check_parallel(&self.config, &mut *self.learner)
    }

    /// Plays the rest of the batch with `threads` threads and learns it; the result is the same for
    /// any number of threads. `observer` gets to know each game, in order.
    ///
    /// # Errors
    ///
    /// If the run has no batches of self-play.
    pub fn step_batch(
        &mut self,
        threads: usize,
        observer: &mut GameObserver<'_, G::State>,
    ) -> Result<(), Invalid> {
        let missing = self.missing_games();
        let played = self.play_batch(missing.clone(), threads)?;
        self.episode = missing.end;
        for ((transcript, result), number) in played.into_iter().zip(missing) {
            observer(number, &transcript, &result);
            self.batch.push(transcript);
        }
        self.learn_if_complete(false);
        Ok(())
    }

    /// Plays these games with the weights as they are.
    pub(crate) fn play_batch(
        &mut self,
        games: std::ops::Range<u64>,
        threads: usize,
    ) -> Result<Vec<PlayedGame<G::State>>, Invalid> {
        self.check_batch()?;
        let (selfplay, learner) = self.selfplay();
        Ok(play_parallel(&selfplay, learner.value(), &games.collect::<Vec<_>>(), threads))
    }

    pub(crate) fn check_batch(&self) -> Result<(), Invalid> {
        let what = "games can be played by several threads only from self-play and in batches: \
                    set learner.batch to more than one";
        self.batch().map(drop).ok_or_else(|| Invalid(what.into()))
    }

    /// Lets threads play and learn `episodes` games at the same time, as the plan says. Returns the
    /// result of each game.
    ///
    /// # Errors
    ///
    /// If several threads cannot learn at the same time.
    pub fn step_parallel(
        &mut self,
        episodes: u64,
        threads: usize,
    ) -> Result<Vec<Episode>, Invalid> {
        if learns_afterwards(&self.config) || !is_self_play(&self.config) {
            return Err(Invalid(
                "threads can share weights only in self-play that is learned while it is played: \
                 leave learner.batch, learner.repeats and learner.inverted as they are"
                    .into(),
            ));
        }
        self.check_threads()?;
        let plan = self.plan(threads, true)?;
        let games = self.episode..self.episode + episodes;
        let (selfplay, learner) = self.selfplay();
        let results = match plan.workers {
            Workers::Pipelined { threads } => {
                let (value, slots) = (learner.value(), threads * GAMES_PER_THREAD);
                train_pipelined(&selfplay, value, games, slots, available_cores())
            }
            _ => train_hogwild(&selfplay, learner.value(), games, threads),
        };
        self.episode += episodes;
        let (mut all, value) = (Vec::new(), self.learner.value());
        for result in results.into_iter().flatten() {
            all.extend(result.played);
            value.errors.add(result.errors);
            value.evaluated += result.evaluated;
        }
        Ok(all)
    }

    fn selfplay(&mut self) -> (SelfPlay<'_, G>, &mut dyn Learner<G>) {
        let Trainer { game, config, seed, start, episode_loop, learner, .. } = self;
        let (seed, episode_loop) = (*seed, *episode_loop);
        (SelfPlay { game, config, seed, start, episode_loop }, &mut **learner)
    }

    pub(crate) fn batch_size(&self) -> u64 {
        u64::from(self.config.learner.batch.max(1))
    }

    fn set_step_size(&mut self, episode: u64) {
        let alpha = self.config.learner.alpha.at(episode, self.config.episodes);
        self.learner.value().network_mut().set_step_size(alpha);
    }
}
