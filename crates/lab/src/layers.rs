//! The configuration in layers: a preset, then a file, then single settings.

use crate::setting_list::full_keys;
use ludens_core::{Invalid, closest};
use ludens_learn::{Config, ineffective};
use serde::Deserialize;
use toml::{Table, Value};

/// A configuration in layers. Each layer sets only what differs from those below.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    table: Table,
    /// The keys that the user set, above the preset.
    own: Vec<String>,
}

/// The settings whose value is one of several kinds, each with settings of its own. Another kind
/// takes the place of the one below.
const KINDS: [&str; 3] = ["explore", "step", "value"];

/// Settings that users expect under another key, and the key that they have.
const RENAMED_KEYS: [(&str, &str); 2] =
    [("learner.lambda", "trace.lambda"), ("learner.epsilon", "explore.epsilon.rate")];

impl Layers {
    /// Adds everything that a file says; `name` is what it is called in complaints.
    ///
    /// # Errors
    ///
    /// On anything that is no setting, with the line.
    pub fn add_file(&mut self, name: &str, text: &str) -> Result<(), Invalid> {
        let wrong = |e: toml::de::Error| in_line(name, text, &e);
        // A file says nothing wrong by itself, whatever lies below.
        toml::from_str::<Config>(text).map_err(wrong)?;
        self.add(toml::from_str(text).map_err(wrong)?).map_err(|e| e.about(name))
    }

    /// The same settings as a base: those that do not apply beside later layers are dropped.
    pub(crate) fn into_base(self) -> Layers {
        Layers { own: Vec::new(), ..self }
    }

    /// The resulting configuration without the settings of the base that have no effect in it, and
    /// a note for each of those.
    ///
    /// # Errors
    ///
    /// If the layers do not go together.
    pub fn resolve(&self) -> Result<(Config, Vec<String>), Invalid> {
        let (mut layers, mut notes) = (self.clone(), Vec::new());
        loop {
            let config = layers.config()?;
            match ineffective(&config) {
                Some(found) if !self.is_own(found.key()) && layers.remove(found.key()) => {
                    let key = found.key();
                    notes.push(format!("{key} of the preset is dropped: {}", found.reason));
                }
                _ => return Ok((config, notes)),
            }
        }
    }

    /// Removes what stands under this key; whether anything did.
    fn remove(&mut self, key: &str) -> bool {
        remove(&mut self.table, key)
    }

    /// Whether the user set this key, a part of it, or all that it belongs to.
    fn is_own(&self, key: &str) -> bool {
        let within = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
        self.own.iter().any(|own| within(own, key) || within(key, own))
    }

    /// Adds one setting, written as `key=value`, such as `learner.alpha=0.1`.
    ///
    /// # Errors
    ///
    /// If there is no such setting, or its value cannot be this.
    pub fn set(&mut self, text: &str) -> Result<(), Invalid> {
        let example = "such as learner.alpha=0.1";
        let (key, value) = text
            .split_once('=')
            .ok_or_else(|| Invalid(format!("expected key=value, {example}, found {text:?}")))?;
        let (key, value) = (actual_key(key.trim()), parsed(value.trim()));
        if key.split('.').any(str::is_empty) {
            return Err(Invalid(format!("expected key=value, {example}, found {text:?}")));
        }
        let as_written = self.clone().added(nested(key, value.clone()));
        // A kind without settings of its own may be written as if it were a value.
        let as_kind = match &value {
            Value::String(kind) if KINDS.contains(&key) => {
                let table = Value::Table(Table::from_iter([(kind.clone(), Table::new().into())]));
                Some(self.clone().added(nested(key, table)))
            }
            _ => None,
        };
        *self = match (as_kind, as_written) {
            (Some(Ok(layers)), _) | (_, Ok(layers)) => layers,
            // A kind that lacks a setting of its own says which one.
            (Some(Err(error)), Err(_)) if error.0.contains("missing field") => {
                return Err(error.about(text));
            }
            (_, Err(error)) => return Err(with_full_key(key, error).about(text)),
        };
        Ok(())
    }

    /// The resulting configuration. Unset options keep their defaults.
    ///
    /// # Errors
    ///
    /// If the layers do not go together.
    pub fn config(&self) -> Result<Config, Invalid> {
        let table = Value::Table(self.table.clone());
        serde_path_to_error::deserialize(table).map_err(|e| {
            let path = e.path().to_string();
            let reason = explained(e.inner().message());
            // An unknown setting is named in the reason.
            if path == "." || reason.0.starts_with("no setting") {
                reason
            } else {
                reason.about(path)
            }
        })
    }

    fn added(mut self, table: Table) -> Result<Layers, Invalid> {
        self.add(table)?;
        Ok(self)
    }

    fn add(&mut self, table: Table) -> Result<(), Invalid> {
        check_finite("", &Value::Table(table.clone()))?;
        let mut all = self.table.clone();
        let mut own = std::collections::BTreeMap::new();
        flatten("", &Value::Table(table.clone()), &mut own);
        merge(&mut all, table, true);
        let own = self.own.iter().cloned().chain(own.into_keys()).collect();
        let layers = Layers { table: all, own };
        layers.config()?;
        *self = layers;
        Ok(())
    }
}

