//! Settings that would have no effect: whoever sets them expects one.

use crate::LearnFromRandom;
use crate::build::learns_afterwards;
use crate::config::{
    Algorithm, Config, RewardsName, SearchConfig, SourceName, StartConfig, TraceFormName,
    TraceKind, ValueConfig,
};
use ludens_approx::step::{Idbd, Loss};
use ludens_approx::{Output, StepRule};
use ludens_core::Invalid;

/// A setting that has no effect beside the others.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ineffective {
    /// Why it has no effect; the first full key in it is the one of the setting.
    pub reason: &'static str,
}

impl Ineffective {
    /// The full key of the setting.
    pub fn key(&self) -> &'static str {
        let words = self.reason.split(|c: char| !c.is_ascii_alphanumeric() && !"-.".contains(c));
        words.into_iter().find(|word| word.contains('.')).unwrap_or_default()
    }
}

/// The first setting that would have no effect beside the others, if any.
pub fn ineffective(config: &Config) -> Option<Ineffective> {
    let found = [step(config), learner(config), trace(config), start(&config.start)];
    let reason = found.into_iter().flatten().next()?;
    Some(Ineffective { reason })
}

/// Refuses settings that would have no effect beside the others.
pub(super) fn check_effect(config: &Config) -> Result<(), Invalid> {
    match ineffective(config) {
        Some(found) => Err(Invalid(found.reason.into())),
        None => Ok(()),
    }
}

fn step(config: &Config) -> Option<&'static str> {
    let (low, high) = config.learner.alpha.range();
    let output = config.value.output();
    let rates = matches!(&config.value, ValueConfig::Mlp(value) if !value.rates.is_empty());
    let unrated = match config.step {
        StepRule::Idbd(Idbd { loss: Loss::CrossEntropy, .. }) if output == Output::Linear => {
            return Some("step.idbd.loss = \"cross-entropy\" needs an output of tanh or sigmoid");
        }
        StepRule::Idbd(_)
        | StepRule::Autostep(_)
        | StepRule::K1(_)
        | StepRule::Alap(_)
        | StepRule::Rprop(_) => true,
        StepRule::Constant | StepRule::Tcl(_) | StepRule::AlphaBound => false,
    };
    if unrated && low < high {
        return Some(
            "learner.alpha has a schedule, but this step size finds a rate for each weight by \
             itself, and learner.alpha does not count; step.constant, step.tcl and \
             step.alpha-bound follow schedules",
        );
    }
    (unrated && rates).then_some(
        "value.mlp.rates tells rates of layers, but this step size finds a rate for each weight by \
         itself",
    )
}

fn learner(config: &Config) -> Option<&'static str> {
    use Algorithm::{MonteCarlo, Q, QFarl, SarsaFarl, TdDirected, TdFarl, TdLeaf, TdMu};
    use LearnFromRandom::{IfOver, IfWon};
    let learner = &config.learner;
    let algorithm = learner.algorithm;
    let adapts = matches!(algorithm, TdFarl | SarsaFarl | QFarl);
    let searches = matches!(algorithm, TdLeaf | TdDirected)
        || config.games.iter().any(|source| source.from == SourceName::Twin);
    if !learner.adapt_others && !adapts {
        return Some("learner.adapt-others goes with td-farl, sarsa-farl and q-farl only");
    }
    if !learner.adapt_last && !adapts {
        return Some("learner.adapt-last goes with td-farl, sarsa-farl and q-farl only");
    }
    if learner.redraw && !matches!(algorithm, SarsaFarl | QFarl) {
        return Some("learner.redraw goes with sarsa-farl and q-farl only");
    }
    if learner.redraw && learns_afterwards(config) {
        return Some(
            "learner.redraw goes with games that are learned while played only: leave \
             learner.batch, learner.repeats and learner.inverted as they are",
        );
    }
    if learner.residual > 0.0
        && (config.trace.kind == TraceKind::Replacing
            || !matches!(config.step, StepRule::Constant | StepRule::Rprop(_)))
    {
        return Some(
            "learner.residual adds two gradients, which step.constant and step.rprop with \
             trace.kind = \"accumulating\" do",
        );
    }
    if learner.regions > 0 && matches!(config.value, ValueConfig::Ntuple(_) | ValueConfig::Table(_))
    {
        return Some("learner.regions needs a value with inputs: linear, mlp or rbf");
    }
    if learner.mu != 0.0 && algorithm != TdMu {
        return Some("learner.mu goes with the algorithm td-mu only");
    }
    if config.search != SearchConfig::default() && !searches {
        return Some("search.depth goes with td-leaf, td-directed and games from a twin only");
    }
    if learner.reward_scale != 1.0 && learner.rewards == RewardsName::Chance {
        return Some("learner.reward-scale goes with learner.rewards = \"scaled\" only");
    }
    let sometimes = matches!(learner.learn_from_random, IfOver | IfWon);
    if sometimes && learner.redraw {
        return Some(
            "learner.redraw learns before a move is played: learner.learn-from-random is \
             \"never\" or \"always\"",
        );
    }
    if sometimes && matches!(algorithm, Q | MonteCarlo) {
        return Some(
            "q and monte-carlo learn from random moves always: learner.learn-from-random does not \
             count",
        );
    }
    None
}

fn trace(config: &Config) -> Option<&'static str> {
    let trace = &config.trace;
    let delayed = trace.form == Some(TraceFormName::Delayed);
    if trace.horizon.is_some() && trace.form != Some(TraceFormName::Horizon) && !delayed {
        return Some("trace.horizon goes with trace.form = \"horizon\" or \"delayed\" only");
    }
    if delayed && trace.kind == TraceKind::Replacing {
        return Some("trace.kind has no effect: trace.form = \"delayed\" keeps no traces");
    }
    let unused = config.learner.algorithm == Algorithm::MonteCarlo && trace.lambda > 0.0;
    unused.then_some("monte-carlo learns from the outcome alone: trace.lambda does not count")
}

fn start(start: &StartConfig) -> Option<&'static str> {
    let plies = start.share > 0.0 || start.min_plies > 0 || start.max_plies > 0;
    if !start.states.is_empty() && plies {
        return Some("start.states takes the place of start.share and of random moves");
    }
    if start.share == 0.0 && start.max_plies > 0 {
        return Some("start.max-plies needs start.share: how many of the games begin so");
    }
    if start.share == 0.0 && start.min_plies > 0 {
        return Some("start.min-plies needs start.share: how many of the games begin so");
    }
    (start.share > 0.0 && start.max_plies == 0)
        .then_some("start.share needs start.max-plies: how many random moves there are at most")
}
