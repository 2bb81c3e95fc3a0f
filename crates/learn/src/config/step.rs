//! How far a weight moves, as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a weight moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum StepConfig {
    /// One rate for all weights.
    #[default]
    Constant,
    /// Temporal coherence: a weight that is pushed both ways slows down.
    Tcl {
        /// From coherence to the share of the rate.
        #[serde(default)]
        transfer: TransferName,
        /// With `transfer = "exponential"`: how steep.
        #[serde(default = "beta")]
        beta: f32,
        /// What is counted.
        #[serde(default)]
        counting: CountingName,
        /// What the counters start from.
        #[serde(default)]
        start: f32,
    },
}

fn beta() -> f32 {
    2.7
}

/// From coherence to the share of the rate.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TransferName {
    /// The coherence itself.
    #[default]
    Identity,
    /// e^(beta (coherence - 1)).
    Exponential,
}

/// What the counters count.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountingName {
    /// The recommended weight change.
    #[default]
    Change,
    /// The error alone.
    Error,
}
