//! Named ways to measure an agent.

mod run;
mod table;

pub use run::{Details, ProtocolReport, Request};
pub use table::PROTOCOLS;

use ludens_core::{Invalid, Player};
use serde::Serialize;

/// A named way to measure an agent: nothing but data.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// The name on the command line.
    pub name: &'static str,
    /// What is measured, in one sentence.
    pub about: &'static str,
    /// The best possible result, in words.
    pub best: &'static str,
    /// The games it is meant for; all that fit, if it names none.
    pub games: &'static [&'static str],
    /// What is done.
    pub measure: Measure,
}

/// What a protocol does. Opponents are agents as written on the command line.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Measure {
    /// Games against an opponent.
    Contest {
        /// Who plays the other players.
        opponent: &'static str,
        /// Where the games begin, as [`Openings::parse`](crate::Openings::parse) reads it.
        openings: &'static str,
        /// The only role of the agent, unless it plays all.
        role: Option<Player>,
        /// How often each opening is played in each role.
        times: usize,
        /// What counts.
        headline: Headline,
    },
    /// Games alone.
    Score {
        /// How many.
        games: usize,
    },
    /// The random-decay benchmark.
    Decay {
        /// Who plays the other players.
        opponent: &'static str,
        /// Whose curve is shown beside, if it plays the game.
        perfect: &'static str,
    },
    /// States in which the value is to be kept.
    Solved {
        /// Who knows the value.
        perfect: &'static str,
        /// States after each number of moves.
        states: usize,
    },
}

/// The one figure that counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Headline {
    /// The mean reward.
    Reward,
    /// The share of the points, a draw being half a win.
    Points,
    /// The area under the curve of games won.
    Area,
    /// The share of states whose value is kept.
    Kept,
}

impl std::fmt::Display for Headline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Headline::Reward => "mean reward",
            Headline::Points => "share of the points",
            Headline::Area => "area under the curve",
            Headline::Kept => "share of values kept",
        })
    }
}

/// The usual protocol of each game. Others are measured by `score` or `decay`.
const DEFAULTS: &[(&str, &str)] = &[
    ("connect4", "ab-dl"),
    ("hex", "mcts-10000"),
    ("nim", "max-n"),
    ("nimm3", "max-n"),
    ("othello", "bench-4ply"),
    ("tictactoe", "max-n"),
];

/// The usual protocol of a game, by the game's name and number of players.
pub fn default_protocol(game: &str, players: usize) -> &'static str {
    let usual = DEFAULTS.iter().find(|(name, _)| *name == game).map(|(_, protocol)| *protocol);
    usual.unwrap_or(if players == 1 { "score" } else { "decay" })
}

/// The protocol of this name for this game.
///
/// # Errors
///
/// On unknown names, with those that are known for the game.
pub fn find_protocol(name: &str, game: &str) -> Result<&'static Protocol, Invalid> {
    let fits = |p: &&Protocol| p.games.is_empty() || p.games.contains(&game);
    if let Some(found) = PROTOCOLS.iter().filter(fits).find(|p| p.name == name) {
        return Ok(found);
    }
    let known = PROTOCOLS.iter().filter(fits).map(|p| p.name);
    let elsewhere: Vec<&str> =
        PROTOCOLS.iter().filter(|p| p.name == name).flat_map(|p| p.games).copied().collect();
    if elsewhere.is_empty() {
        return Err(Invalid::unknown("protocol", name, known));
    }
    let known = known.collect::<Vec<_>>().join(", ");
    Err(Invalid(format!("{name} measures {}; for {game} there are {known}", elsewhere.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Openings;

    #[test]
    fn the_table_is_sorted_and_plain() {
        let names: Vec<_> = PROTOCOLS.iter().map(|p| p.name).collect();
        assert!(names.is_sorted(), "{names:?}");
        for protocol in PROTOCOLS {
            assert!(protocol.about.ends_with('.') && !protocol.best.is_empty(), "{protocol:?}");
            if let Measure::Contest { openings, .. } = protocol.measure {
                Openings::parse(openings).unwrap();
            }
        }
    }

    #[test]
    fn every_default_is_a_protocol_of_its_game() {
        for (game, protocol) in DEFAULTS {
            find_protocol(protocol, game).unwrap();
        }
        assert_eq!((default_protocol("2048", 1), default_protocol("x", 2)), ("score", "decay"));
    }

    #[test]
    fn wrong_names_are_explained() {
        let message = |name, game| find_protocol(name, game).unwrap_err().to_string();
        assert!(message("max-m", "nim").contains("did you mean \"max-n\"?"));
        assert!(message("bench-4ply", "hex").starts_with("bench-4ply measures othello; for hex"));
    }
}
