//! What is learned, as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is learned.
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
    /// Lets weights begin so, where they can begin differently.
    pub fn set_init(&mut self, init: InitConfig) {
        match self {
            ValueConfig::Ntuple(ntuple) => ntuple.init = init,
            ValueConfig::Linear(linear) => linear.init = init,
            ValueConfig::Mlp(mlp) => mlp.init = init,
            ValueConfig::Rbf(rbf) => rbf.init = init,
            ValueConfig::Table(_) => {}
        }
    }

    /// The output function.
    pub fn output(&self) -> OutputName {
        match self {
            ValueConfig::Ntuple(ntuple) => ntuple.output,
            ValueConfig::Linear(linear) => linear.output,
            ValueConfig::Mlp(mlp) => mlp.output,
            ValueConfig::Rbf(rbf) => rbf.output,
            ValueConfig::Table(table) => table.output,
        }
    }

    /// Whose weights a player uses.
    pub fn players(&self) -> PlayersName {
        match self {
            ValueConfig::Ntuple(ntuple) => ntuple.players,
            ValueConfig::Linear(linear) => linear.players,
            ValueConfig::Mlp(mlp) => mlp.players,
            ValueConfig::Rbf(rbf) => rbf.players,
            ValueConfig::Table(table) => table.players,
        }
    }

    /// Whether all weights are zero at first.
    pub fn starts_at_zero(&self) -> bool {
        let zero = |init: &InitConfig| init.low == 0.0 && init.high == 0.0;
        match self {
            ValueConfig::Ntuple(ntuple) => zero(&ntuple.init),
            ValueConfig::Linear(linear) => zero(&linear.init),
            ValueConfig::Mlp(mlp) => zero(&mlp.init),
            ValueConfig::Rbf(rbf) => zero(&rbf.init),
            ValueConfig::Table(_) => true,
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
    /// What becomes of the sum.
    pub output: OutputName,
    /// What weights are at first.
    pub init: InitConfig,
    /// Whose weights.
    pub players: PlayersName,
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
            output: OutputName::Tanh,
            init: InitConfig::default(),
            players: PlayersName::Each,
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
    /// What becomes of the sum.
    pub output: OutputName,
    /// What weights are at first.
    pub init: InitConfig,
    /// Whose weights.
    pub players: PlayersName,
}

impl Default for LinearConfig {
    fn default() -> LinearConfig {
        LinearConfig {
            features: "cells".into(),
            bias: true,
            output: OutputName::Tanh,
            init: InitConfig::default(),
            players: PlayersName::Each,
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
    /// What hidden neurons make of their sum.
    pub activation: ActivationName,
    /// Whether each neuron has a bias.
    pub bias: bool,
    /// What the output makes of its sum.
    pub output: OutputName,
    /// What weights are at first.
    pub init: InitConfig,
    /// A factor on the learning rate for each layer, the first hidden layer first.
    pub rates: Vec<f32>,
    /// Whose weights.
    pub players: PlayersName,
}

impl Default for MlpConfig {
    fn default() -> MlpConfig {
        MlpConfig {
            features: "cells".into(),
            hidden: vec![80],
            activation: ActivationName::Sigmoid,
            bias: true,
            output: OutputName::Tanh,
            init: InitConfig { low: -0.1, high: 0.1 },
            rates: Vec::new(),
            players: PlayersName::Shared,
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
    /// What the output makes of its sum.
    pub output: OutputName,
    /// Where centres are at first.
    pub init: InitConfig,
    /// What centres get of the learning rate; zero leaves them where they are.
    pub centre_share: f32,
    /// Whose weights.
    pub players: PlayersName,
}

impl Default for RbfConfig {
    fn default() -> RbfConfig {
        RbfConfig {
            features: "cells".into(),
            centres: 50,
            width: 1.0,
            output: OutputName::Tanh,
            init: InitConfig { low: -1.0, high: 1.0 },
            centre_share: 1.0,
            players: PlayersName::Shared,
        }
    }
}

/// One value for each state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableConfig {
    /// What becomes of the entry.
    pub output: OutputName,
    /// Whose values.
    pub players: PlayersName,
}

impl Default for TableConfig {
    fn default() -> TableConfig {
        TableConfig { output: OutputName::None, players: PlayersName::Each }
    }
}

/// What becomes of a sum.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutputName {
    /// Nothing.
    None,
    /// Squashed into -1 to 1.
    Tanh,
    /// Squashed into 0 to 1.
    Sigmoid,
}

/// What hidden neurons make of their sum.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ActivationName {
    /// Squashed into 0 to 1.
    Sigmoid,
    /// Squashed into -1 to 1.
    Tanh,
}

/// Whose weights a player uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayersName {
    /// Each player his own.
    Each,
    /// All players the same.
    Shared,
}

/// What weights are at first: drawn from `low` to `high`, or zero if both are.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct InitConfig {
    /// The smallest.
    pub low: f32,
    /// The largest.
    pub high: f32,
}
