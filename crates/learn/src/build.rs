//! From what is written to what learns.

mod net;

use crate::config::{
    Algorithm, Config, ExploreConfig, LearnFromRandomName, LearnerConfig, PlayersName, RewardsName,
    StartConfig, TraceConfig, TraceFormName, TraceKindName,
};
use crate::move_farl::{MoveFarlSettings, NextMove};
use crate::td::TdSettings;
use crate::td_farl::TdFarlSettings;
use crate::{
    Banks, Explore, LearnFromRandom, Learner, MonteCarlo, MoveFarl, Perspective, Q, RewardView,
    Scope, Start, Td, TdFarl, Value, Whose,
};
use ludens_core::{Invalid, Notation, Rng};
use ludens_values::{TraceForm, TraceKind, TraceSettings};

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
    let value = build_value(game, config, seed)?;
    let LearnerConfig { algorithm, adapt_others, adapt_last, .. } = config.learner;
    let random = learn_from_random(config.learner.learn_from_random);
    let trace = trace_settings(&config.trace, config.learner.gamma);
    let reset = config.trace.reset;
    let move_farl = |target| MoveFarlSettings { target, trace, reset, random, adapt_others };
    Ok(match algorithm {
        Algorithm::Td => Box::new(Td::new(value, TdSettings { trace, reset, random })?),
        Algorithm::Q => Box::new(Q::new(value, &trace)?),
        Algorithm::TdFarl => {
            let settings = TdFarlSettings { trace, reset, random, adapt_others, adapt_last };
            Box::new(TdFarl::new(game, value, settings)?)
        }
        Algorithm::SarsaFarl => Box::new(MoveFarl::new(game, value, move_farl(NextMove::Made))?),
        Algorithm::QFarl => Box::new(MoveFarl::new(game, value, move_farl(NextMove::Best))?),
        Algorithm::MonteCarlo => Box::new(MonteCarlo::new(value)),
    })
}

/// Whose gain the value of this algorithm tells, and of what.
fn frame<G: Notation>(game: &G, algorithm: Algorithm) -> (Whose, Scope) {
    match algorithm {
        Algorithm::Td => (Whose::First, Scope::Afterstates),
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
            "{algorithm:?} has one player maximise and one minimise, but {} has {players} players; \
             td-farl, sarsa-farl, q-farl and monte-carlo learn games of any number",
            config.game
        )));
    }
    if config.learner.judge_ends && algorithm != Algorithm::Td {
        return Err(Invalid("learner.judge-ends goes with algorithm = \"td\" only".into()));
    }
    Ok(())
}

fn build_value<G: Notation>(game: &G, config: &Config, seed: u64) -> Result<Value<G>, Invalid> {
    let (whose, scope) = frame(game, config.learner.algorithm);
    let rng = &mut Rng::derived(seed, "weights", 0);
    let built = net::build_net(game, config, scope, seed, rng)?;
    let banks = match built.players {
        PlayersName::Each => Banks::PerPlayer,
        PlayersName::Shared => Banks::Shared,
    };
    let rewards = match config.learner.rewards {
        RewardsName::Scaled => RewardView::Scaled(config.learner.reward_scale),
        RewardsName::Chance => RewardView::Chance,
    };
    let perspective = Perspective { whose, banks };
    let gamma = config.learner.gamma;
    let mut value = Value::new(built.net, built.reader, scope, perspective, rewards, gamma);
    value.judge_ends = config.learner.judge_ends;
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

fn trace_settings(config: &TraceConfig, gamma: f32) -> TraceSettings {
    let TraceConfig { lambda, kind, form, horizon, cut, .. } = *config;
    let kind = match kind {
        TraceKindName::Accumulating => TraceKind::Accumulating,
        TraceKindName::Replacing => TraceKind::Replacing,
    };
    let horizon = || TraceForm::Horizon { steps: horizon.unwrap_or_else(|| steps(lambda, cut)) };
    let form = match form {
        _ if lambda == 0.0 => TraceForm::Horizon { steps: 1 },
        Some(TraceFormName::Horizon) => horizon(),
        Some(TraceFormName::Sparse) | None => TraceForm::Sparse,
        Some(TraceFormName::Dense) => TraceForm::Dense,
    };
    TraceSettings { decay: gamma * lambda, kind, form }
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
