//! The variants of an experiment.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One of the things that an experiment compares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// The name in tables, figures and claims.
    pub name: String,
    /// The game, if not that of the experiment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The preset, if not that of the experiment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Its settings, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The published final result, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<f64>,
    /// The published final results by other protocols than the first, if any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub published_by: BTreeMap<String, f64>,
    /// The published minutes of CPU time until it was learned, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_minutes: Option<f64>,
    /// After how many episodes the paper found it learned, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_time: Option<f64>,
    /// The names of the first weights, if the report shows them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<String>,
}

/// A setting that takes several values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scan {
    /// The setting, such as `learner.lambda`.
    pub key: String,
    /// Its values, as they are written after `=`.
    pub values: Vec<String>,
}

/// Every variant with every combination of the scanned values.
///
/// A combination is named by the last word of each setting: `slow, lambda 0.5`.
pub fn expand(variants: &[Variant], scans: &[Scan]) -> Vec<Variant> {
    let nameless = [Variant::default()];
    let begin = if variants.is_empty() { &nameless[..] } else { variants };
    let mut all = scans.iter().fold(begin.to_vec(), |variants, scan| {
        let with = |variant: &Variant| {
            scan.values.iter().map(|value| with_value(variant, &scan.key, value)).collect()
        };
        variants.iter().flat_map(|variant| -> Vec<Variant> { with(variant) }).collect()
    });
    for variant in all.iter_mut().filter(|variant| variant.name.is_empty()) {
        variant.name = "all".into();
    }
    all
}

fn with_value(variant: &Variant, key: &str, value: &str) -> Variant {
    let mut with = variant.clone();
    let word = key.rsplit('.').next().unwrap_or(key);
    let comma = if with.name.is_empty() { "" } else { ", " };
    with.name += &format!("{comma}{word} {value}");
    with.set.push(format!("{key}={value}"));
    with
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_are_multiplied() {
        let scan = |key: &str, values: [&str; 2]| Scan {
            key: key.into(),
            values: values.map(String::from).to_vec(),
        };
        let scans = [scan("learner.lambda", ["0", "0.5"]), scan("learner.alpha", ["1", "2"])];
        let named = [Variant { name: "a".into(), ..Variant::default() }];
        let names = |variants: Vec<Variant>| -> Vec<String> {
            variants.into_iter().map(|variant| variant.name).collect()
        };
        let expected = [
            "a, lambda 0, alpha 1",
            "a, lambda 0, alpha 2",
            "a, lambda 0.5, alpha 1",
            "a, lambda 0.5, alpha 2",
        ];
        assert_eq!(names(expand(&named, &scans)), expected);
        assert_eq!(names(expand(&[], &scans[..1])), ["lambda 0", "lambda 0.5"]);
        assert_eq!(names(expand(&[], &[])), ["all"]);
        assert_eq!(expand(&named, &scans)[3].set, ["learner.lambda=0.5", "learner.alpha=2"]);
    }
}
