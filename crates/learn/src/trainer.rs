//! A run of learning, episode by episode.

mod at_once;
mod elsewhere;

use crate::build::{build_learner, build_scout_depth, build_start, explore_at, learns_afterwards};
use crate::config::{Config, ValueConfig};
use crate::source::{Offer, OpenAgent, Source, pick};
use crate::thread::Thread;
use crate::{Episode, Learner, Scout, Start, Transcript, Value, Watch, play_episode};
use ludens_core::{Forfeit, Invalid, MAX_PLAYERS, Notation, Played, Player, RandomAgent, Rng};

/// A run of learning: what has been learned, and how far it has come.
///
/// Each episode draws from its own stream, so that a run that was stopped goes on as if it had not
/// been. Games are learned while they are played or, in batches, afterwards; a batch is played with
/// the weights as they were before it, so that its games can be played by several threads.
pub struct Trainer<G: Notation> {
    game: G,
    config: Config,
    seed: u64,
    episode: u64,
    start: Start<G::State>,
    learner: Box<dyn Learner<G>>,
    sources: Vec<Source<G>>,
    /// Games played and not yet learned.
    batch: Vec<Transcript<G::State>>,
    random: [RandomAgent; MAX_PLAYERS],
    last_start: G::State,
    /// Which source the latest episode came from.
    last_source: usize,
}

impl<G: Notation> Trainer<G> {
    /// A run at its beginning. `open` opens the agents that the configuration names.
    ///
    /// # Errors
    ///
    /// If the choices in `config` do not go together.
    pub fn new(
        game: G,
        config: Config,
        seed: u64,
        open: OpenAgent<'_, G>,
    ) -> Result<Trainer<G>, Invalid> {
        let learner = build_learner(&game, &config, seed)?;
        let start = build_start(&game, &config.start)?;
        let mut sources = Vec::new();
        for source in &config.games {
            sources.push(Source::new(&game, source, config.search.depth.max(2), open)?);
        }
        let weights = sources.iter().map(|s| s.weight);
        if weights.clone().any(|w| w.is_nan() || w < 0.0) || weights.sum::<f32>() == 0.0 {
            return Err(Invalid("games: weights are not negative, and one is above zero".into()));
        }
        let (batch, random) = Default::default();
        let (episode, last_start) = (0, game.start());
        Ok(Trainer {
            game,
            config,
            seed,
            episode,
            start,
            learner,
            sources,
            batch,
            random,
            last_start,
            last_source: 0,
        })
    }

    /// How many episodes have been played.
    pub fn episode(&self) -> u64 {
        self.episode
    }

    /// Goes on as if this many episodes had been played. Games of a batch that was not complete by
    /// then are played again.
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

    /// Where the latest episode began.
    pub fn last_start(&self) -> &G::State {
        &self.last_start
    }

    /// Who played each player in the latest episode.
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

    /// What was chosen.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What has been learned.
    pub fn value(&mut self) -> &mut Value<G> {
        self.learner.value()
    }

    /// An agent that plays by what has been learned so far, looking as far ahead as in learning; it
    /// must be gone before learning goes on.
    pub fn agent(&mut self) -> Scout<G> {
        Scout::new(self.learner.value().fork(), build_scout_depth(&self.config))
    }

    /// Plays one episode, and learns from it at once or when its batch is complete; `watch` hears
    /// of everything played.
    ///
    /// # Errors
    ///
    /// If an agent cannot go on.
    pub fn step(&mut self, mut watch: Hear<'_>) -> Result<Episode, Forfeit> {
        let rng = &mut Rng::derived(self.seed, "episode", self.episode);
        let explore = explore_at(&self.config, self.episode);
        let afterwards = learns_afterwards(&self.config);
        self.set_rate(self.episode);
        self.last_source = pick(&self.sources, rng);
        let source = &mut self.sources[self.last_source];
        let offer = source.offer(&self.game, self.episode, &mut self.random, rng);
        let episode = match offer {
            Offer::Told(transcript) => {
                if let Some(watch) = watch {
                    transcript.played.iter().for_each(|(played, _)| watch(*played));
                }
                self.last_start = transcript.start.clone();
                self.batch.push(transcript);
                None
            }
            Offer::Play { mut seats, start } => {
                let state = start.unwrap_or_else(|| self.start.draw(&self.game, rng));
                self.last_start = state.clone();
                let mut transcript = Transcript { start: state.clone(), played: Vec::new() };
                let wanted = afterwards || watch.is_some();
                let note = &mut |played, explored| {
                    if let Some(watch) = &mut watch {
                        watch(played);
                    }
                    if afterwards {
                        transcript.played.push((played, explored));
                    }
                };
                let note: Watch<'_> = if wanted { Some(note) } else { None };
                let (game, learner) = (&self.game, &mut *self.learner);
                let episode = if afterwards {
                    let depth = build_scout_depth(&self.config);
                    let scout = &mut Scout::new(learner.value().fork(), depth);
                    play_episode(game, scout, &mut seats, state, explore, rng, note)?
                } else {
                    play_episode(game, learner, &mut seats, state, explore, rng, note)?
                };
                if afterwards {
                    self.batch.push(transcript);
                }
                Some(episode)
            }
        };
        self.episode += 1;
        let told = self.learn_if_complete(!afterwards);
        Ok(episode.or(told).unwrap_or_default())
    }

