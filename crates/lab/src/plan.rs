//! The plan of a run.

use crate::{Machine, differences};
use ludens_arena::{default_protocol, find_protocol};
use ludens_core::Invalid;
use ludens_learn::Config;
use ludens_registry::AnyGame;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Games per batch of a deterministic run, unless `learner.batch` says otherwise.
const BATCH: u32 = 32;

/// The plan of a run: the content of `run.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// The version of Ludens that began the run.
    pub ludens: String,
    /// The command line that started the run.
    pub command: String,
    /// The preset that the settings began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The random seed.
    pub seed: u64,
    /// Episodes from one line of the learning curve to the next.
    pub every: u64,
    /// A denser schedule at the beginning, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<Early>,
    /// The run records one of this many episodes.
    pub sample: u64,
    /// How the run measures strength at each line; `None` for no measurement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationPlan>,
    /// Further measurements at each line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<EvaluationPlan>,
    /// Whether several threads learn in parallel: on shared weights (not reproducible), on the
    /// weights of one player each, or on replicas.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// How the run was executed last: the loop, the threads, and why not a faster way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<String>,
    /// The machine that started the run.
    pub machine: Machine,
    /// Everything that was chosen.
    pub config: Config,
}

/// Closer lines of the learning curve at the beginning, where most is learned.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Early {
    /// Episodes from one line to the next.
    pub every: u64,
    /// The episode up to which this holds.
    pub until: u64,
}

/// How a run measures strength.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EvaluationPlan {
    /// The protocol.
    pub protocol: String,
    /// The number of games, if it differs from the protocol's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
}

impl EvaluationPlan {
    /// The requested evaluations with commas between them, including `none`, or those of
    /// [`default_evaluations`]. The first is the one that counts.
    ///
    /// # Errors
    ///
    /// If there is no such protocol for this game, it is named twice, or the number of games is
    /// none.
    pub fn choose(asked: Option<&str>, game: &dyn AnyGame) -> Result<Vec<EvaluationPlan>, Invalid> {
        let chosen: Vec<EvaluationPlan> = match asked {
            Some("none") => Vec::new(),
            Some(text) => {
                let each = text.split(',').map(|text| EvaluationPlan::parse(text.trim()));
                each.collect::<Result<_, _>>()?
            }
            None => default_evaluations(game),
        };
        EvaluationPlan::check(&chosen, game)?;
        Ok(chosen)
    }

    /// Refuses protocols that this game does not have, and the same one twice.
    ///
    /// # Errors
    ///
    /// With the protocols of this game, if one of these is none.
    pub fn check(evaluations: &[EvaluationPlan], game: &dyn AnyGame) -> Result<(), Invalid> {
        let info = game.info();
        for EvaluationPlan { protocol, .. } in evaluations {
            find_protocol(protocol, game_name(&info.spec), info.players)?;
        }
        EvaluationPlan::check_distinct(evaluations)
    }

    /// Refuses the same protocol twice: tables and claims name results by it.
    ///
    /// # Errors
    ///
    /// If a protocol is named twice.
    pub fn check_distinct(evaluations: &[EvaluationPlan]) -> Result<(), Invalid> {
        let mut names: Vec<&str> = evaluations.iter().map(|e| e.protocol.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Invalid(format!("the protocol {} is named twice", pair[0]))),
            None => Ok(()),
        }
    }

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

/// As it is read: `protocol` or `protocol:games`.
impl std::fmt::Display for EvaluationPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.protocol)?;
        self.games.map_or(Ok(()), |games| write!(f, ":{games}"))
    }
}

/// The protocols that measure strength during training. Slow ones are replaced by faster ones.
///
/// Connect-4 is also played from the empty board, so that a lost first move shows.
pub fn default_evaluations(game: &dyn AnyGame) -> Vec<EvaluationPlan> {
    let info = game.info();
    let name = game_name(&info.spec);
    let usual: &[(&str, Option<usize>)] = match name {
        "connect4" => &[("solved", Some(30)), ("ab-dl", Some(10))],
        "hex" => &[("decay", Some(40))],
        "random-walk" => &[],
        _ if info.players == 1 => &[("score", Some(100))],
        _ => &[(default_protocol(name, info.players), None)],
    };
    let plan = |&(protocol, games): &(&str, _)| EvaluationPlan { protocol: protocol.into(), games };
    usual.iter().map(plan).collect()
}

/// Most letters of the game and of the settings in the name of a folder.
const MAX_NAME_PART: usize = 39;

