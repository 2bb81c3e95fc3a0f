//! The settings that a game or an agent declares.

use crate::{Invalid, Params, parse_count};
use std::fmt::Display;

/// A setting: its key, meaning, allowed values and default.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Setting {
    /// The text before the `=`.
    pub key: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The allowed values and the default.
    pub kind: Kind,
    /// Whether a value without a key belongs to this setting.
    pub keyless: bool,
}

/// The allowed values of a setting, and its default.
///
/// Without a default, the game or agent that declares the setting decides.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Kind {
    /// A whole number from `min` to `max`.
    Integer {
        /// The default.
        default: Option<i64>,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A number from `min` to `max`.
    Number {
        /// The default.
        default: Option<f64>,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of these words.
    Choice {
        /// The default.
        default: &'static str,
        /// All words.
        of: &'static [&'static str],
    },
    /// True or false.
    Flag {
        /// The default.
        default: bool,
    },
    /// Any text, such as a path or another `name:key=value`.
    Text {
        /// The default.
        default: Option<&'static str>,
    },
}

impl Setting {
    /// A whole number.
    pub const fn integer(
        key: &'static str,
        default: i64,
        (min, max): (i64, i64),
        about: &'static str,
    ) -> Setting {
        Setting::new(key, Kind::Integer { default: Some(default), min, max }, about)
    }

    /// A number.
    pub const fn number(
        key: &'static str,
        default: f64,
        (min, max): (f64, f64),
        about: &'static str,
    ) -> Setting {
        Setting::new(key, Kind::Number { default: Some(default), min, max }, about)
    }

    /// One of several words.
    pub const fn choice(
        key: &'static str,
        default: &'static str,
        of: &'static [&'static str],
        about: &'static str,
    ) -> Setting {
        Setting::new(key, Kind::Choice { default, of }, about)
    }

    /// True or false.
    pub const fn flag(key: &'static str, default: bool, about: &'static str) -> Setting {
        Setting::new(key, Kind::Flag { default }, about)
    }

    /// Any text.
    pub const fn text(
        key: &'static str,
        default: Option<&'static str>,
        about: &'static str,
    ) -> Setting {
        Setting::new(key, Kind::Text { default }, about)
    }

    /// A setting of any kind.
    pub const fn new(key: &'static str, kind: Kind, about: &'static str) -> Setting {
        Setting { key, about, kind, keyless: false }
    }

    /// The same setting, as the target of a value without a key.
    pub const fn keyless(self) -> Setting {
        Setting { keyless: true, ..self }
    }

    /// The default as text, if there is one.
    pub fn default_text(&self) -> Option<String> {
        match self.kind {
            Kind::Integer { default, .. } => default.map(|d| d.to_string()),
            Kind::Number { default, .. } => default.map(|d| d.to_string()),
            Kind::Choice { default, .. } => Some(default.into()),
            Kind::Flag { default } => Some(default.to_string()),
            Kind::Text { default } => default.map(Into::into),
        }
    }

    /// The value in canonical form: `7` for `+07`, `5000` for `5k`.
    fn check(&self, value: &str) -> Result<String, Invalid> {
        let written = match self.kind {
            Kind::Integer { min, max, .. } => {
                integer(value).filter(|n| (min..=max).contains(n)).map(|n| n.to_string())
            }
            Kind::Number { min, max, .. } => {
                value.parse().ok().filter(|x| (min..=max).contains(x)).map(|x: f64| x.to_string())
            }
            Kind::Choice { of, .. } => of.contains(&value).then(|| value.into()),
            Kind::Flag { .. } => ["true", "false"].contains(&value).then(|| value.into()),
            Kind::Text { .. } => Some(value.into()),
        };
        written.ok_or_else(|| {
            Invalid(format!("{}={value} is not allowed; {} is {}", self.key, self.key, self.kind))
        })
    }
}

/// The allowed values in words.
/// A whole number, signed or written as people write counts.
fn integer(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| i64::try_from(parse_count(text)?).ok())
}

impl Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Integer { min, max: i64::MAX, .. } => write!(f, "a whole number from {min}"),
            Kind::Integer { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Kind::Number { min, max, .. } if max.is_infinite() && min.is_infinite() => {
                write!(f, "a number")
            }
            Kind::Number { min, max, .. } if max.is_infinite() => write!(f, "a number from {min}"),
            Kind::Number { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Kind::Choice { of, .. } => write!(f, "one of {}", of.join(", ")),
            Kind::Flag { .. } => write!(f, "true or false"),
            Kind::Text { .. } => write!(f, "a text"),
        }
    }
}

/// Checked settings of a game or an agent.
///
/// # Panics
///
/// Each getter panics on a key that is not declared or has another kind.
#[derive(Clone, Debug)]
pub struct Chosen {
    name: String,
    settings: &'static [Setting],
    values: Vec<Option<String>>,
}

impl Chosen {
    pub(super) fn new(params: &Params, settings: &'static [Setting]) -> Result<Chosen, Invalid> {
        let name = params.name.clone();
        let mut values = vec![None; settings.len()];
        for (key, value) in &params.pairs {
            let meant = |s: &Setting| if key.is_empty() { s.keyless } else { s.key == key };
            let at = settings
                .iter()
                .position(meant)
                .ok_or_else(|| unknown(&name, key, value, settings))?;
            let setting = &settings[at];
            let written = setting.check(value).map_err(|e| e.about(&name))?;
            if values[at].replace(written).is_some() {
                return Err(Invalid(format!("{name}: {} is set twice", setting.key)));
            }
        }
        Ok(Chosen { name, settings, values })
    }

