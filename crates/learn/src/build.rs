//! From what is written to what learns.

mod net;
mod sense;
mod size;

pub use net::list_tuples;

use crate::config::{
    Algorithm, Config, ExploreConfig, LearnFromRandomName, LearnerConfig, PlayersName, RewardsName,
    SourceName, StartConfig, StepConfig, TraceConfig, TraceFormName, TraceKindName, ValueConfig,
};
use crate::move_farl::{MoveFarlSettings, NextMove};
use crate::td::TdSettings;
use crate::td_farl::TdFarlSettings;
use crate::{
    AfterChance, Banks, Explore, LearnFromRandom, Learner, MonteCarlo, MoveFarl, Perspective, Q,
    RewardView, Scope, Start, Td, TdFarl, TdMu, Value, Whose,
};
use ludens_core::{Invalid, Notation, Rng};
use ludens_values::{Lent, TraceForm, TraceKind, TraceSettings};

/// The learner that `config` describes, knowing nothing yet. `seed` draws tuples and weights.
///
/// # Errors
///
/// If the choices, each possible by itself, do not go together.
pub fn build_learner<G: Notation>(
    game: &G,
    config: &Config,
    seed: u64,
) -> Result<Box<dyn Learner<G>>, Invalid> {
    check_numbers(config)?;
    check_fit(game, config)?;
    sense::check_sense(config)?;
    build_learner_of(game, config, build_value(game, config, seed, size::MOST)?)
}

/// The learner that `config` describes, of a value that is there already.
pub(crate) fn build_learner_of<G: Notation>(
    game: &G,
    config: &Config,
    value: Value<G>,
) -> Result<Box<dyn Learner<G>>, Invalid> {
    let LearnerConfig { algorithm, adapt_others, adapt_last, mu, .. } = config.learner;
    let random = learn_from_random(config.learner.learn_from_random);
    let trace = trace_settings(config);
    let reset = config.trace.reset;
    let move_farl = |target| MoveFarlSettings { target, trace, reset, random, adapt_others };
    let td_farl = TdFarlSettings { trace, reset, random, adapt_others, adapt_last };
    let depth = build_scout_depth(config);
    let td = TdSettings { trace, reset, random, depth, leaf: algorithm == Algorithm::TdLeaf };
    let after_chance = value.after_chance;
    Ok(match algorithm {
        Algorithm::Td if after_chance => Box::new(AfterChance::new(Td::new(value, td)?)),
        Algorithm::Td | Algorithm::TdOffline | Algorithm::TdLeaf | Algorithm::TdDirected => {
            Box::new(Td::new(value, td)?)
        }
        Algorithm::TdMu => Box::new(TdMu::new(Td::new(value, td)?, mu)),
        Algorithm::Q => Box::new(Q::new(value, &trace)?),
        Algorithm::TdFarl if after_chance => {
            Box::new(AfterChance::new(TdFarl::new(game, value, td_farl)?))
        }
        Algorithm::TdFarl => Box::new(TdFarl::new(game, value, td_farl)?),
        Algorithm::SarsaFarl => Box::new(MoveFarl::new(game, value, move_farl(NextMove::Made))?),
        Algorithm::QFarl => Box::new(MoveFarl::new(game, value, move_farl(NextMove::Best))?),
        Algorithm::MonteCarlo => Box::new(MonteCarlo::new(value)),
    })
}

/// How many moves ahead moves are rated while learning.
pub(crate) fn build_scout_depth(config: &Config) -> u32 {
    match config.learner.algorithm {
        Algorithm::TdLeaf | Algorithm::TdDirected => config.search.depth,
        _ => 1,
    }
}

/// Whether games are learned after they were played.
pub(crate) fn learns_afterwards(config: &Config) -> bool {
    let LearnerConfig { algorithm, batch, repeats, inverted, .. } = config.learner;
    batch > 0 || repeats > 1 || inverted || algorithm == Algorithm::TdOffline
}

