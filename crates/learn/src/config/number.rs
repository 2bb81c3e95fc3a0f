//! A number, or how it changes over the run.

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
    Changing(Change),
}

/// A change from the first episode to the last.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// At the first episode.
    pub from: f32,
    /// At the last.
    pub to: f32,
    /// In between.
    #[serde(default)]
    pub shape: ShapeName,
    /// With `shape = "step"`: after which share of the run.
    #[serde(default = "half")]
    pub at: f32,
}

fn half() -> f32 {
    0.5
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
    /// The number in `episode` of `episodes`, counted from zero. After the last it stays.
    pub fn at(&self, episode: u64, episodes: u64) -> f32 {
        match *self {
            Number::Constant(number) => number,
            Number::Changing(Change { from, to, shape, at }) => {
                let last = episodes.saturating_sub(1).max(1);
                let progress = (episode as f64 / last as f64).min(1.0);
                let (from, to) = (f64::from(from), f64::from(to));
                let number = match shape {
                    ShapeName::Linear => from + (to - from) * progress,
                    ShapeName::Exponential => from * (to / from).powf(progress),
                    ShapeName::Step if progress < f64::from(at) => from,
                    ShapeName::Step => to,
                };
                number as f32
            }
        }
    }

    /// The smallest and the largest it gets.
    pub fn range(&self) -> (f32, f32) {
        match *self {
            Number::Constant(number) => (number, number),
            Number::Changing(Change { from, to, .. }) => (from.min(to), from.max(to)),
        }
    }
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
        let change = Change::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        let Change { from, to, shape, .. } = change;
        if shape == ShapeName::Exponential && (from * to).is_nan() | (from * to <= 0.0) {
            return Err(M::Error::custom(
                "an exponential change needs two numbers of one sign, neither of them zero",
            ));
        }
        Ok(Number::Changing(change))
    }
}

impl JsonSchema for Number {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let changing = generator.subschema_for::<Change>();
        json_schema!({ "anyOf": [{ "type": "number" }, changing] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changing(shape: ShapeName, at: f32) -> Number {
        Number::Changing(Change { from: 0.8, to: 0.2, shape, at })
    }

    #[test]
    fn numbers_start_and_end_where_they_say() {
        for shape in [ShapeName::Linear, ShapeName::Exponential, ShapeName::Step] {
            let number = changing(shape, 0.5);
            assert_eq!((number.at(0, 11), number.at(10, 11)), (0.8, 0.2), "{shape:?}");
            assert_eq!(number.at(99, 11), 0.2);
        }
    }

    #[test]
    fn halfway_depends_on_the_shape() {
        let at = |shape| changing(shape, 0.6).at(5, 11);
        assert!((at(ShapeName::Linear) - 0.5).abs() < 1e-6);
        assert!((at(ShapeName::Exponential) - 0.4).abs() < 1e-6);
        assert_eq!((at(ShapeName::Step), changing(ShapeName::Step, 0.5).at(5, 11)), (0.8, 0.2));
        assert_eq!(Number::Constant(0.3).at(0, 1), 0.3);
    }
}