/// The differences between two configurations: key, first value, second value.
pub fn differences(a: &Config, b: &Config) -> Vec<(String, Option<String>, Option<String>)> {
    let (a, b) = (flat(a), flat(b));
    let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let pairs = keys.into_iter().map(|key| (key.clone(), a.get(key).cloned(), b.get(key).cloned()));
    pairs.filter(|(_, a, b)| a != b).collect()
}

fn flat(config: &Config) -> std::collections::BTreeMap<String, String> {
    let mut all = std::collections::BTreeMap::new();
    let table = Table::try_from(config).expect("a configuration can be written");
    flatten("", &Value::Table(table), &mut all);
    all
}

fn flatten(path: &str, value: &Value, out: &mut std::collections::BTreeMap<String, String>) {
    match value {
        Value::Table(table) if table.contains_key("from") && table.contains_key("to") => {
            out.insert(path.into(), changing(table));
        }
        Value::Table(table) if !table.is_empty() => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, out);
            }
        }
        _ => {
            out.insert(path.into(), plain(value));
        }
    }
}

/// A number that changes over the run, as it may be written in a file.
fn changing(table: &Table) -> String {
    let stepwise = table.get("shape").and_then(Value::as_str) == Some("step");
    let said = |(key, _): &(&String, &Value)| *key != "at" || stepwise;
    let parts = table.iter().filter(said).map(|(key, value)| format!("{key} = {}", plain(value)));
    format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
}

fn plain(value: &Value) -> String {
    match value {
        // Widening a 32-bit number to 64 bits would print meaningless digits.
        Value::Float(number) => (*number as f32).to_string(),
        _ => value.to_string(),
    }
}

/// Lays `over` upon `base`. At the `top`, another kind of something takes its place.
fn merge(base: &mut Table, over: Table, top: bool) {
    for (key, value) in over {
        let other_kind = |below: &Table, above: &Table| {
            top && KINDS.contains(&&key[..]) && above.keys().any(|kind| !below.contains_key(kind))
        };
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) if !other_kind(below, &above) => {
                merge(below, above, false);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

/// Removes what stands under a key with dots; whether anything did.
fn remove(table: &mut Table, key: &str) -> bool {
    match key.split_once('.') {
        None => table.remove(key).is_some(),
        Some((first, rest)) => match table.get_mut(first) {
            Some(Value::Table(inner)) => remove(inner, rest),
            _ => false,
        },
    }
}

/// The complaint about an unknown key, with the full keys that end like it.
fn with_full_key(key: &str, error: Invalid) -> Invalid {
    let candidates = full_keys(key);
    if candidates.is_empty() || candidates.iter().any(|known| known == key) {
        return error;
    }
    let candidates: Vec<String> = candidates.iter().map(|key| format!("{key:?}")).collect();
    let known = candidates.join(" or ");
    Invalid(format!("no setting is called {key:?}; did you mean {known}?"))
}

/// The actual key of the setting that users expect under `key`.
fn actual_key(key: &str) -> &str {
    RENAMED_KEYS.iter().find(|(expected, _)| *expected == key).map_or(key, |(_, place)| place)
}

/// Refuses infinities and what is no number: no setting has a use for them.
fn check_finite(path: &str, value: &Value) -> Result<(), Invalid> {
    match value {
        Value::Float(number) if !number.is_finite() => {
            Err(Invalid(format!("{path}: expected a finite number, found {number}")))
        }
        Value::Table(table) => table.iter().try_for_each(|(key, value)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            check_finite(&path, value)
        }),
        Value::Array(items) => items.iter().try_for_each(|item| check_finite(path, item)),
        _ => Ok(()),
    }
}

/// The value that `text` means in a file; anything else is a text.
fn parsed(text: &str) -> Value {
    #[derive(Deserialize)]
    struct ValueLine {
        value: Value,
    }
    let line = toml::from_str(&format!("value = {text}"));
    line.map_or_else(|_| Value::String(text.into()), |ValueLine { value }| value)
}

/// The table in which `key`, with dots, has this value.
fn nested(key: &str, value: Value) -> Table {
    let mut parts = key.rsplit('.');
    let last = parts.next().unwrap_or_default();
    let innermost = Table::from_iter([(last.to_owned(), value)]);
    parts.fold(innermost, |inner, part| Table::from_iter([(part.to_owned(), Value::Table(inner))]))
}

/// A complaint about a file that shows the line.
fn in_line(name: &str, text: &str, error: &toml::de::Error) -> Invalid {
    let reason = explained(error.message());
    let Some(span) = error.span() else { return reason.about(name) };
    let before = &text[..span.start.min(text.len())];
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    Invalid(format!("{name}, line {number}: {reason}\n  {number} | {line}"))
}

/// The complaint of the deserialiser with the closest known name.
fn explained(message: &str) -> Invalid {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let unknown = [("unknown field", "setting"), ("unknown variant", "choice")];
    let kind = unknown.iter().find(|(start, _)| message.starts_with(start));
    match (kind, &names[..]) {
        (Some((_, kind)), [found, known @ ..]) if !known.is_empty() => {
            let hint = closest(found, known);
            let hint = hint.map_or(String::new(), |name| format!(" did you mean {name:?}?"));
            let known = known.join(", ");
            Invalid(format!("no {kind} is called {found:?};{hint} known: {known}"))
        }
        _ => Invalid(message.replace('`', "\"")),
    }
}

#[cfg(test)]
mod tests;
