//! Descriptions of settings, as text and as JSON.

use crate::text_table::TextTable;
use ludens_core::{Kind, Setting};
use serde::Serialize;
use serde_json::Value;

/// A setting as JSON; a bound that is missing is no bound.
#[derive(Serialize)]
pub(crate) struct SettingDescription {
    key: &'static str,
    about: &'static str,
    kind: &'static str,
    default: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    min: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    max: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static [&'static str]>,
}

impl From<&Setting> for SettingDescription {
    fn from(setting: &Setting) -> SettingDescription {
        let &Setting { key, about, kind, .. } = setting;
        let plain = |kind, default| {
            let (min, max) = (Value::Null, Value::Null);
            SettingDescription { key, about, kind, default, min, max, of: None }
        };
        match kind {
            Kind::Integer { default, min, max } => {
                let max = if max == i64::MAX { Value::Null } else { max.into() };
                SettingDescription { min: min.into(), max, ..plain("integer", default.into()) }
            }
            Kind::Number { default, min, max } => {
                // JSON has no infinity; it becomes nothing.
                SettingDescription {
                    min: min.into(),
                    max: max.into(),
                    ..plain("number", default.into())
                }
            }
            Kind::Choice { default, of } => {
                SettingDescription { of: Some(of), ..plain("choice", default.into()) }
            }
            Kind::Flag { default } => plain("flag", default.into()),
            Kind::Text { default } => plain("text", default.into()),
        }
    }
}

/// A setting with its default and its range, as short as can be.
pub(crate) fn brief(setting: &Setting) -> String {
    let key = setting.key;
    let set = setting.default_text().map_or(key.into(), |default| format!("{key}={default}"));
    match setting.kind {
        Kind::Integer { min, max: i64::MAX, .. } => format!("{set} ({min} or more)"),
        Kind::Integer { min, max, .. } => format!("{set} ({min} to {max})"),
        Kind::Number { min, max, .. } if max.is_finite() => format!("{set} ({min} to {max})"),
        Kind::Choice { of, .. } => format!("{set} ({})", of.join(", ")),
        Kind::Flag { .. } => format!("{set} (true, false)"),
        Kind::Number { .. } | Kind::Text { .. } => set,
    }
}

/// A table of the settings: meaning, values and defaults.
pub(crate) fn table(settings: &[Setting]) -> TextTable {
    let mut table = TextTable::new(&["setting", "default", "allowed", "meaning"]);
    for setting in settings {
        let default = setting.default_text().unwrap_or_else(|| "-".into());
        let allowed = setting.kind.to_string();
        table.row(vec![setting.key.into(), default, allowed, setting.about.into()]);
    }
    table
}