/// Whose gain the value of this algorithm tells, and of what.
fn frame<G: Notation>(game: &G, algorithm: Algorithm) -> (Whose, Scope) {
    match algorithm {
        Algorithm::Td
        | Algorithm::TdOffline
        | Algorithm::TdLeaf
        | Algorithm::TdDirected
        | Algorithm::TdMu => (Whose::First, Scope::Afterstates),
        Algorithm::Q => (Whose::First, Scope::Arrivals),
        Algorithm::TdFarl | Algorithm::MonteCarlo => (Whose::Mover, Scope::Afterstates),
        Algorithm::SarsaFarl | Algorithm::QFarl => {
            (Whose::Mover, Scope::Moves { count: game.num_moves() })
        }
    }
}

/// Refuses algorithms on games that they cannot learn.
fn check_fit<G: Notation>(game: &G, config: &Config) -> Result<(), Invalid> {
    let (players, algorithm) = (game.num_players(), config.learner.algorithm);
    if frame(game, algorithm).0 == Whose::First && players > 2 {
        return Err(Invalid(format!(
            "{} has one player maximise and one minimise, but {} has {players} players; \
             td-farl, sarsa-farl, q-farl and monte-carlo learn games of any number",
            algorithm.name(),
            config.game
        )));
    }
    let td = frame(game, algorithm) == (Whose::First, Scope::Afterstates);
    let refuse = |wrong: bool, reason: &str| match wrong {
        true => Err(Invalid(reason.into())),
        false => Ok(()),
    };
    let LearnerConfig { judge_ends, inverted, reversed, afterstates, .. } = config.learner;
    refuse(judge_ends && !td, "learner.judge-ends goes with the td algorithms only")?;
    refuse(
        (inverted || reversed) && (!td || players != 2),
        "learner.inverted and learner.reversed swap two players' colours: \
         they go with the td algorithms and games of two players only",
    )?;
    refuse(
        !afterstates && !matches!(algorithm, Algorithm::Td | Algorithm::TdFarl),
        "learner.afterstates = false goes with td and td-farl only",
    )?;
    refuse(
        build_scout_depth(config) == 0 || config.search.depth > 20,
        "search.depth is from 1 to 20",
    )?;
    refuse(
        matches!(config.step, StepConfig::Rprop { .. }) && !learns_afterwards(config),
        "step.rprop moves weights by the sign of the gradient over a batch: set learner.batch",
    )?;
    let long = config.trace.lambda > 0.0 && config.trace.form == Some(TraceFormName::Horizon);
    refuse(
        algorithm == Algorithm::TdLeaf && long,
        "td-leaf needs trace.form = \"sparse\" or \"dense\"",
    )?;
    let twin = config.games.iter().any(|source| source.from == SourceName::Twin);
    refuse(
        twin && !td,
        "games from a twin need a td algorithm: its search has one player minimise",
    )?;
    Ok(())
}

/// The value that `config` describes, knowing nothing yet. `seed` draws tuples and weights.
///
/// # Errors
///
/// If the choices, each possible by itself, do not go together, or need more than `most` weights.
pub fn build_value<G: Notation>(
    game: &G,
    config: &Config,
    seed: u64,
    most: u64,
) -> Result<Value<G>, Invalid> {
    let (whose, scope) = frame(game, config.learner.algorithm);
    let rng = &mut Rng::derived(seed, "weights", 0);
    let built = net::build_net(game, config, scope, seed, rng, most)?;
    let banks = match built.players {
        PlayersName::Each => Banks::PerPlayer,
        PlayersName::Shared => Banks::Shared,
    };
    let rewards = match config.learner.rewards {
        RewardsName::Scaled => RewardView::Scaled(config.learner.reward_scale),
        RewardsName::Chance => RewardView::Chance,
    };
    let perspective = Perspective { whose, banks, inverted: false };
    let gamma = config.learner.gamma;
    let net = Lent::new(built.net);
    let mut value = Value::new(net, built.reader, scope, perspective, rewards, gamma);
    value.judge_ends = config.learner.judge_ends;
    value.reversed = config.learner.reversed;
    value.after_chance = !config.learner.afterstates && game.has_chance();
    Ok(value)
}

