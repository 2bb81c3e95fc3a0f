//! The lines of a learning curve.

use crate::RunError;
use ludens_arena::ProtocolReport;
use ludens_core::Player;
use ludens_learn::Config;
use ludens_learn::config::ExploreConfig;
use ludens_registry::{Statistics, ValueSize};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One line of a learning curve: statistics of the episodes since the previous line.
///
/// No field depends on the clock or on the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Episodes learned so far.
    pub episode: u64,
    /// Episodes since the line before.
    pub episodes: u64,
    /// Moves in these.
    pub moves: u64,
    /// Moves in one of them, on average.
    pub length: f64,
    /// Most moves in one of them.
    pub longest: u64,
    /// The mean reward of each player per episode.
    pub rewards: Vec<f64>,
    /// The number of wins of each player.
    pub wins: Vec<u64>,
    /// The number of draws.
    pub draws: u64,
    /// The mean size of the errors that were corrected.
    pub error: Option<f64>,
    /// The learning rate by now.
    pub alpha: f32,
    /// The current exploration parameter: rate, temperature or share.
    pub explore: f32,
    /// Weights.
    pub weights: u64,
    /// The number of weights that changed, if known.
    pub touched: Option<u64>,
    /// The current playing strength.
    pub evaluation: Option<EvaluationLine>,
    /// The same by further protocols.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<EvaluationLine>,
}

/// The summary of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluationLine {
    /// The protocol.
    pub protocol: String,
    /// The name of the measured figure.
    pub measures: String,
    /// The figure that counts.
    pub figure: f64,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The number of samples behind the figure.
    pub count: u64,
    /// What the figure means, in one sentence with yardsticks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Metrics {
    /// The line after `episode` episodes of a game of `players`.
    pub(crate) fn new(
        config: &Config,
        episode: u64,
        players: usize,
        statistics: &Statistics,
        size: ValueSize,
    ) -> Metrics {
        Metrics {
            episode,
            episodes: statistics.episodes,
            moves: statistics.moves,
            length: statistics.mean_length(),
            longest: statistics.longest,
            rewards: statistics.mean_rewards(players),
            wins: Player::all(players).map(|player| statistics.wins[player]).collect(),
            draws: statistics.draws,
            error: statistics.mean_error(),
            alpha: config.learner.alpha.at(episode, config.episodes),
            explore: exploring(config, episode),
            weights: size.weights,
            touched: size.touched,
            evaluation: None,
            also: Vec::new(),
        }
    }

    /// The playing strength by all protocols, the one that counts first.
    pub fn evaluations(&self) -> impl Iterator<Item = &EvaluationLine> {
        self.evaluation.iter().chain(&self.also)
    }

    /// As one line of JSON.
    pub(crate) fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("numbers and texts can be written");
        line.push(b'\n');
        line
    }
}

impl From<&ProtocolReport> for EvaluationLine {
    fn from(report: &ProtocolReport) -> EvaluationLine {
        let interval = report.figure.interval;
        EvaluationLine {
            protocol: report.protocol.into(),
            measures: report.headline.to_string(),
            figure: report.figure.mean,
            low: interval.map(|i| i.low),
            high: interval.map(|i| i.high),
            count: report.figure.count,
            text: report.text.clone(),
        }
    }
}

fn exploring(config: &Config, episode: u64) -> f32 {
    let number = match &config.explore {
        ExploreConfig::Epsilon { rate } => rate,
        ExploreConfig::Softmax { temperature } => temperature,
        ExploreConfig::RandomRatings { share } | ExploreConfig::Sample { share } => share,
    };
    number.at(episode, config.episodes)
}

/// Reads a learning curve.
///
/// # Errors
///
/// If the file cannot be read or a line of it is none.
pub fn read_metrics(path: &Path) -> Result<Vec<Metrics>, RunError> {
    let text = std::fs::read_to_string(path).map_err(RunError::file(path))?;
    let line = |(i, line): (usize, &str)| {
        let wrong = |e| RunError::Stuck(format!("{}, line {}: {e}", path.display(), i + 1));
        serde_json::from_str(line).map_err(wrong)
    };
    text.lines().enumerate().map(line).collect()
}
