//! What a run is going to do.

use crate::{Machine, differences};
use ludens_arena::default_protocol;
use ludens_core::Invalid;
use ludens_learn::Config;
use ludens_registry::AnyGame;
use serde::{Deserialize, Serialize};

/// What a run is going to do: the content of `run.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// The version of Ludens that began the run.
    pub ludens: String,
    /// What was typed.
    pub command: String,
    /// The preset that the settings began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// What all random numbers are drawn from.
    pub seed: u64,
    /// Episodes from one line of the learning curve to the next.
    pub every: u64,
    /// One of so many episodes is written down.
    pub sample: u64,
    /// How strength is measured at each line; not at all if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationPlan>,
    /// Whether threads learn on the same weights at once, so that no run is like another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Where the run was begun.
    pub machine: Machine,
    /// Everything that was chosen.
    pub config: Config,
}

/// How strength is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EvaluationPlan {
    /// The protocol.
    pub protocol: String,
    /// How many games, if not as many as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
}

impl EvaluationPlan {
    /// Reads `protocol` or `protocol:games`.
    ///
    /// # Errors
    ///
    /// If the number of games is none.
    pub fn parse(text: &str) -> Result<EvaluationPlan, Invalid> {
        let (protocol, games) = match text.split_once(':') {
            None => (text, None),
            Some((protocol, games)) => {
                let number = games.parse().ok().filter(|&games| games > 0);
                let expected =
                    || format!("expected protocol:games, such as random:200, found {text:?}");
                (protocol, Some(number.ok_or_else(|| Invalid(expected()))?))
            }
        };
        Ok(EvaluationPlan { protocol: protocol.into(), games })
    }
}

/// How the strength of a game is measured while learning; protocols that take too long for that
/// give way to quicker ones.
pub fn usual_evaluation(game: &dyn AnyGame) -> Option<EvaluationPlan> {
    let info = game.info();
    let name = info.spec.split(':').next().unwrap_or_default();
    let (protocol, games) = match name {
        "connect4" => ("solved", Some(30)),
        "hex" => ("decay", Some(40)),
        "random-walk" => return None,
        _ if info.players == 1 => ("score", Some(100)),
        _ => (default_protocol(name, info.players), None),
    };
    Some(EvaluationPlan { protocol: protocol.into(), games })
}

impl Plan {
    /// A line of the learning curve about 20 times, about 1,000 games written down.
    pub fn new(config: Config, seed: u64) -> Plan {
        let tenth = |parts: u64| config.episodes.div_ceil(parts).max(1);
        Plan {
            ludens: env!("CARGO_PKG_VERSION").into(),
            command: String::new(),
            preset: None,
            seed,
            every: tenth(20),
            sample: tenth(1_000),
            evaluation: None,
            shared: false,
            machine: Machine::this(),
            config,
        }
    }

    /// The game without its settings.
    pub fn game_name(&self) -> &str {
        self.config.game.split(':').next().unwrap_or_default()
    }

    /// The first setting by which another plan learns or measures differently: its key, what it is
    /// here, and what it is there.
    pub fn difference(&self, other: &Plan) -> Option<(String, String, String)> {
        let told = |plan: &Plan| {
            let evaluation = plan.evaluation.as_ref();
            let protocol = evaluation.map(|e| e.protocol.clone());
            let games = evaluation.and_then(|e| e.games).map(|games| games.to_string());
            [
                ("seed", Some(plan.seed.to_string())),
                ("every", Some(plan.every.to_string())),
                ("evaluation.protocol", protocol),
                ("evaluation.games", games),
                ("shared", Some(plan.shared.to_string())),
            ]
        };
        let plain = told(self).into_iter().zip(told(other));
        let plain = plain.map(|((key, here), (_, there))| (key.to_owned(), here, there));
        let mut chosen = differences(&self.config, &other.config);
        // Another game says more than whatever else it brings along.
        chosen.sort_by_key(|(key, ..)| key != "game");
        let (key, here, there) = plain.chain(chosen).find(|(_, here, there)| here != there)?;
        let said = |value: Option<String>| value.unwrap_or_else(|| "not set".into());
        Some((key, said(here), said(there)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_learn::config::Number;

    #[test]
    fn plans_differ_by_what_changes_the_curve() {
        let plan = Plan::new(Config::default(), 1);
        let changed = |change: &dyn Fn(&mut Plan)| {
            let mut other = plan.clone();
            change(&mut other);
            plan.difference(&other)
        };
        let told = |key: &str, here: &str, there: &str| {
            Some((key.to_owned(), here.to_owned(), there.to_owned()))
        };
        assert_eq!(changed(&|other| other.command = "other".into()), None);
        assert_eq!(changed(&|other| other.seed = 2), told("seed", "1", "2"));
        let alpha = |other: &mut Plan| other.config.learner.alpha = Number::Constant(0.2);
        assert_eq!(changed(&alpha), told("learner.alpha", "0.1", "0.2"));
        let measured = |other: &mut Plan| other.evaluation = EvaluationPlan::parse("random:9").ok();
        assert_eq!(changed(&measured), told("evaluation.protocol", "not set", "random"));
        let game = |other: &mut Plan| {
            alpha(other);
            other.config.game = "nim".into();
        };
        assert_eq!(changed(&game), told("game", "\"tictactoe\"", "\"nim\""));
    }
}
