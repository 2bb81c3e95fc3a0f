//! The definition of an experiment: the content of its file.

use crate::{Claim, Records, Scan, Variant, expand};
use ludens_core::Invalid;
use ludens_lab::{Early, EvaluationPlan, folder_name};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What an experiment compares, at which scales, and what is claimed about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// The title.
    pub title: String,
    /// The paper, and the table or figure that it repeats.
    pub source: String,
    /// The compared variants and the reason, in a few sentences.
    pub about: String,
    /// The game, unless a variant has another.
    pub game: String,
    /// The preset that all variants begin with, unless they name another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// A file of settings that are laid upon the preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<PathBuf>,
    /// The protocols that measure strength, one or a list, each as `protocol` or `protocol:games`;
    /// the first is the one that counts.
    #[serde(with = "one_or_more")]
    pub evaluation: Vec<String>,
    /// Settings of all variants, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The variants; one called "all" if missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// Settings that take several values each; every variant takes every combination.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scan: Vec<Scan>,
    /// The claims.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The deviations from the paper, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<String>,
    /// Remarks on the results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The line that a curve must cross for the last time to count as learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<f64>,
    /// The line that a curve must cross for the first time to count as mastered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mastered: Option<f64>,
    /// Whether curves are drawn over a logarithmic axis.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
    /// Games that are played once, for the runs to learn from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<Records>,
    /// Other players that use the learned values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Players>,
    /// The scales, by name.
    pub scales: BTreeMap<ScaleName, Scale>,
}

/// The scale of an experiment.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleName {
    /// Seconds, to see that everything works.
    Smoke,
    /// Minutes.
    Quick,
    /// As much as in the paper.
    Full,
}

impl ScaleName {
    /// All scales, from small to large.
    pub const ALL: [ScaleName; 3] = [ScaleName::Smoke, ScaleName::Quick, ScaleName::Full];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            ScaleName::Smoke => "smoke",
            ScaleName::Quick => "quick",
            ScaleName::Full => "full",
        }
    }
}

/// The number and length of the runs, and their evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scale {
    /// Runs of each variant; their seeds count from 1.
    pub seeds: u64,
    /// Episodes of each run.
    pub episodes: u64,
    /// Episodes from one evaluation to the next.
    pub every: u64,
    /// Closer evaluations at the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<Early>,
    /// The number of games of each protocol that names none itself, if not the protocol's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// The protocols of this scale, if they differ from the experiment's.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_more")]
    pub evaluation: Vec<String>,
    /// Settings of all variants at this scale, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The numbers that the players are tried with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<u64>,
}

/// One text, or a list of texts.
mod one_or_more {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a protocol or a list of protocols")]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }

    pub(super) fn serialize<S: Serializer>(texts: &[String], to: S) -> Result<S::Ok, S::Error> {
        match texts {
            [one] => one.serialize(to),
            more => more.serialize(to),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
        Ok(match OneOrMore::deserialize(from)? {
            OneOrMore::One(one) => vec![one],
            OneOrMore::More(more) => more,
        })
    }
}

/// Players that use the learned values, with a numeric parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Players {
    /// The agent, with `{value}` for the file of what was learned and `{n}` for the number.
    pub agent: String,
    /// The name of the numeric parameter.
    pub over: String,
}

impl Experiment {
    /// Reads the file called `name`.
    ///
    /// # Errors
    ///
    /// On anything that is not as expected, with the line.
    pub fn parse(name: &str, text: &str) -> Result<Experiment, Invalid> {
        let read = toml::from_str::<Experiment>(text).map_err(|e| {
            let line = e.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            Invalid(format!("{name}, line {line}: {}", e.message()))
        })?;
        read.check().map_err(|e| e.about(name))?;
        Ok(read)
    }

