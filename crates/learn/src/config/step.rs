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
    /// Incremental delta-bar-delta; the learning rate does not count.
    Idbd {
        /// The logarithm of each weight's rate at first.
        #[serde(default = "idbd_start")]
        start: f32,
        /// How fast rates change.
        #[serde(default = "idbd_meta")]
        meta: f32,
        /// What is made small.
        #[serde(default)]
        loss: LossName,
    },
    /// Autostep; the learning rate does not count.
    Autostep {
        /// Each weight's rate at first.
        #[serde(default = "autostep_start")]
        start: f32,
        /// How fast rates change.
        #[serde(default = "autostep_meta")]
        meta: f32,
        /// How many steps the normalisation remembers.
        #[serde(default = "autostep_time")]
        time: f32,
    },
    /// K1; the learning rate does not count.
    K1 {
        /// The logarithm of each weight's variance at first.
        #[serde(default = "idbd_start")]
        start: f32,
        /// How fast variances change.
        #[serde(default = "k1_meta")]
        meta: f32,
        /// The variance of the noise.
        #[serde(default = "one")]
        noise: f32,
    },
    /// ALAP, normalised step-size adaptation; the learning rate does not count.
    Alap {
        /// Each weight's rate at first.
        #[serde(default = "alap_start")]
        start: f32,
        /// How fast rates change.
        #[serde(default = "alap_share")]
        meta: f32,
        /// The share of the past in the average of squared gradients.
        #[serde(default = "alap_memory")]
        memory: f32,
    },
    /// One rate for all weights, as large as is safe.
    AlphaBound,
    /// RPROP: steps by the sign of the gradient over a batch; the learning rate does not count.
    Rprop {
        /// Each weight's step at first.
        #[serde(default = "rprop_start")]
        start: f32,
    },
}

fn beta() -> f32 {
    2.7
}

fn idbd_start() -> f32 {
    -5.0
}

fn idbd_meta() -> f32 {
    3.0
}

fn autostep_start() -> f32 {
    0.02
}

fn autostep_meta() -> f32 {
    0.001
}

fn autostep_time() -> f32 {
    1e4
}

fn k1_meta() -> f32 {
    0.01
}

fn one() -> f32 {
    1.0
}

fn alap_start() -> f32 {
    0.01
}

fn alap_share() -> f32 {
    0.02
}

fn alap_memory() -> f32 {
    0.98
}

fn rprop_start() -> f32 {
    0.01
}

/// What a step size makes small.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LossName {
    /// The square of the error.
    #[default]
    Squared,
    /// The cross entropy of value and target, for tanh and sigmoid outputs.
    CrossEntropy,
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
