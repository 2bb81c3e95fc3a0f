//! From a configuration to a learner.

mod network;
mod size;
mod validate;

pub use network::list_tuples;
pub use validate::{Ineffective, ineffective};

use crate::action_images::ActionImages;
use crate::config::{
    Algorithm, Config, ExploreConfig, LearnerConfig, RewardsName, SourceName, StartConfig,
    TraceConfig, TraceFormName, ValueConfig,
};
use crate::{
    ActionFarl, AfterChance, DelayedTd, Explore, Learner, LearnerSettings, LengthPenalty,
    MonteCarlo, NextAction, PartialDecision, Q, RewardView, Start, Td, TdFarl, TdMu, Value,
    ValueKind, ValueOwner, ValueSpec, WeightSharing,
};
use ludens_approx::{StepRule, TraceForm, TraceSettings, UniqueArc};
use ludens_core::{Invalid, Notation, TrainableGame};

/// The untrained learner that `config` describes. `seed` draws tuples and weights.
///
/// # Errors
///
/// If settings contradict each other.
pub fn build_learner<G: TrainableGame>(
    game: &G,
    config: &Config,
    seed: u64,
) -> Result<Box<dyn Learner<G>>, Invalid> {
    check_numbers(config)?;
    check_fit(game, config)?;
    validate::check_effect(config)?;
    build_learner_of(game, config, build_value(game, config, seed, size::MAX_WEIGHTS)?)
}

/// The learner that `config` describes, for an existing value.
pub(crate) fn build_learner_of<G: TrainableGame>(
    game: &G,
    config: &Config,
    value: Value<G>,
) -> Result<Box<dyn Learner<G>>, Invalid> {
    let LearnerConfig { algorithm, adapt_others, adapt_last, redraw, mu, .. } = config.learner;
    let LearnerConfig { residual, regions, length_penalty, .. } = config.learner;
    let (trace, reset) = (trace_settings(config), config.trace.reset);
    let exploration = config.learner.learn_from_random;
    let settings =
        LearnerSettings { trace, reset, exploration, adapt_others, adapt_last, redraw, residual };
    let leaf_depth = (algorithm == Algorithm::TdLeaf).then_some(config.search.depth);
    let td = |value| Td::new(value, settings, leaf_depth);
    let actions = |value, target| ActionFarl::new(game, value, settings, target);
    let after_chance = value.spec.after_chance;
    let mut learner: Box<dyn Learner<G>> = match algorithm {
        Algorithm::Td | Algorithm::TdOffline | Algorithm::TdFarl
            if let Some(steps) = delay(config) =>
        {
            Box::new(DelayedTd::new(game, value, settings, config.trace.lambda, steps)?)
        }
        Algorithm::Td if after_chance => Box::new(AfterChance::new(td(value)?)),
        Algorithm::Td | Algorithm::TdOffline | Algorithm::TdLeaf | Algorithm::TdDirected => {
            Box::new(td(value)?)
        }
        Algorithm::TdMu => Box::new(TdMu::new(td(value)?, mu)),
        Algorithm::Q => Box::new(Q::new(value, &trace)?),
        Algorithm::TdFarl if after_chance => {
            Box::new(AfterChance::new(TdFarl::new(game, value, settings)?))
        }
        Algorithm::TdFarl => Box::new(TdFarl::new(game, value, settings)?),
        Algorithm::SarsaFarl => Box::new(actions(value, NextAction::Taken)?),
        Algorithm::QFarl => Box::new(actions(value, NextAction::Best)?),
        Algorithm::MonteCarlo => Box::new(MonteCarlo::new(value)),
    };
    if regions > 0 {
        learner = Box::new(PartialDecision::new(learner, exploration));
    }
    if length_penalty > 0.0 {
        learner = Box::new(LengthPenalty::new(learner, length_penalty));
    }
    Ok(learner)
}

/// How many afterstates the updates of delayed TD(lambda) wait for; nothing for other learners.
pub(crate) fn delay(config: &Config) -> Option<usize> {
    let TraceConfig { lambda, form, horizon, cut, .. } = config.trace;
    let delayed = form == Some(TraceFormName::Delayed) && lambda > 0.0;
    delayed.then(|| horizon.unwrap_or_else(|| steps(lambda, cut)).max(1))
}

