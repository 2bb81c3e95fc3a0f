//! A number, or how it changes over the run.

use crate::{Schedule, Shape};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A number, or how it changes over the run: `0.1` or `{ from = 0.1, to = 0.0 }`.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// Always the same.
    Constant(f32),
    /// Changing from episode to episode.
    Changing {
        /// At the first episode.
        from: f32,
        /// At the last.
        to: f32,
        /// In between.
        shape: ShapeName,
        /// With `shape = "step"`: after which share of the run.
        at: f32,
    },
}

/// How a number changes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeName {
    /// By a constant difference.
    #[default]
    Linear,
    /// By a constant factor.
    Exponential,
    /// At once.
    Step,
}

impl Number {
    /// The number in `episode` of `episodes`.
    pub fn at(&self, episode: u64, episodes: u64) -> f32 {
        match *self {
            Number::Constant(number) => number,
            Number::Changing { from, to, shape, at } => {
                let shape = match shape {
                    ShapeName::Linear => Shape::Linear,
                    ShapeName::Exponential => Shape::Exponential,
                    ShapeName::Step => Shape::Step { at },
                };
                Schedule { from, to, shape }.at(episode, episodes)
            }
        }
    }

    /// The smallest and the largest it gets.
    pub fn range(&self) -> (f32, f32) {
        match *self {
            Number::Constant(number) => (number, number),
            Number::Changing { from, to, .. } => (from.min(to), from.max(to)),
        }
    }
}

/// The table form, as written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    from: f32,
    to: f32,
    #[serde(default)]
    shape: ShapeName,
    #[serde(default = "half")]
    at: f32,
}

fn half() -> f32 {
    0.5
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number such as 0.1, or { from = 0.1, to = 0.0, shape = \"linear\" }")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
        Ok(Number::Constant(number as f32))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
        Ok(Number::Constant(number as f32))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
        Ok(Number::Constant(number as f32))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Number, M::Error> {
        let Written { from, to, shape, at } =
            Written::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        if shape == ShapeName::Exponential && (from * to).is_nan() | (from * to <= 0.0) {
            return Err(M::Error::custom(
                "an exponential change needs two numbers of one sign, neither of them zero",
            ));
        }
        Ok(Number::Changing { from, to, shape, at })
    }
}

impl JsonSchema for Number {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let changing = generator.subschema_for::<Written>();
        json_schema!({ "anyOf": [{ "type": "number" }, changing] })
    }
}
