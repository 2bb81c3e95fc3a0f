//! What a run is going to do.

use crate::Machine;
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
}
