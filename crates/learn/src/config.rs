//! Everything that can be chosen about a run, as it is written in a file.
//!
//! Every field has a default, so that a file says only what differs. Choices that have settings of
//! their own are tables: `[value.ntuple]`, `[step.tcl]`, `[explore.epsilon]`.

mod number;
mod value;

pub use number::{Change, Number, ShapeName};
pub use value::{
    LinearConfig, MlpConfig, NTupleConfig, RbfConfig, TableConfig, TuplesConfig, ValueConfig,
};

pub use crate::{LearnFromRandom, WeightSharing};
pub use ludens_approx::mlp::Activation;
pub use ludens_approx::step::{StepRule, Tcl};
pub use ludens_approx::{Init, Output, TraceKind};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything that can be chosen about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The game, written as `name` or `name:key=value,...`.
    pub game: String,
    /// Training games (episodes).
    pub episodes: u64,
    /// The function approximator.
    pub value: ValueConfig,
    /// The step-size rule.
    pub step: StepRule,
    /// Eligibility traces.
    pub trace: TraceConfig,
    /// The learning algorithm.
    pub learner: LearnerConfig,
    /// Exploration: how moves are chosen during training.
    pub explore: ExploreConfig,
    /// Search during training.
    pub search: SearchConfig,
    /// Where games begin.
    pub start: StartConfig,
    /// Where games come from.
    pub games: Vec<SourceConfig>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            game: "tictactoe".into(),
            episodes: 10_000,
            value: ValueConfig::default(),
            step: StepRule::default(),
            trace: TraceConfig::default(),
            learner: LearnerConfig::default(),
            explore: ExploreConfig::default(),
            search: SearchConfig::default(),
            start: StartConfig::default(),
            games: vec![SourceConfig::default()],
        }
    }
}

/// Search during training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SearchConfig {
    /// How many moves ahead `td-leaf`, `td-directed` and a twin look, the move itself included.
    pub depth: u32,
}

impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig { depth: 2 }
    }
}

/// Where games come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SourceConfig {
    /// Who plays.
    pub from: SourceName,
    /// How often, compared with the other sources.
    pub weight: f32,
    /// With `from = "opponent"`: the agent, written as `name:key=value,...`.
    pub agent: Option<String>,
    /// With `from = "opponent"`: which player it is, counted from 1; if not set, each in turn.
    pub player: Option<u8>,
    /// With `from = "records"`: the file, one game per line.
    pub file: Option<String>,
    /// With `from = "records"`: only so many moves are taken, then self-play goes on.
    pub plies: Option<usize>,
}

impl Default for SourceConfig {
    fn default() -> SourceConfig {
        let (agent, player, file, plies) = (None, None, None, None);
        SourceConfig { from: SourceName::SelfPlay, weight: 1.0, agent, player, file, plies }
    }
}

/// Who plays the games that are learned from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SourceName {
    /// The learner, against itself.
    SelfPlay,
    /// The learner, against an agent.
    Opponent,
    /// The learner, against itself looking further ahead.
    Twin,
    /// Nobody: all moves are random.
    Random,
    /// Whoever played the games of a file.
    Records,
}

/// Eligibility traces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraceConfig {
    /// Trace decay lambda: the share of an error passed back one step further.
    pub lambda: f32,
    /// What happens to the trace of a weight that is used again.
    pub kind: TraceKind,
    /// Whether an exploratory move clears the trace.
    pub reset: bool,
    /// How the trace is kept; if not set, whatever suits the value.
    pub form: Option<TraceFormName>,
    /// With `form = "horizon"` or `"delayed"`: how many positions are kept. If not set, as many as
    /// `cut` tells.
    pub horizon: Option<usize>,
    /// With `form = "horizon"` or `"delayed"`: positions whose share has fallen below this are dropped.
    pub cut: f32,
}

impl Default for TraceConfig {
    fn default() -> TraceConfig {
        TraceConfig {
            lambda: 0.0,
            kind: TraceKind::Accumulating,
            reset: false,
            form: None,
            horizon: None,
            cut: 0.1,
        }
    }
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
    /// Not at all: each position is updated once, toward its truncated lambda-return.
    Delayed,
}

