//! Everything that can be chosen about a run, as it is written in a file.
//!
//! Every field has a default, so that a file says only what differs. Choices that have settings of
//! their own are tables: `[value.ntuple]`, `[step.tcl]`, `[explore.epsilon]`.

mod number;
mod step;
mod value;

pub use number::{Number, ShapeName};
pub use step::{CountingName, StepConfig, TransferName};
pub use value::{
    ActivationName, InitConfig, LinearConfig, MlpConfig, NTupleConfig, OutputName, PlayersName,
    RbfConfig, TableConfig, TuplesConfig, ValueConfig,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything that can be chosen about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The game, written as `name` or `name:key=value,...`.
    pub game: String,
    /// How many games to learn from.
    pub episodes: u64,
    /// What is learned.
    pub value: ValueConfig,
    /// How far a weight moves.
    pub step: StepConfig,
    /// How errors reach earlier positions.
    pub trace: TraceConfig,
    /// How it is learned.
    pub learner: LearnerConfig,
    /// How moves are picked while learning.
    pub explore: ExploreConfig,
    /// Where games begin.
    pub start: StartConfig,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            game: "tictactoe".into(),
            episodes: 10_000,
            value: ValueConfig::default(),
            step: StepConfig::default(),
            trace: TraceConfig::default(),
            learner: LearnerConfig::default(),
            explore: ExploreConfig::default(),
            start: StartConfig::default(),
        }
    }
}

/// How errors reach earlier positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraceConfig {
    /// Share of an error passed back one step further.
    pub lambda: f32,
    /// What happens to the trace of a weight that is used again.
    pub kind: TraceKindName,
    /// Whether an exploratory move clears the trace.
    pub reset: bool,
    /// How the trace is kept; if not set, whatever suits the value.
    pub form: Option<TraceFormName>,
    /// With `form = "horizon"`: how many positions are kept. If not set, as many as `cut` tells.
    pub horizon: Option<usize>,
    /// With `form = "horizon"`: positions whose share has fallen below this are dropped.
    pub cut: f32,
}

impl Default for TraceConfig {
    fn default() -> TraceConfig {
        TraceConfig {
            lambda: 0.0,
            kind: TraceKindName::Accumulating,
            reset: false,
            form: None,
            horizon: None,
            cut: 0.1,
        }
    }
}

/// What happens to the trace of a weight that is used again.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceKindName {
    /// The new gradient is added.
    Accumulating,
    /// The new gradient takes its place.
    Replacing,
}

/// How a trace is kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceFormName {
    /// As the latest positions.
    Horizon,
    /// As the weights used.
    Sparse,
    /// As all weights.
    Dense,
}

/// How it is learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LearnerConfig {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The learning rate.
    pub alpha: Number,
    /// The weight of what is gained one move later.
    pub gamma: f32,
    /// Whether positions before exploratory moves are corrected.
    pub learn_from_random: LearnFromRandomName,
    /// Final adaptation, first part: the other players learn from the end.
    pub adapt_others: bool,
    /// Final adaptation, second part: the last afterstate goes toward what came after it.
    pub adapt_last: bool,
    /// Whether moves that end the game are rated by the value instead of the rules (`td` only).
    pub judge_ends: bool,
    /// How rewards look to the learner.
    pub rewards: RewardsName,
    /// With `rewards = "scaled"`: the factor.
    pub reward_scale: f32,
}

impl Default for LearnerConfig {
    fn default() -> LearnerConfig {
        LearnerConfig {
            algorithm: Algorithm::TdFarl,
            alpha: Number::Constant(0.1),
            gamma: 1.0,
            learn_from_random: LearnFromRandomName::Never,
            adapt_others: true,
            adapt_last: true,
            judge_ends: false,
            rewards: RewardsName::Scaled,
            reward_scale: 1.0,
        }
    }
}

/// The algorithms.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// TD from move to move; the first player maximises, the second minimises.
    Td,
    /// Q-self-play from move to move; the first player maximises, the second minimises.
    Q,
    /// TD from round to round with final adaptation, any number of players.
    TdFarl,
    /// SARSA from round to round with final adaptation, any number of players.
    SarsaFarl,
    /// Q-learning from round to round with final adaptation, any number of players.
    QFarl,
    /// What came of the game is the target, any number of players.
    MonteCarlo,
}

/// Whether positions before exploratory moves are corrected.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LearnFromRandomName {
    /// Never.
    Never,
    /// Always.
    Always,
    /// Only if the move ended the game.
    IfOver,
    /// Only if the move ended the game and its player gained by it.
    IfWon,
}

/// How rewards look to the learner.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RewardsName {
    /// As the game gives them, times a factor.
    Scaled,
    /// The outcome as a chance of winning from 0 to 1.
    Chance,
}

/// How moves are picked while learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum ExploreConfig {
    /// Sometimes any legal move, otherwise the best.
    Epsilon {
        /// How often any move.
        rate: Number,
    },
    /// The better, the likelier (Gibbs).
    Softmax {
        /// The higher, the more alike all moves are.
        temperature: Number,
    },
    /// The best, after a share of the moves were rated at random.
    RandomRatings {
        /// Which share.
        share: Number,
    },
    /// The best of a random share of the moves.
    Sample {
        /// Which share.
        share: Number,
    },
}

impl Default for ExploreConfig {
    fn default() -> ExploreConfig {
        ExploreConfig::Epsilon { rate: Number::Constant(0.1) }
    }
}

/// Where games begin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct StartConfig {
    /// The share of the games that begin some random moves in.
    pub share: f32,
    /// Fewest random moves.
    pub min_plies: u32,
    /// Most random moves.
    pub max_plies: u32,
    /// States to begin in instead, as the game writes them.
    pub states: Vec<String>,
}
