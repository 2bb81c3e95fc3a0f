//! The card of a champion.

use ludens_core::Invalid;
use serde::{Deserialize, Serialize};

/// How a champion was trained and what it scores.
///
/// `cargo xtask champions` trains it again from `train` and writes the figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChampionCard {
    /// The text that opens the game.
    pub game: String,
    /// What is special about it, in one sentence.
    pub about: String,
    /// The command that trained it.
    pub train: String,
    /// The random seed of the training.
    pub seed: u64,
    /// The number of training games.
    pub episodes: u64,
    /// The CPU time of the training in seconds.
    pub cpu_seconds: f64,
    /// The version of Ludens that trained it.
    pub ludens: String,
    /// The level of `ludens play` unless another opponent is chosen, from 0 to 10.
    pub level: f64,
    /// The number of weights, most of which may be zero.
    pub weights: u64,
    /// Bits per weight in the file.
    pub bits: u32,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The checksum of the file: CRC-32.
    pub checksum: String,
    /// How often it plays as well as with all 32 bits.
    pub same_moves: SameMoves,
    /// What it scores.
    pub results: Vec<CardResult>,
}

/// How often the file chooses a move as good as that of the value with all 32 bits.
///
/// Moves whose values differ by at most one part in a thousand of a win, or of the value of the best
/// move where games are played for points, are equally good.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SameMoves {
    /// The positions compared.
    pub positions: u64,
    /// In how many of them it chooses a worse move.
    pub different: u64,
}

/// What a champion scores by one protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardResult {
    /// The protocol.
    pub protocol: String,
    /// The number of games or states, if it differs from the protocol's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The result in words.
    pub text: String,
    /// The figure.
    pub figure: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of samples behind the figure.
    pub count: u64,
}

impl ChampionCard {
    /// Reads a card.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn parse(text: &str) -> Result<ChampionCard, Invalid> {
        toml::from_str(text).map_err(|e| Invalid(e.to_string().trim_end().into()))
    }

    /// The command that measures this result.
    pub fn measure_command(&self, result: &CardResult) -> String {
        let games = result.games.map_or(String::new(), |games| format!(" --games {games}"));
        format!("ludens measure {} champion --protocol {}{games}", self.game, result.protocol)
    }
}