/// The learning algorithm and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LearnerConfig {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Step size alpha (learning rate).
    pub alpha: Number,
    /// Discount factor gamma.
    pub gamma: f32,
    /// Whether positions before exploratory moves are updated.
    pub learn_from_random: LearnFromRandom,
    /// Final adaptation, first part: the other players learn from the end.
    pub adapt_others: bool,
    /// Whether `sarsa-farl` and `q-farl` draw the move to play anew after the update.
    pub redraw: bool,
    /// Final adaptation, second part: the last afterstate goes toward what came after it.
    pub adapt_last: bool,
    /// Whether the value instead of the rules scores moves that end the game (`td` only).
    #[serde(alias = "judge-ends")]
    pub bootstrap_terminal: bool,
    /// Games per batch: played first, then learned. With 0, games are learned while played.
    pub batch: u32,
    /// How often each game is learned; more than once only after it was played.
    pub repeats: u32,
    /// Whether each game is learned with the players' colours swapped, too.
    pub inverted: bool,
    /// Whether the second player rates moves with the colours swapped, as if he were the first.
    pub reversed: bool,
    /// Whether afterstates are learned; if not, the states that chance leaves.
    pub afterstates: bool,
    /// With the td algorithms: the share phi of the residual gradient (residual-lambda).
    pub residual: f32,
    /// Partial decisions: moves are divided into so many regions, and while learning only those of
    /// the best region are scored. With 0, all are.
    pub regions: usize,
    /// What each move of the game takes off the final reward: 0.01 for 1 - moves / 100.
    pub length_penalty: f32,
    /// With `algorithm = "td-mu"`: how much worse than the best a move of others may be.
    pub mu: f32,
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
            learn_from_random: LearnFromRandom::Never,
            adapt_others: true,
            redraw: false,
            adapt_last: true,
            bootstrap_terminal: false,
            batch: 0,
            repeats: 1,
            inverted: false,
            reversed: false,
            afterstates: true,
            residual: 0.0,
            regions: 0,
            length_penalty: 0.0,
            mu: 0.0,
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
    /// The same, after each game.
    TdOffline,
    /// TD between the leaves of a search.
    TdLeaf,
    /// TD from move to move, with moves picked by a search.
    TdDirected,
    /// TD from move to move, except over moves of others that were not good.
    TdMu,
    /// Q-self-play from move to move; the first player maximises, the second minimises.
    Q,
    /// TD from round to round with final adaptation, any number of players.
    TdFarl,
    /// SARSA from round to round with final adaptation, any number of players.
    SarsaFarl,
    /// Q-learning from round to round with final adaptation, any number of players.
    QFarl,
    /// Monte Carlo: the return of the game is the target, any number of players.
    MonteCarlo,
}

impl Algorithm {
    /// What it is called in files.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Td => "td",
            Algorithm::TdOffline => "td-offline",
            Algorithm::TdLeaf => "td-leaf",
            Algorithm::TdDirected => "td-directed",
            Algorithm::TdMu => "td-mu",
            Algorithm::Q => "q",
            Algorithm::TdFarl => "td-farl",
            Algorithm::SarsaFarl => "sarsa-farl",
            Algorithm::QFarl => "q-farl",
            Algorithm::MonteCarlo => "monte-carlo",
        }
    }
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

/// Exploration: how moves are chosen during training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum ExploreConfig {
    /// Epsilon-greedy: sometimes a random legal move, otherwise the best.
    Epsilon {
        /// The probability epsilon of a random move.
        #[serde(default = "a_tenth")]
        rate: Number,
    },
    /// Softmax (Gibbs): better moves are likelier.
    Softmax {
        /// The temperature: higher makes moves more equally likely.
        #[serde(default = "a_tenth")]
        temperature: Number,
    },
    /// The best, after a share of the moves were rated at random.
    RandomRatings {
        /// The share of the legal moves that are rated at random.
        #[serde(default = "a_tenth")]
        share: Number,
    },
    /// The best of a random share of the moves.
    Sample {
        /// The share of the legal moves that are rated at all.
        #[serde(default = "a_half")]
        share: Number,
    },
}

impl Default for ExploreConfig {
    fn default() -> ExploreConfig {
        ExploreConfig::Epsilon { rate: a_tenth() }
    }
}

fn a_tenth() -> Number {
    Number::Constant(0.1)
}

fn a_half() -> Number {
    Number::Constant(0.5)
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