/// How many moves ahead the learner searches, the move itself included.
pub(crate) fn search_depth(config: &Config) -> u32 {
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

/// Whose return the value of this algorithm predicts, and of what.
fn meaning<G: Notation>(game: &G, algorithm: Algorithm) -> (ValueOwner, ValueKind) {
    match algorithm {
        Algorithm::Td
        | Algorithm::TdOffline
        | Algorithm::TdLeaf
        | Algorithm::TdDirected
        | Algorithm::TdMu => (ValueOwner::FirstPlayer, ValueKind::Afterstate),
        Algorithm::Q => (ValueOwner::FirstPlayer, ValueKind::AfterstateWithReward),
        Algorithm::TdFarl | Algorithm::MonteCarlo => (ValueOwner::Mover, ValueKind::Afterstate),
        Algorithm::SarsaFarl | Algorithm::QFarl => {
            (ValueOwner::Mover, ValueKind::Action { sets: game.num_moves() })
        }
    }
}

/// Refuses algorithms on games that they cannot learn.
fn check_fit<G: TrainableGame>(game: &G, config: &Config) -> Result<(), Invalid> {
    let (players, algorithm) = (game.num_players(), config.learner.algorithm);
    if meaning(game, algorithm).0 == ValueOwner::FirstPlayer && players > 2 {
        return Err(Invalid(format!(
            "{} has one player maximise and one minimise, but {} has {players} players; \
             td-farl, sarsa-farl, q-farl and monte-carlo learn games of any number",
            algorithm.name(),
            config.game
        )));
    }
    let td = meaning(game, algorithm) == (ValueOwner::FirstPlayer, ValueKind::Afterstate);
    let LearnerConfig { bootstrap_terminal, inverted, reversed, afterstates, .. } = config.learner;
    let LearnerConfig { residual, regions, .. } = config.learner;
    let one_step = matches!(algorithm, Algorithm::Td | Algorithm::TdOffline | Algorithm::TdFarl);
    let long = config.trace.lambda > 0.0 && config.trace.form == Some(TraceFormName::Horizon);
    let refusals = [
        (bootstrap_terminal && !td, "learner.bootstrap-terminal goes with the td algorithms only"),
        (
            (inverted || reversed) && (!td || players != 2),
            "learner.inverted and learner.reversed swap two players' colours: \
             they go with the td algorithms and games of two players only",
        ),
        (
            !afterstates && !matches!(algorithm, Algorithm::Td | Algorithm::TdFarl),
            "learner.afterstates = false goes with td and td-farl only",
        ),
        (search_depth(config) == 0 || config.search.depth > 20, "search.depth is from 1 to 20"),
        (
            matches!(config.step, StepRule::Rprop(_)) && !learns_afterwards(config),
            "step.rprop moves weights by the sign of the gradient over a batch: set learner.batch",
        ),
        (
            residual > 0.0 && (!td || algorithm == Algorithm::TdLeaf),
            "learner.residual goes with the td algorithms except td-leaf only",
        ),
        (
            regions == 1 || regions > game.num_moves(),
            "learner.regions is 0, or from 2 to the number of moves",
        ),
        (
            regions > 0 && (!one_step || game.has_chance() || inverted || reversed),
            "learner.regions goes with td, td-offline and td-farl in games without chance, and \
             without learner.inverted and learner.reversed",
        ),
        (
            config.trace.form == Some(TraceFormName::Delayed)
                && (!matches!(algorithm, Algorithm::Td | Algorithm::TdOffline | Algorithm::TdFarl)
                    || !afterstates
                    || bootstrap_terminal
                    || residual > 0.0),
            "trace.form = \"delayed\" goes with td, td-offline and td-farl, and without \
             learner.afterstates = false, learner.bootstrap-terminal and learner.residual",
        ),
        (
            matches!(algorithm, Algorithm::SarsaFarl | Algorithm::QFarl)
                && config.value.players() == WeightSharing::Shared
                && game.turned_board().is_some(),
            "this game turns its board to the player, but not its moves: values of actions need \
             value.ntuple.players = \"each\"",
        ),
        (
            algorithm == Algorithm::TdLeaf && long,
            "td-leaf needs trace.form = \"sparse\" or \"dense\"",
        ),
        (
            config.games.iter().any(|source| source.from == SourceName::Twin) && !td,
            "games from a twin need a td algorithm: its search has one player minimise",
        ),
    ];
    match refusals.into_iter().find(|(refused, _)| *refused) {
        Some((_, reason)) => Err(Invalid(reason.into())),
        None => Ok(()),
    }
}

/// The untrained value that `config` describes. `seed` draws tuples and weights.
///
/// # Errors
///
/// If settings contradict each other, or need more than `max_weights` weights.
pub fn build_value<G: TrainableGame>(
    game: &G,
    config: &Config,
    seed: u64,
    max_weights: u64,
) -> Result<Value<G>, Invalid> {
    let spec = value_spec(game, config);
    let (network, encoder) = network::build(game, config, &spec, seed, max_weights)?;
    let action_images = match spec.kind {
        ValueKind::Action { sets: 1 } if game.num_moves() > 1 => {
            let table_size = network.tensors()[0].shape[1] / game.num_moves();
            Some(ActionImages::new(game, network::num_images(game, config), table_size)?)
        }
        _ => None,
    };
    let mut value = Value::new(UniqueArc::new(network), encoder, spec);
    value.action_images = action_images;
    Ok(value)
}

/// The bytes that the value of a training takes, before it is built: its weights and what the
/// step-size rule remembers of them. Threads share them.
///
/// # Errors
///
/// If settings contradict each other.
pub fn training_bytes<G: TrainableGame>(
    game: &G,
    config: &Config,
    seed: u64,
) -> Result<u64, Invalid> {
    check_numbers(config)?;
    network::bytes(game, config, &value_spec(game, config), seed, size::MAX_WEIGHTS)
}

fn value_spec<G: TrainableGame>(game: &G, config: &Config) -> ValueSpec {
    let (owner, mut kind) = meaning(game, config.learner.algorithm);
    if let ValueKind::Action { sets } = &mut kind
        && network::num_images(game, config) > 1
    {
        *sets = 1;
    }
    let rewards = match config.learner.rewards {
        RewardsName::Scaled => RewardView::Scaled(config.learner.reward_scale),
        RewardsName::Chance => RewardView::Chance,
    };
    ValueSpec {
        kind,
        owner,
        sharing: config.value.players(),
        rewards,
        discount: config.learner.gamma,
        bootstrap_terminal: config.learner.bootstrap_terminal,
        after_chance: !config.learner.afterstates && game.has_chance(),
        reversed: config.learner.reversed,
        swapped: false,
        regions: config.learner.regions,
    }
}

/// Where games begin.
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

/// How the learner explores in `episode` of the run.
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
    let horizon = || TraceForm::Horizon { steps: horizon.unwrap_or_else(|| steps(lambda, cut)) };
    let form = match form {
        _ if lambda == 0.0 => TraceForm::Horizon { steps: 1 },
        Some(TraceFormName::Horizon) => horizon(),
        Some(TraceFormName::Delayed) => TraceForm::Horizon { steps: 1 },
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

/// More moves than any search of ours completes.
const MAX_SEARCH_DEPTH: u32 = 200;

/// More games than are worth playing with the same weights.
const MAX_BATCH: u32 = 1_000_000;

fn check_numbers(config: &Config) -> Result<(), Invalid> {
    let share = |key: &str, number: f32| match (0.0..=1.0).contains(&number) {
        true => Ok(()),
        false => Err(Invalid(format!("{key} is {number}; it is a number from 0 to 1"))),
    };
    share("trace.lambda", config.trace.lambda)?;
    share("learner.gamma", config.learner.gamma)?;
    share("start.share", config.start.share)?;
    share("learner.residual", config.learner.residual)?;
    share("learner.length-penalty", config.learner.length_penalty)?;
    let depth = config.search.depth;
    if !(1..=MAX_SEARCH_DEPTH).contains(&depth) {
        return Err(Invalid(format!("search.depth is {depth}; it is 1 to {MAX_SEARCH_DEPTH}")));
    }
    let batch = config.learner.batch;
    if batch > MAX_BATCH {
        return Err(Invalid(format!("learner.batch is {batch}; at most {MAX_BATCH} are kept")));
    }
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
