//! The settings of games and agents, as JSON.

use ludens_core::{Kind, Setting};
use schemars::JsonSchema;
use serde::Serialize;

/// One thing that can be set.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "SettingTold")]
pub(crate) struct SettingView {
    key: String,
    about: String,
    /// integer, number, choice, flag or text.
    kind: String,
    /// As it would be written; nothing if the thing itself decides.
    default: Option<String>,
    min: Option<f64>,
    max: Option<f64>,
    choices: Option<Vec<String>>,
    /// Whether a value without a key means this.
    keyless: bool,
}

impl From<&Setting> for SettingView {
    fn from(setting: &Setting) -> SettingView {
        let (kind, range, choices) = match setting.kind {
            Kind::Integer { min, max, .. } => {
                let max = Some(max as f64).filter(|_| max < i64::MAX);
                ("integer", (Some(min as f64), max), None)
            }
            Kind::Number { min, max, .. } => {
                let finite = |number: f64| Some(number).filter(|number| number.is_finite());
                ("number", (finite(min), finite(max)), None)
            }
            Kind::Choice { of, .. } => ("choice", (None, None), Some(of)),
            Kind::Flag { .. } => ("flag", (None, None), None),
            Kind::Text { .. } => ("text", (None, None), None),
        };
        SettingView {
            key: setting.key.into(),
            about: setting.about.into(),
            kind: kind.into(),
            default: setting.default_text(),
            min: range.0,
            max: range.1,
            choices: choices.map(|of| of.iter().map(ToString::to_string).collect()),
            keyless: setting.keyless,
        }
    }
}
