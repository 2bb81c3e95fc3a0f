//! Every setting of a run with its meaning, as the schema of the configuration tells.

use ludens_learn::Config;
use serde::Serialize;
use serde_json::Value;

/// A setting of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConfigSetting {
    /// The full key, such as `learner.alpha`.
    pub key: String,
    /// The allowed values in words.
    pub allowed: String,
    /// The default as it is written in a file; `None` if there is none.
    pub default: Option<String>,
    /// The meaning in one or two sentences.
    pub about: String,
}

/// Every setting of a run, ordered by key.
pub fn config_settings() -> Vec<ConfigSetting> {
    let schema = schemars::schema_for!(Config).to_value();
    let mut list = SettingList { definitions: &schema["$defs"], found: Vec::new() };
    list.walk("", &schema, &Value::Null);
    list.found
}

/// The full keys that end with `name`, such as `learner.alpha` for `alpha`.
pub(crate) fn full_keys(name: &str) -> Vec<String> {
    let ends = |key: &String| key.rsplit('.').next() == Some(name);
    config_settings().into_iter().map(|setting| setting.key).filter(ends).collect()
}

struct SettingList<'a> {
    definitions: &'a Value,
    found: Vec<ConfigSetting>,
}

impl<'a> SettingList<'a> {
    /// Adds all settings at and below `path`.
    fn walk(&mut self, path: &str, node: &'a Value, default: &'a Value) {
        let about = text(node, "description");
        let shape = self.resolve(node);
        let default = if node["default"].is_null() { default } else { &node["default"] };
        if let Some(properties) = shape["properties"].as_object() {
            for (key, property) in properties {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                self.walk(&path, property, &default[key]);
            }
            return;
        }
        let about = if about.is_empty() { text(shape, "description") } else { about };
        let (allowed, default_text) = (self.allowed(shape), written(default));
        let (key, kinds) = (path.to_owned(), shape["oneOf"].as_array());
        self.found.push(ConfigSetting { key, allowed, default: default_text, about });
        for kind in kinds.into_iter().flatten() {
            for (name, inside) in kind["properties"].as_object().into_iter().flatten() {
                self.walk(&format!("{path}.{name}"), inside, &default[name]);
            }
        }
    }

    /// What a reference points to, and anything else itself.
    fn resolve(&self, node: &'a Value) -> &'a Value {
        let definitions = self.definitions;
        let name = node["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.map_or(node, |name| &definitions[name])
    }

    /// The allowed values in words.
    fn allowed(&self, shape: &'a Value) -> String {
        if let Some(of) = shape["oneOf"].as_array() {
            return of.iter().filter_map(choice).collect::<Vec<_>>().join(", ");
        }
        if let Some(of) = shape["anyOf"].as_array() {
            let real = of.iter().filter(|one| one["type"] != "null");
            let words = real.map(|one| self.allowed(self.resolve(one)));
            return words.collect::<Vec<_>>().join(", or ");
        }
        if shape["properties"]["from"].is_object() {
            return "a schedule such as { from = 0.2, to = 0 }".into();
        }
        if let Some(of) = shape["enum"].as_array() {
            return of.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
        }
        let types = match &shape["type"] {
            Value::Array(types) => types.iter().find_map(|t| t.as_str().filter(|t| *t != "null")),
            one => one.as_str(),
        };
        match (types, shape["maximum"].as_u64()) {
            (Some("integer"), Some(most)) => format!("a whole number up to {most}"),
            (Some("integer"), None) => "a whole number".into(),
            (Some("number"), _) => "a number".into(),
            (Some("boolean"), _) => "true, false".into(),
            (Some("array"), _) => "a list".into(),
            _ => "a text".into(),
        }
    }
}

/// The name of one choice: a constant, or a kind with settings of its own.
fn choice(node: &Value) -> Option<String> {
    let kind = || node["properties"].as_object()?.keys().next().map(String::as_str);
    node["const"].as_str().or_else(kind).map(Into::into)
}

fn text(node: &Value, key: &str) -> String {
    node[key].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A default as it is written in a file; of a kind, its name.
fn written(default: &Value) -> Option<String> {
    match default {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        // Widening a 32-bit number to 64 bits would print meaningless digits.
        Value::Number(number) if number.is_f64() => {
            number.as_f64().map(|number| (number as f32).to_string())
        }
        Value::Object(kind) => kind.keys().next().cloned(),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(key: &str) -> ConfigSetting {
        let mut found = config_settings().into_iter().filter(|setting| setting.key == key);
        found.next().unwrap_or_else(|| panic!("{key} is missing"))
    }

    #[test]
    fn every_setting_has_a_key_values_and_a_meaning() {
        let all = config_settings();
        assert!(all.len() > 50, "{}", all.len());
        for setting in &all {
            assert!(!setting.about.is_empty() || setting.key.contains('.'), "{setting:?}");
            assert!(!setting.allowed.is_empty(), "{setting:?}");
        }
    }

    #[test]
    fn kinds_list_their_names_and_their_settings() {
        let step = find("step");
        assert!(step.allowed.starts_with("constant, tcl, idbd"), "{}", step.allowed);
        assert_eq!(step.default.as_deref(), Some("constant"));
        assert_eq!(find("step.tcl.beta").default.as_deref(), Some("2.7"));
        assert_eq!(find("explore").default.as_deref(), Some("epsilon"));
        assert_eq!(find("value.ntuple.count").default.as_deref(), Some("8"));
        assert!(find("learner.alpha").allowed.contains("schedule"), "{:?}", find("learner.alpha"));
        assert_eq!(find("trace.horizon").default, None);
    }

    #[test]
    fn the_last_part_of_a_key_finds_the_full_ones() {
        assert_eq!(full_keys("alpha"), ["learner.alpha"]);
        assert_eq!(full_keys("lambda"), ["trace.lambda"]);
        assert!(full_keys("nonsense").is_empty());
    }
}
