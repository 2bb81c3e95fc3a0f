//! The execution plan: the one place that selects how a run is executed.

use crate::algorithm::{FastPaths, Learner};
use crate::build::{learns_afterwards, search_depth};
use crate::config::{Config, ExploreConfig, SourceName};
use crate::{Encoder, ValueKind, WeightSharing};
use ludens_core::{Bitboards, Invalid};
use std::fmt;

/// How a run is executed: which loop plays each game, and which threads share the games.
///
/// The plan never changes what one thread learns, only how fast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionPlan {
    /// The loop that plays each game.
    pub episode_loop: EpisodeLoop,
    /// Why it is not a faster one; empty if it is the fastest.
    pub reason: &'static str,
    /// How games are distributed.
    pub workers: Workers,
}

/// The loop that plays each game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EpisodeLoop {
    /// The general loop.
    General,
    /// One loop for encoding, evaluation and chance, for TD(0) and delayed TD(lambda) on tables that
    /// exceed the cache.
    Fused,
}

/// How games are distributed among threads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Workers {
    /// One thread plays and learns one game after the other.
    Single,
    /// One thread for each player; games go around between them.
    Pipelined {
        /// How many threads.
        threads: usize,
    },
    /// Threads play different games and update the same weights without locks.
    Hogwild {
        /// How many threads.
        threads: usize,
    },
    /// Threads play the games of a batch; one thread learns them in order.
    Batch {
        /// How many threads.
        threads: usize,
        /// How many games a batch has.
        games: u64,
    },
}

impl Workers {
    /// Whether the same seed gives the same weights in every run.
    pub fn is_reproducible(self) -> bool {
        !matches!(self, Workers::Hogwild { .. })
    }
}

impl ExecutionPlan {
    /// Selects the plan for a configuration, a game, a learner with its network, and a number of
    /// threads. `parallel` asks for threads that learn at the same time.
    ///
    /// # Errors
    ///
    /// If several threads cannot work on this run.
    pub fn choose<G: Bitboards>(
        config: &Config,
        game: &G,
        learner: &mut dyn Learner<G>,
        threads: usize,
        parallel: bool,
    ) -> Result<ExecutionPlan, Invalid> {
        let reason = why_not_fused(config, game, learner).unwrap_or("");
        let episode_loop =
            if reason.is_empty() { EpisodeLoop::Fused } else { EpisodeLoop::General };
        let games = u64::from(config.learner.batch.max(1));
        let workers = if learns_afterwards(config) && is_self_play(config) && games > 1 {
            Workers::Batch { threads, games }
        } else if threads > 1 && parallel {
            choose_workers(config, game, learner, threads)?
        } else {
            Workers::Single
        };
        Ok(ExecutionPlan { episode_loop, reason, workers })
    }
}

/// Why the fused loop cannot play the games of a run; nothing if it can.
fn why_not_fused<G: Bitboards>(
    config: &Config,
    game: &G,
    learner: &mut dyn Learner<G>,
) -> Option<&'static str> {
    if game.num_players() > 1 {
        return Some("several players");
    }
    if !is_self_play(config) {
        return Some("games that are not from self-play");
    }
    if !matches!(config.explore, ExploreConfig::Epsilon { .. }) {
        return Some("exploration that scores all moves");
    }
    if search_depth(config) > 1 {
        return Some("moves chosen by a search");
    }
    let value = learner.value();
    if matches!(value.spec.kind, ValueKind::Action { .. }) || value.spec.after_chance {
        return Some("values of actions or of states after chance");
    }
    if !matches!(value.encoder, Encoder::Bitboards { .. }) {
        return Some("a network that does not read bitboards");
    }
    if value.network.fused().is_none() {
        return Some("tables that fit the cache");
    }
    if learns_afterwards(config) {
        return None; // Games are played without learning, which needs no more.
    }
    let Some(learner) = learner.fast_paths().and_then(FastPaths::fused) else {
        return Some("an algorithm other than TD-FARL");
    };
    (!learner.is_td0()).then_some("traces or a step size that need more than the last position")
}

fn choose_workers<G: Bitboards>(
    config: &Config,
    game: &G,
    learner: &mut dyn Learner<G>,
    threads: usize,
) -> Result<Workers, Invalid> {
    check_parallel(config, learner)?;
    let splits = {
        let network = learner.value().network_mut();
        network.parallel().is_some_and(|network| network.sets_are_independent())
    };
    let own_weights = learner.value().spec.sharing == WeightSharing::PerPlayer;
    let one_each = threads == game.num_players() && !game.has_chance();
    let per_player = learner.fast_paths().and_then(FastPaths::per_player).is_some();
    let pipelined = splits && own_weights && one_each && per_player;
    Ok(if pipelined { Workers::Pipelined { threads } } else { Workers::Hogwild { threads } })
}

/// Refuses several threads where they cannot learn at the same time.
pub(crate) fn check_parallel<G: Bitboards>(
    config: &Config,
    learner: &mut dyn Learner<G>,
) -> Result<(), Invalid> {
    if !is_self_play(config) {
        return Err(Invalid("several threads can play games of self-play only".into()));
    }
    if learns_afterwards(config) {
        return match config.learner.batch {
            0 | 1 => Err(Invalid(
                "each game is learned after it was played and before the next one begins, so that \
                 one thread is enough; learner.batch lets several play"
                    .into(),
            )),
            _ => Ok(()),
        };
    }
    match learner.value().network_mut().parallel() {
        Some(_) => Ok(()),
        None => Err(Invalid(
            "only n-tuple networks can be learned by several threads at once; with \
             --deterministic any value can, in batches"
                .into(),
        )),
    }
}

/// Whether all games come from self-play.
pub(crate) fn is_self_play(config: &Config) -> bool {
    config.games.iter().all(|source| source.from == SourceName::SelfPlay)
}

impl fmt::Display for ExecutionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.episode_loop {
            EpisodeLoop::Fused => f.write_str("fused loop")?,
            EpisodeLoop::General => write!(f, "general loop ({})", self.reason)?,
        }
        match self.workers {
            Workers::Single => f.write_str(", one thread"),
            Workers::Pipelined { threads } => {
                write!(f, ", pipelined: {threads} threads, one for each player, reproducible")
            }
            Workers::Hogwild { threads } => {
                write!(f, ", Hogwild: {threads} threads share the weights, not reproducible")
            }
            Workers::Batch { threads, games } => {
                let plural = if threads == 1 { "" } else { "s" };
                write!(f, ", batches of {games} games by {threads} thread{plural}, reproducible")
            }
        }
    }
}