impl Plan {
    /// A plan with about 20 lines in the learning curve and about 1,000 recorded games.
    pub fn new(config: Config, seed: u64) -> Plan {
        let tenth = |parts: u64| config.episodes.div_ceil(parts).max(1);
        Plan {
            ludens: env!("CARGO_PKG_VERSION").into(),
            command: String::new(),
            preset: None,
            seed,
            every: tenth(20),
            early: None,
            sample: tenth(1_000),
            evaluation: None,
            also: Vec::new(),
            shared: false,
            execution: None,
            machine: Machine::this(),
            config,
        }
    }

    /// The same, measured by these protocols; the first is the one that counts.
    pub fn measured_by(mut self, evaluations: Vec<EvaluationPlan>) -> Plan {
        let mut evaluations = evaluations.into_iter();
        self.evaluation = evaluations.next();
        self.also = evaluations.collect();
        self
    }

    /// All protocols that measure strength, the one that counts first.
    pub fn evaluations(&self) -> impl Iterator<Item = &EvaluationPlan> {
        self.evaluation.iter().chain(&self.also)
    }

    /// The game without its settings.
    pub fn game_name(&self) -> &str {
        game_name(&self.config.game)
    }

    /// The same for several threads, which share weights or, if that is to be `deterministic`, play
    /// the games of a batch.
    pub fn with_threads(mut self, threads: usize, deterministic: bool) -> Plan {
        let batch = &mut self.config.learner.batch;
        if deterministic && *batch < 2 {
            *batch = BATCH;
        }
        // Games of a batch are played by threads that do not learn.
        self.shared = threads > 1 && *batch < 2;
        self
    }

    /// The episode after which the learning curve gets its next line, if `episode` are learned.
    pub fn next_line(&self, episode: u64) -> u64 {
        let early = self.early.map(|early| (next(episode, early.every), early.until));
        let early = early.filter(|(line, until)| line <= until).map(|(line, _)| line);
        early.unwrap_or(u64::MAX).min(next(episode, self.every))
    }

    /// The default name of a run: game, settings and seed. Settings of a `file` take its name.
    pub fn default_name(&self, file: Option<&Path>) -> String {
        let stem = file.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let settings = stem.or_else(|| self.preset.clone()).unwrap_or_else(|| "plain".into());
        let short = |text: &str| text.chars().take(MAX_NAME_PART).collect::<String>();
        format!("{}-{}-{}", short(&self.config.game), short(&settings), self.seed)
    }

    /// Refuses numbers that no TOML file can hold.
    pub(crate) fn check_numbers(&self) -> Result<(), Invalid> {
        const MOST: u64 = i64::MAX as u64;
        let early = self.early.map_or([0, 0], |early| [early.every, early.until]);
        let numbers = [
            ("episodes", self.config.episodes),
            ("seed", self.seed),
            ("every", self.every),
            ("sample", self.sample),
            ("early.every", early[0]),
            ("early.until", early[1]),
        ];
        match numbers.iter().find(|(_, number)| *number > MOST) {
            Some((key, found)) => Err(Invalid(format!("{key} is {found}; at most {MOST} fit"))),
            None => Ok(()),
        }
    }