    /// Learns the games of the batch if it is complete, or `at_once`. Returns what came of the last
    /// of them.
    fn learn_if_complete(&mut self, at_once: bool) -> Option<Episode> {
        let complete = self.episode.is_multiple_of(self.batch_size());
        if !(at_once || complete || self.episode == self.config.episodes) {
            return None;
        }
        let (batch, mut last) = (std::mem::take(&mut self.batch), None);
        let first = self.episode - batch.len() as u64;
        for (transcript, episode) in batch.iter().zip(first..) {
            self.set_rate(episode);
            for _ in 0..self.config.learner.repeats.max(1) {
                last = Some(self.teach(transcript));
            }
        }
        self.learner.value().net_mut().end_batch();
        last
    }

    fn teach(&mut self, transcript: &Transcript<G::State>) -> Episode {
        let episode = transcript.teach(&self.game, &mut *self.learner);
        if self.config.learner.inverted {
            self.learner.value().perspective.inverted = true;
            transcript.teach(&self.game, &mut *self.learner);
            self.learner.value().perspective.inverted = false;
        }
        episode
    }

    /// How many games a batch has, if several can be played at once.
    pub fn batch(&self) -> Option<u64> {
        let playable = learns_afterwards(&self.config) && self.sources.iter().all(Source::is_plain);
        playable.then(|| self.batch_size())
    }

    /// Whether several threads can play, or else why not.
    ///
    /// # Errors
    ///
    /// If games are learned one by one after they were played, or are not from self-play, or the
    /// weights cannot be shared.
    pub fn check_threads(&self) -> Result<(), Invalid> {
        if !self.sources.iter().all(Source::is_plain) {
            return Err(Invalid("several threads can play games of self-play only".into()));
        }
        if !learns_afterwards(&self.config) {
            return self.check_shared();
        }
        match self.batch_size() {
            1 => Err(Invalid(
                "each game is learned after it was played and before the next one begins, so that \
                 one thread is enough; learner.batch lets several play"
                    .into(),
            )),
            _ => Ok(()),
        }
    }

    fn check_shared(&self) -> Result<(), Invalid> {
        match self.config.value {
            ValueConfig::Ntuple(_) => Ok(()),
            _ => Err(Invalid(
                "only n-tuple networks can be learned by several threads at once; with \
                 --deterministic any value can, in batches"
                    .into(),
            )),
        }
    }

    /// Plays the rest of the batch with `threads` threads and learns it. The result is the same for
    /// every number of threads. `watch` hears of each game, in order.
    ///
    /// # Errors
    ///
    /// If the run learns while it plays, or has games from elsewhere than self-play.
    pub fn step_batch(
        &mut self,
        threads: usize,
        watch: &mut HearGame<'_, G::State>,
    ) -> Result<(), Invalid> {
        self.check_batch()?;
        let missing = self.missing_games();
        let episodes: Vec<u64> = missing.clone().collect();
        let played = self.play_parallel(&episodes, threads);
        self.episode = missing.end;
        for ((transcript, result), number) in played.into_iter().zip(episodes) {
            watch(number, &transcript, &result);
            self.batch.push(transcript);
        }
        self.learn_if_complete(false);
        Ok(())
    }

    fn check_batch(&self) -> Result<(), Invalid> {
        let what = "games can be played by several threads only from self-play and in batches: \
                    set learner.batch to more than one";
        self.batch().map(drop).ok_or_else(|| Invalid(what.into()))
    }

    fn play_parallel(
        &mut self,
        episodes: &[u64],
        threads: usize,
    ) -> Vec<(Transcript<G::State>, Episode)> {
        let share = episodes.len().div_ceil(threads.max(1)).max(1);
        let depth = build_scout_depth(&self.config);
        let shares: Vec<_> = episodes
            .chunks(share)
            .map(|mine| (Scout::new(self.learner.value().fork(), depth), mine))
            .collect();
        let this =
            &Thread { game: &self.game, config: &self.config, seed: self.seed, start: &self.start };
        std::thread::scope(|scope| {
            let play = |(mut scout, mine): (Scout<G>, &[u64])| {
                let mine = mine.to_vec();
                scope.spawn(move || {
                    mine.iter().map(|&episode| this.play(&mut scout, episode)).collect::<Vec<_>>()
                })
            };
            let running: Vec<_> = shares.into_iter().map(play).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
                thread.join().expect("players do not panic")
            };
            running.into_iter().flat_map(join).collect()
        })
    }

    fn batch_size(&self) -> u64 {
        u64::from(self.config.learner.batch.max(1))
    }

    fn set_rate(&mut self, episode: u64) {
        let rate = self.config.learner.alpha.at(episode, self.config.episodes);
        self.learner.value().net_mut().set_rate(rate);
    }
}

/// Who hears of everything played, if anybody does.
pub type Hear<'a> = Option<&'a mut dyn FnMut(Played)>;

/// Hears of a game that was played: its number, its moves, and what came of it.
pub type HearGame<'a, S> = dyn FnMut(u64, &Transcript<S>, &Episode) + 'a;