    /// The experiment as a file.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("an experiment can be written")
    }

    /// Everything that is compared, scans included, in order.
    pub fn all_variants(&self) -> Vec<Variant> {
        expand(&self.variants, &self.scan)
    }

    /// The scale of this name.
    ///
    /// # Errors
    ///
    /// If the experiment has no such scale.
    pub fn scale(&self, name: ScaleName) -> Result<Scale, Invalid> {
        self.scales.get(&name).cloned().ok_or_else(|| {
            let known: Vec<&str> = self.scales.keys().map(|scale| scale.name()).collect();
            Invalid(format!("no scale is called {:?}; known: {}", name.name(), known.join(", ")))
        })
    }

    /// The protocols of a scale, the one that counts first.
    ///
    /// # Errors
    ///
    /// If a number of games is none, or a protocol is named twice.
    pub fn evaluations(&self, scale: &Scale) -> Result<Vec<EvaluationPlan>, Invalid> {
        let own = !scale.evaluation.is_empty();
        let texts = if own { &scale.evaluation } else { &self.evaluation };
        let read = |text: &String| -> Result<EvaluationPlan, Invalid> {
            let read = EvaluationPlan::parse(text)?;
            Ok(EvaluationPlan { games: read.games.or(scale.games), ..read })
        };
        let all = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        EvaluationPlan::check_distinct(&all)?;
        Ok(all)
    }

    /// Refuses claims and published results by protocols that no scale measures.
    fn check_protocols(&self) -> Result<(), Invalid> {
        if self.evaluation.is_empty() {
            return Err(Invalid("evaluation: expected a protocol or a list of protocols".into()));
        }
        self.scales.values().try_for_each(|scale| self.evaluations(scale).map(drop))?;
        let known = self.evaluations(&Scale::default())?;
        let known = || known.iter().map(|evaluation| evaluation.protocol.as_str());
        let published = self.variants.iter().flat_map(|variant| variant.published_by.keys());
        let named = self.claims.iter().filter_map(Claim::protocol);
        for name in named.chain(published.map(String::as_str)) {
            if !known().any(|known| known == name) {
                return Err(Invalid::unknown("protocol", name, known()));
            }
        }
        Ok(())
    }

    /// Checks that its parts go together.
    ///
    /// # Errors
    ///
    /// If they do not, with the reason.
    pub fn check(&self) -> Result<(), Invalid> {
        let variants = self.all_variants();
        let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                return Err(Invalid(format!("two variants are called {name:?}")));
            }
            // Some file systems take small and capital letters for the same.
            let folder = |name: &str| folder_name(name).to_lowercase();
            if let Some(other) = names[..i].iter().find(|other| folder(other) == folder(name)) {
                return Err(Invalid(format!(
                    "the variants {other:?} and {name:?} would share a folder, {:?}",
                    folder(name)
                )));
            }
        }
        for named in self.claims.iter().flat_map(Claim::variants) {
            let variant = match named.rsplit_once(" with ") {
                Some((variant, _)) if self.players.is_some() => variant,
                _ => named,
            };
            if !names.contains(&variant) {
                return Err(Invalid::unknown("variant", variant, names).about("a claim"));
            }
        }
        self.check_protocols()?;
        let empty = |scale: &Scale| {
            let early = scale.early.map_or(1, |early| early.every);
            [scale.seeds, scale.episodes, scale.every, early].contains(&0)
        };
        match self.scales.iter().find(|(_, scale)| empty(scale)) {
            Some((name, _)) => Err(Invalid(format!(
                "the scale {}: seeds, episodes and every must be at least 1",
                name.name()
            ))),
            None if self.scales.is_empty() => Err(Invalid("no scale is given".into())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
title = "Traces"
source = "nowhere"
about = "Two rates."
game = "tictactoe"
preset = "default"
evaluation = "max-n"
claims = ["fast > slow by 0.1 at the end"]

[[variants]]
name = "fast"
set = ["learner.alpha=0.5"]

[[variants]]
name = "slow"

[scales.smoke]
seeds = 2
episodes = 10
every = 5
"#;

    fn refused(from: &str, to: &str) -> String {
        Experiment::parse("x.toml", &TEXT.replace(from, to)).unwrap_err().to_string()
    }

    #[test]
    fn an_experiment_is_read() {
        let read = Experiment::parse("x.toml", TEXT).unwrap();
        assert_eq!(read.all_variants().len(), 2);
        assert_eq!(read.scale(ScaleName::Smoke).unwrap().episodes, 10);
        assert_eq!(Experiment::parse("x.toml", &read.to_text()).unwrap(), read);
        let missing = read.scale(ScaleName::Full).unwrap_err().to_string();
        assert!(missing.contains("known: smoke"), "{missing}");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert!(refused("preset =", "present =").starts_with("x.toml, line 6: unknown field"));
        assert!(refused("fast > slow", "fast > slwo").contains("did you mean \"slow\"?"));
        assert!(refused("name = \"slow\"", "name = \"fast\"").contains("two variants"));
        assert!(refused("seeds = 2", "seeds = 0").contains("at least 1"));
        let shared = refused("name = \"slow\"", "name = \"slow\"\n[[variants]]\nname = \"Slow\"");
        assert!(shared.contains("\"slow\" and \"Slow\" would share a folder"), "{shared}");
        let shared = refused(
            "name = \"slow\"",
            "name = \"slow\"\n[[variants]]\nname = \"sl w\"\n[[variants]]\nname = \"sl+w\"",
        );
        assert!(shared.contains("\"sl w\" and \"sl+w\" would share a folder"), "{shared}");
        assert!(refused("by 0.1 at the end", "somehow").contains("line 8"));
    }

    #[test]
    fn several_protocols_may_measure_and_claims_may_name_them() {
        let text = TEXT.replace("\"max-n\"", "[\"max-n:6\", \"decay\"]");
        let text = text
            .replace("\"fast >", "\"decay: fast >")
            .replace("every = 5", "every = 5\ngames = 9");
        let read = Experiment::parse("x.toml", &text).unwrap();
        let found = read.evaluations(&read.scale(ScaleName::Smoke).unwrap()).unwrap();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["max-n:6", "decay:9"]);
        assert_eq!(Experiment::parse("x.toml", &read.to_text()).unwrap(), read);
        assert!(refused("\"fast >", "\"decay: fast >").contains("no protocol is called \"decay\""));
        assert!(refused("\"max-n\"", "[\"max-n\", \"max-n\"]").contains("named twice"));
        assert!(refused("\"max-n\"", "[]").contains("expected a protocol"));
    }
}