    /// What decides about the learning curve and the sample of games besides the configuration.
    fn measuring(&self) -> [(&'static str, Option<String>); 9] {
        let evaluation = self.evaluation.as_ref();
        let games = evaluation.and_then(|e| e.games).map(|games| games.to_string());
        let also: Vec<String> = self.also.iter().map(ToString::to_string).collect();
        [
            ("seed", Some(self.seed.to_string())),
            ("every", Some(self.every.to_string())),
            ("early.every", self.early.map(|early| early.every.to_string())),
            ("early.until", self.early.map(|early| early.until.to_string())),
            ("sample", Some(self.sample.to_string())),
            ("evaluation.protocol", evaluation.map(|e| e.protocol.clone())),
            ("evaluation.games", games),
            ("also", (!also.is_empty()).then(|| also.join(", "))),
            ("shared", Some(self.shared.to_string())),
        ]
    }

    /// The same as text, which a checkpoint keeps.
    pub(crate) fn measuring_text(&self) -> String {
        let line = |(key, value): (&str, Option<String>)| Some(format!("{key} = {}\n", value?));
        self.measuring().into_iter().filter_map(line).collect()
    }

    /// The first setting that differs from what a checkpoint has kept: its key, what it was, and
    /// what it is.
    pub(crate) fn changed_since(&self, kept: &str) -> Option<(&'static str, String, String)> {
        let was = |key: &str| {
            let line = kept.lines().filter_map(|line| line.split_once(" = "));
            line.filter(|(name, _)| *name == key).map(|(_, value)| value.to_owned()).next()
        };
        let said = |value: Option<String>| value.unwrap_or_else(|| "not set".into());
        let settings = self.measuring().into_iter().map(|(key, now)| (key, was(key), now));
        let mut changed = settings.filter(|(_, was, now)| was != now);
        changed.next().map(|(key, was, now)| (key, said(was), said(now)))
    }

    /// The first setting by which another plan learns or measures differently: its key, what it is
    /// here, and what it is there.
    pub fn difference(&self, other: &Plan) -> Option<(String, String, String)> {
        let plain = self.measuring().into_iter().zip(other.measuring());
        let plain = plain.map(|((key, here), (_, there))| (key.to_owned(), here, there));
        let mut chosen = differences(&self.config, &other.config);
        // Another game says more than whatever else it brings along.
        chosen.sort_by_key(|(key, ..)| key != "game");
        let (key, here, there) = plain.chain(chosen).find(|(_, here, there)| here != there)?;
        let said = |value: Option<String>| value.unwrap_or_else(|| "not set".into());
        Some((key, said(here), said(there)))
    }
}

/// The next multiple of `step` after `episode`.
pub(crate) fn next(episode: u64, step: u64) -> u64 {
    (episode / step + 1).saturating_mul(step)
}

/// The name of a game that is written with or without its settings.
pub fn game_name(spec: &str) -> &str {
    spec.split(':').next().unwrap_or_default()
}

/// Sets the game. A bare name keeps the configured settings of the game of that name.
pub fn set_game(config: &mut Config, game: &str) {
    if game.contains(':') || game_name(game) != game_name(&config.game) {
        game.clone_into(&mut config.game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_learn::config::Number;

    #[test]
    fn lines_are_closer_at_the_beginning_if_that_is_wanted() {
        let plan = Plan { every: 500, ..Plan::new(Config::default(), 1) };
        let lines = |plan: &Plan| {
            let next = |episode: &u64| Some(plan.next_line(*episode));
            std::iter::successors(Some(0), next).take(7).collect::<Vec<_>>()
        };
        assert_eq!(lines(&plan), [0, 500, 1000, 1500, 2000, 2500, 3000]);
        let plan = Plan { early: Some(Early { every: 10, until: 45 }), ..plan };
        assert_eq!(lines(&plan), [0, 10, 20, 30, 40, 500, 1000]);
    }

    #[test]
    fn a_name_alone_keeps_the_settings_of_the_game() {
        let played = |game: &str| {
            let mut config = Config { game: "hex:size=6".into(), ..Config::default() };
            set_game(&mut config, game);
            config.game
        };
        assert_eq!((played("hex"), played("nim")), ("hex:size=6".into(), "nim".into()));
        assert_eq!(played("hex:size=4"), "hex:size=4");
    }

    #[test]
    fn runs_are_called_by_game_settings_and_seed() {
        let mut plan = Plan::new(Config { game: "nim".into(), ..Config::default() }, 7);
        assert_eq!(plan.default_name(None), "nim-plain-7");
        assert_eq!(plan.default_name(Some(Path::new("my/own.toml"))), "nim-own-7");
        plan.preset = Some("farl".into());
        assert_eq!(plan.default_name(None), "nim-farl-7");
        assert_eq!(plan.default_name(Some(Path::new("my/own.toml"))), "nim-own-7");
    }

    #[test]
    fn threads_share_weights_unless_games_come_in_batches() {
        let plan = |threads, deterministic| {
            let plan = Plan::new(Config::default(), 1).with_threads(threads, deterministic);
            (plan.config.learner.batch, plan.shared)
        };
        let usual = Config::default().learner.batch;
        assert_eq!((plan(1, false), plan(2, false)), ((usual, false), (usual, true)));
        assert_eq!((plan(1, true), plan(2, true)), ((BATCH, false), (BATCH, false)));
    }

    #[test]
    fn plans_differ_by_what_changes_the_curve() {
        let plan = Plan::new(Config::default(), 1);
        let changed = |change: &dyn Fn(&mut Plan)| {
            let mut other = plan.clone();
            change(&mut other);
            plan.difference(&other)
        };
        let flattened = |key: &str, here: &str, there: &str| {
            Some((key.to_owned(), here.to_owned(), there.to_owned()))
        };
        assert_eq!(changed(&|other| other.command = "other".into()), None);
        assert_eq!(changed(&|other| other.seed = 2), flattened("seed", "1", "2"));
        let alpha = |other: &mut Plan| other.config.learner.alpha = Number::Constant(0.2);
        assert_eq!(changed(&alpha), flattened("learner.alpha", "0.1", "0.2"));
        let measured = |other: &mut Plan| other.evaluation = EvaluationPlan::parse("random:9").ok();
        assert_eq!(changed(&measured), flattened("evaluation.protocol", "not set", "random"));
        let game = |other: &mut Plan| {
            alpha(other);
            other.config.game = "nim".into();
        };
        assert_eq!(changed(&game), flattened("game", "\"tictactoe\"", "\"nim\""));
    }
}
