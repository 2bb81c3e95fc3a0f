//! What is learned, as written.

use crate::WeightSharing;
use ludens_approx::mlp::Activation;
use ludens_approx::{Init, Output};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The function approximator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum ValueConfig {
    /// A sum of table look-ups.
    Ntuple(NTupleConfig),
    /// A weighted sum of features.
    Linear(LinearConfig),
    /// A network with hidden layers.
    Mlp(MlpConfig),
    /// A network with a hidden layer of radial basis functions.
    Rbf(RbfConfig),
    /// One value for each state.
    Table(TableConfig),
}

impl Default for ValueConfig {
    fn default() -> ValueConfig {
        ValueConfig::Ntuple(NTupleConfig::default())
    }
}

impl ValueConfig {
    /// The output function.
    pub fn output(&self) -> Output {
        self.common().0
    }

    /// Whose weights a player uses.
    pub fn players(&self) -> WeightSharing {
        self.common().1
    }

    /// Whether all weights are zero at first.
    pub fn starts_at_zero(&self) -> bool {
        self.common().2 == Init::ZERO
    }

    fn common(&self) -> (Output, WeightSharing, Init) {
        match self {
            ValueConfig::Ntuple(value) => (value.output, value.players, value.init),
            ValueConfig::Linear(value) => (value.output, value.players, value.init),
            ValueConfig::Mlp(value) => (value.output, value.players, value.init),
            ValueConfig::Rbf(value) => (value.output, value.players, value.init),
            ValueConfig::Table(value) => (value.output, value.players, Init::ZERO),
        }
    }

    /// Lets weights begin so, where they can begin differently.
    pub fn set_init(&mut self, init: Init) {
        match self {
            ValueConfig::Ntuple(value) => value.init = init,
            ValueConfig::Linear(value) => value.init = init,
            ValueConfig::Mlp(value) => value.init = init,
            ValueConfig::Rbf(value) => value.init = init,
            ValueConfig::Table(_) => {}
        }
    }
}

/// An n-tuple network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NTupleConfig {
    /// Which cells: `"walk"`, `"king-walk"`, `"points"`, `"lines"`, `"board"`, one of the game's
    /// named sets, or lists of cells.
    pub tuples: TuplesConfig,
    /// How many tuples are drawn.
    pub count: usize,
    /// How many cells each drawn tuple has.
    pub length: usize,
    /// Draws the tuples; if not set, the seed of the run does.
    pub tuple_seed: Option<u64>,
    /// The output function of the sum.
    pub output: Output,
    /// Initial weights.
    pub init: Init,
    /// Whether each player has weights of its own, or all share them.
    pub players: WeightSharing,
    /// Whether symmetric boards share weights.
    pub symmetries: bool,
    /// Whether a weight moves for each symmetric image that uses it, instead of once.
    #[serde(alias = "move-repeats")]
    pub count_duplicate_features: bool,
}

impl Default for NTupleConfig {
    fn default() -> NTupleConfig {
        NTupleConfig {
            tuples: TuplesConfig::Named("walk".into()),
            count: 8,
            length: 4,
            tuple_seed: None,
            output: Output::Tanh,
            init: Init::default(),
            players: WeightSharing::PerPlayer,
            symmetries: true,
            count_duplicate_features: false,
        }
    }
}

/// Which cells the tuples cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TuplesConfig {
    /// Drawn (`walk`, `king-walk`, `points`), made (`lines`, `board`) or a set of the game.
    Named(String),
    /// Given cell by cell.
    Listed(Vec<Vec<u16>>),
}

/// A weighted sum of features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LinearConfig {
    /// The feature set: `cells`, `one-hot` or one of the game's.
    pub features: String,
    /// Whether a constant is added.
    pub bias: bool,
    /// The output function of the sum.
    pub output: Output,
    /// Initial weights.
    pub init: Init,
    /// Whether each player has weights of its own, or all share them.
    pub players: WeightSharing,
}

impl Default for LinearConfig {
    fn default() -> LinearConfig {
        LinearConfig {
            features: "cells".into(),
            bias: true,
            output: Output::Tanh,
            init: Init::default(),
            players: WeightSharing::PerPlayer,
        }
    }
}

/// A network with hidden layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MlpConfig {
    /// The feature set: `cells`, `one-hot` or one of the game's.
    pub features: String,
    /// The size of each hidden layer.
    pub hidden: Vec<usize>,
    /// The activation function of hidden neurons.
    pub activation: Activation,
    /// Whether each neuron has a bias.
    pub bias: bool,
    /// The output function.
    pub output: Output,
    /// Initial weights.
    pub init: Init,
    /// A factor on the learning rate for each layer, the first hidden layer first.
    pub rates: Vec<f32>,
    /// Whether each player has weights of its own, or all share them.
    pub players: WeightSharing,
}

impl Default for MlpConfig {
    fn default() -> MlpConfig {
        MlpConfig {
            features: "cells".into(),
            hidden: vec![80],
            activation: Activation::Sigmoid,
            bias: true,
            output: Output::Tanh,
            init: Init { low: -0.1, high: 0.1 },
            rates: Vec::new(),
            players: WeightSharing::Shared,
        }
    }
}

/// A network with a hidden layer of radial basis functions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RbfConfig {
    /// The feature set: `cells`, `one-hot` or one of the game's.
    pub features: String,
    /// How many basis functions.
    pub centres: usize,
    /// The width of each.
    pub width: f32,
    /// The output function.
    pub output: Output,
    /// Initial centres.
    pub init: Init,
    /// What centres get of the learning rate; zero leaves them where they are.
    pub centre_share: f32,
    /// Whether each player has weights of its own, or all share them.
    pub players: WeightSharing,
}

impl Default for RbfConfig {
    fn default() -> RbfConfig {
        RbfConfig {
            features: "cells".into(),
            centres: 50,
            width: 1.0,
            output: Output::Tanh,
            init: Init { low: -1.0, high: 1.0 },
            centre_share: 1.0,
            players: WeightSharing::Shared,
        }
    }
}

/// One value for each state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableConfig {
    /// The output function of the entry.
    pub output: Output,
    /// Whether each player has values of its own, or all share them.
    pub players: WeightSharing,
}

impl Default for TableConfig {
    fn default() -> TableConfig {
        TableConfig { output: Output::Linear, players: WeightSharing::PerPlayer }
    }
}
