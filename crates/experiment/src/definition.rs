//! What an experiment is: the content of its file.

use crate::{Claim, Scan, Variant, expand};
use ludens_core::Invalid;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an experiment compares, at which scales, and what is claimed about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// What it is about, in a few words.
    pub title: String,
    /// The paper, and the table or figure that it repeats.
    pub source: String,
    /// What is compared, and why, in a few sentences.
    pub about: String,
    /// The game, unless a variant has another.
    pub game: String,
    /// The preset that all variants begin with, unless they name another.
    pub preset: String,
    /// How strength is measured.
    pub evaluation: String,
    /// Settings of all variants, as `key=value`.
    #[serde(default)]
    pub set: Vec<String>,
    /// What is compared; one that is called "all" if missing.
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// Settings that take several values each; every variant takes every combination.
    #[serde(default)]
    pub scan: Vec<Scan>,
    /// What is claimed.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// Where we do otherwise than the paper, and why.
    #[serde(default)]
    pub deviations: Vec<String>,
    /// The line that a curve must cross to count as learned.
    #[serde(default)]
    pub learned: Option<f64>,
    /// How much is run, by name.
    pub scales: BTreeMap<ScaleName, Scale>,
}

/// How much is run.
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

/// How many runs of which length, and how they are measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scale {
    /// Runs of each variant; their seeds count from 1.
    pub seeds: u64,
    /// Episodes of each run.
    pub episodes: u64,
    /// Episodes from one evaluation to the next.
    pub every: u64,
    /// Games of one evaluation, if not as many as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// How strength is measured, if not as in the other scales.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// Settings of all variants at this scale, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
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

    /// Everything that is compared, scans included, in order.
    pub fn all_variants(&self) -> Vec<Variant> {
        expand(&self.variants, &self.scan)
    }

    /// How much is run at a scale.
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

    fn check(&self) -> Result<(), Invalid> {
        let variants = self.all_variants();
        let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                return Err(Invalid(format!("two variants are called {name:?}")));
            }
        }
        for named in self.claims.iter().flat_map(Claim::variants) {
            if !names.contains(&named) {
                return Err(Invalid::unknown("variant", named, names).about("a claim"));
            }
        }
        let empty = |scale: &Scale| scale.seeds == 0 || scale.episodes == 0 || scale.every == 0;
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
        let missing = read.scale(ScaleName::Full).unwrap_err().to_string();
        assert!(missing.contains("known: smoke"), "{missing}");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert!(refused("preset =", "present =").starts_with("x.toml, line 6: unknown field"));
        assert!(refused("fast > slow", "fast > slwo").contains("did you mean \"slow\"?"));
        assert!(refused("name = \"slow\"", "name = \"fast\"").contains("two variants"));
        assert!(refused("seeds = 2", "seeds = 0").contains("at least 1"));
        assert!(refused("by 0.1 at the end", "somehow").contains("line 8"));
    }
}