    /// The name of the game or agent.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The canonical text: the name and the settings that differ from their defaults.
    pub fn canonical(&self) -> String {
        let differs = |(s, value): (&Setting, &Option<String>)| {
            let value = value.as_ref().filter(|v| s.default_text().as_ref() != Some(v))?;
            Some((s.key.to_owned(), value.clone()))
        };
        let pairs = self.settings.iter().zip(&self.values).filter_map(differs).collect();
        Params { name: self.name.clone(), pairs }.to_string()
    }

    /// A whole number.
    pub fn integer(&self, key: &str) -> i64 {
        self.maybe_integer(key).unwrap_or_else(|| panic!("{key} has no default"))
    }

    /// A whole number that counts something.
    pub fn count(&self, key: &str) -> usize {
        usize::try_from(self.integer(key)).expect("counts are declared from zero up")
    }

    /// A whole number; `None` if it is unset and has no default.
    pub fn maybe_integer(&self, key: &str) -> Option<i64> {
        match self.find(key) {
            (Kind::Integer { .. }, Some(value)) => Some(value.parse().expect("was checked")),
            (Kind::Integer { default, .. }, None) => default,
            (kind, _) => panic!("{key} is {kind}"),
        }
    }

    /// A number.
    pub fn number(&self, key: &str) -> f64 {
        self.maybe_number(key).unwrap_or_else(|| panic!("{key} has no default"))
    }

    /// A number; `None` if it is unset and has no default.
    pub fn maybe_number(&self, key: &str) -> Option<f64> {
        match self.find(key) {
            (Kind::Number { .. }, Some(value)) => Some(value.parse().expect("was checked")),
            (Kind::Number { default, .. }, None) => default,
            (kind, _) => panic!("{key} is {kind}"),
        }
    }

    /// One of the declared words.
    pub fn choice(&self, key: &str) -> &str {
        match self.find(key) {
            (Kind::Choice { default, .. }, value) => value.unwrap_or(default),
            (kind, _) => panic!("{key} is {kind}"),
        }
    }

    /// True or false.
    pub fn flag(&self, key: &str) -> bool {
        match self.find(key) {
            (Kind::Flag { default }, value) => value.map_or(default, |v| v == "true"),
            (kind, _) => panic!("{key} is {kind}"),
        }
    }

    /// A text; `None` if it is unset and has no default.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.find(key) {
            (Kind::Text { default }, value) => value.or(default),
            (kind, _) => panic!("{key} is {kind}"),
        }
    }

    fn find(&self, key: &str) -> (Kind, Option<&str>) {
        let at = self.settings.iter().position(|s| s.key == key);
        let at = at.unwrap_or_else(|| panic!("{} declares no setting {key}", self.name));
        (self.settings[at].kind, self.values[at].as_deref())
    }
}

fn unknown(name: &str, key: &str, value: &str, settings: &[Setting]) -> Invalid {
    if key.is_empty() {
        return Invalid(format!("{name}: expected key=value, found {value:?}"));
    }
    if settings.is_empty() {
        return Invalid(format!("{name} has no settings, so none is called {key:?}"));
    }
    Invalid::unknown("setting", key, settings.iter().map(|s| s.key)).about(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &[Setting] = &[
        Setting::integer("size", 8, (4, 8), "cells on a side"),
        Setting::number("rate", 0.5, (0.0, 1.0), "how much"),
        Setting::choice("cells", "plain", &["plain", "reach"], "the view"),
        Setting::flag("swap", false, "whether"),
        Setting::text("file", None, "where").keyless(),
        Setting::new("take", Kind::Integer { default: None, min: 1, max: 9 }, "at most"),
    ];

    fn chosen(text: &str) -> Result<Chosen, Invalid> {
        text.parse::<Params>().unwrap().check(SETTINGS)
    }

    #[test]
    fn defaults_stand_in_for_what_is_not_set() {
        let chosen = chosen("thing").unwrap();
        assert_eq!((chosen.count("size"), chosen.number("rate")), (8, 0.5));
        assert_eq!((chosen.choice("cells"), chosen.flag("swap")), ("plain", false));
        assert_eq!((chosen.text("file"), chosen.maybe_integer("take")), (None, None));
    }

    #[test]
    fn what_is_set_is_read() {
        let chosen = chosen("thing:a/b,size=6,cells=reach,swap=true,take=3").unwrap();
        assert_eq!((chosen.count("size"), chosen.maybe_integer("take")), (6, Some(3)));
        assert_eq!((chosen.text("file"), chosen.flag("swap")), (Some("a/b"), true));
    }

    #[test]
    fn the_canonical_text_leaves_out_defaults_and_sorts() {
        let text = chosen("thing:cells=reach,rate=0.5,size=6").unwrap().canonical();
        assert_eq!(text, "thing:size=6,cells=reach");
        assert_eq!(chosen("thing:size=+08,rate=.25").unwrap().canonical(), "thing:rate=0.25");
    }

    #[test]
    fn mistakes_are_explained() {
        let message = |text| chosen(text).unwrap_err().to_string();
        assert_eq!(
            message("thing:size=9"),
            "thing: size=9 is not allowed; size is a whole number from 4 to 8"
        );
        assert_eq!(
            message("thing:sise=6"),
            "thing: no setting is called \"sise\"; did you mean \"size\"? \
             known: size, rate, cells, swap, file, take"
        );
        assert_eq!(message("thing:size=6,size=4"), "thing: size is set twice");
        assert!(message("thing:cells=x").ends_with("cells is one of plain, reach"));
        assert!(message("thing:rate=NaN").contains("a number from 0 to 1"));
        let none = "thing:a=1".parse::<Params>().unwrap().check(&[]).unwrap_err();
        assert_eq!(none.to_string(), "thing has no settings, so none is called \"a\"");
    }
}
