//! Named ways to measure an agent.

mod in_words;
mod run;
mod table;

pub use run::{Details, ProtocolReport, ProtocolRequest};
pub use table::PROTOCOLS;

use ludens_core::{Invalid, Player};
use serde::Serialize;

/// A named way to measure an agent: nothing but data.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// The name on the command line.
    pub name: &'static str,
    /// The measured quantity, in one sentence.
    pub about: &'static str,
    /// The best possible result, in words.
    pub best: &'static str,
    /// The games it is meant for; all that fit, if it names none.
    pub games: &'static [&'static str],
    /// The kind of measurement.
    pub measure: ProtocolKind,
}

/// The kind of measurement. Opponents are agents as on the command line.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum ProtocolKind {
    /// Games against an opponent.
    Contest {
        /// The opponent.
        opponent: &'static str,
        /// The openings, as [`Openings::parse`](crate::Openings::parse) reads them.
        openings: &'static str,
        /// The only role of the agent, unless it plays all.
        role: Option<Player>,
        /// The number of games per opening and role.
        times: usize,
        /// The headline figure.
        headline: Headline,
    },
    /// Games alone.
    Score {
        /// The number of games.
        games: usize,
    },
    /// The random-decay benchmark.
    Decay {
        /// The opponent.
        opponent: &'static str,
        /// The perfect player to compare with, if it plays the game.
        perfect: &'static str,
    },
    /// States in which the value is to be kept.
    Solved {
        /// The perfect player, which knows the values.
        perfect: &'static str,
        /// States after each number of moves.
        states: usize,
        /// The least number of moves made before: earlier states may take long to solve.
        from: usize,
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
    /// The share of the games won; a draw counts as not won.
    Won,
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
            Headline::Won => "share of the games won",
            Headline::Area => "area under the curve",
            Headline::Kept => "share of optimal moves",
        })
    }
}

/// The standard protocol of each game. Other games use `score` or `decay`.
const DEFAULTS: &[(&str, &str)] = &[
    ("connect4", "ab-dl"),
    ("hex", "mcts-10000"),
    ("nim", "max-n"),
    ("nimm3", "max-n"),
    ("othello", "bench-4ply"),
    ("tictactoe", "max-n"),
];

/// The standard protocol of a game, by its name and number of players.
pub fn default_protocol(game: &str, players: usize) -> &'static str {
    let usual = DEFAULTS.iter().find(|(name, _)| *name == game).map(|(_, protocol)| *protocol);
    usual.unwrap_or(if players == 1 { "score" } else { "decay" })
}

impl Protocol {
    /// Whether the protocol applies to a game with this name and number of players.
    pub fn fits(&self, game: &str, players: usize) -> bool {
        let alone = matches!(self.measure, ProtocolKind::Score { .. });
        let together =
            matches!(self.measure, ProtocolKind::Contest { .. } | ProtocolKind::Decay { .. });
        let counted = if players == 1 { !together } else { !alone };
        counted && (self.games.is_empty() || self.games.contains(&game))
    }
}

/// The protocol of this name for a game with this name and number of players.
///
/// A protocol made for the game comes before one made for all games.
///
/// # Errors
///
/// On unknown names and those that do not fit, with those that do.
pub fn find_protocol(name: &str, game: &str, players: usize) -> Result<&'static Protocol, Invalid> {
    let named = || PROTOCOLS.iter().filter(|p| p.name == name);
    let fitting = named().filter(|p| p.fits(game, players));
    if let Some(found) = fitting.max_by_key(|p| !p.games.is_empty()) {
        return Ok(found);
    }
    let mut known: Vec<&str> =
        PROTOCOLS.iter().filter(|p| p.fits(game, players)).map(|p| p.name).collect();
    known.dedup();
    match named().next() {
        None => Err(Invalid::unknown("protocol", name, known)),
        Some(_) => {
            let known = known.join(", ");
            Err(Invalid(format!("{name} does not fit {game}; known for it: {known}")))
        }
    }
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
            if let ProtocolKind::Contest { openings, .. } = protocol.measure {
                Openings::parse(openings).unwrap();
            }
        }
    }

    #[test]
    fn every_default_is_a_protocol_of_its_game() {
        for (game, protocol) in DEFAULTS {
            find_protocol(protocol, game, 2).unwrap();
        }
        assert_eq!((default_protocol("2048", 1), default_protocol("x", 2)), ("score", "decay"));
    }

    #[test]
    fn wrong_names_are_explained() {
        let message = |name, game| find_protocol(name, game, 2).unwrap_err().to_string();
        assert!(message("max-m", "nim").contains("did you mean \"max-n\"?"));
        assert!(
            message("bench-4ply", "hex").starts_with("bench-4ply does not fit hex; known for it: ")
        );
        assert!(message("score", "hex").contains("does not fit"));
    }
}