/// Where episodes begin.
///
/// # Errors
///
/// If a state is not one of the game's, or is over.
pub(crate) fn build_start<G: Notation>(
    game: &G,
    config: &StartConfig,
) -> Result<Start<G::State>, Invalid> {
    if config.states.is_empty() {
        let StartConfig { share, min_plies: min, max_plies: max, .. } = *config;
        if min > max {
            return Err(Invalid(format!("start.min-plies is {min}, but max-plies is {max}")));
        }
        return Ok(Start::Plies { share, min, max });
    }
    let states = config.states.iter().map(|text| {
        let state = game.parse_state(text)?;
        match game.turn(&state) {
            ludens_core::Turn::Over => Err(Invalid(format!("start.states: {text:?} is over"))),
            _ => Ok(state),
        }
    });
    Ok(Start::OneOf(states.collect::<Result<_, _>>()?))
}

/// How moves are picked in `episode` of the run.
pub(crate) fn explore_at(config: &Config, episode: u64) -> Explore {
    let at = |number: &crate::config::Number| number.at(episode, config.episodes);
    match &config.explore {
        ExploreConfig::Epsilon { rate } => Explore::Epsilon { rate: at(rate) },
        ExploreConfig::Softmax { temperature } => {
            Explore::Softmax { temperature: at(temperature).max(f32::MIN_POSITIVE) }
        }
        ExploreConfig::RandomRatings { share } => Explore::RandomRatings { share: at(share) },
        ExploreConfig::Sample { share } => Explore::Sample { share: at(share) },
    }
}

fn trace_settings(config: &Config) -> TraceSettings {
    let TraceConfig { lambda, kind, form, horizon, cut, .. } = config.trace;
    let uses_few_weights = matches!(config.value, ValueConfig::Ntuple(_) | ValueConfig::Table(_));
    let kind = match kind {
        TraceKindName::Accumulating => TraceKind::Accumulating,
        TraceKindName::Replacing => TraceKind::Replacing,
    };
    let horizon = || TraceForm::Horizon { steps: horizon.unwrap_or_else(|| steps(lambda, cut)) };
    let form = match form {
        _ if lambda == 0.0 => TraceForm::Horizon { steps: 1 },
        Some(TraceFormName::Horizon) => horizon(),
        None if uses_few_weights => TraceForm::Sparse,
        Some(TraceFormName::Sparse) => TraceForm::Sparse,
        Some(TraceFormName::Dense) | None => TraceForm::Dense,
    };
    TraceSettings { decay: config.learner.gamma * lambda, kind, form }
}

/// How many positions have a share of at least `cut`: 1 + floor(ln cut / ln lambda).
fn steps(lambda: f32, cut: f32) -> usize {
    match lambda {
        0.0 => 1,
        1.0 => usize::MAX,
        _ => 1 + (cut.ln() / lambda.ln() + 1e-4) as usize,
    }
}

fn learn_from_random(name: LearnFromRandomName) -> LearnFromRandom {
    match name {
        LearnFromRandomName::Never => LearnFromRandom::Never,
        LearnFromRandomName::Always => LearnFromRandom::Always,
        LearnFromRandomName::IfOver => LearnFromRandom::IfOver,
        LearnFromRandomName::IfWon => LearnFromRandom::IfWon,
    }
}

fn check_numbers(config: &Config) -> Result<(), Invalid> {
    let share = |key: &str, number: f32| match (0.0..=1.0).contains(&number) {
        true => Ok(()),
        false => Err(Invalid(format!("{key} is {number}; it is a number from 0 to 1"))),
    };
    share("trace.lambda", config.trace.lambda)?;
    share("learner.gamma", config.learner.gamma)?;
    share("start.share", config.start.share)?;
    if config.learner.alpha.range().0 < 0.0 {
        return Err(Invalid("learner.alpha must not be negative".into()));
    }
    let (low, high) = match &config.explore {
        ExploreConfig::Epsilon { rate } => rate.range(),
        ExploreConfig::Softmax { temperature } => (temperature.range().0.min(1.0), 1.0),
        ExploreConfig::RandomRatings { share } | ExploreConfig::Sample { share } => share.range(),
    };
    share("explore", low)?;
    share("explore", high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_horizon_is_as_long_as_the_published_systems_was() {
        assert_eq!((steps(0.5, 0.1), steps(0.5, 0.01), steps(0.0, 0.1)), (4, 7, 1));
    }
}
