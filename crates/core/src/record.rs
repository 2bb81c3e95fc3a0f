//! Games written down, one per line.

use crate::{Invalid, Notation, Played, Player, Rewards, Turn};
use serde::{Deserialize, Serialize};
use std::io::BufRead;

/// One game as it was played: enough to play it again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The text that opens the game, such as `hex:size=5`.
    pub game: String,
    /// Who played, in turn order.
    pub players: Vec<String>,
    /// The state it began in, unless that is the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Moves as players write them; what chance drew stands in brackets.
    pub played: Vec<String>,
    /// What each player gained in the whole game.
    pub rewards: Vec<f32>,
    /// Who gave up, if anybody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeited>,
    /// What its random numbers were drawn from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Who gave up, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeited {
    /// Counted from one.
    pub player: u8,
    /// What the agent said.
    pub reason: String,
}

/// A record that has been played again.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay<S> {
    /// Where it began.
    pub start: S,
    /// Every move and event.
    pub played: Vec<Played>,
    /// Where it ended.
    pub end: S,
    /// What each player gained, by the rules or by forfeit.
    pub rewards: Rewards,
}

/// How much rewards may differ from what the rules give: they are written in decimals.
const ROUNDING: f32 = 1e-4;

impl Record {
    /// The record as one line of JSON, with its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers can be written") + "\n"
    }

    /// Reads a record from one line of JSON. All fields are checked, none may be unknown.
    ///
    /// # Errors
    ///
    /// If the line is no record; the message names the field.
    pub fn parse(line: &str) -> Result<Record, Invalid> {
        let json = &mut serde_json::Deserializer::from_str(line);
        let record = serde_path_to_error::deserialize(&mut *json).map_err(|e| {
            let path = e.path().to_string();
            let reason = Invalid(e.into_inner().to_string());
            if path == "." { reason } else { reason.about(format_args!("field {path}")) }
        })?;
        json.end().map_err(|e| Invalid(e.to_string()))?;
        Ok(record)
    }

    /// Plays the record again by the rules of `game`.
    ///
    /// # Errors
    ///
    /// If something in it cannot be played, or the rewards are not what the rules give.
    pub fn replay<G: Notation>(&self, game: &G) -> Result<Replay<G::State>, Invalid> {
        let seats = game.num_players();
        for (field, found) in [("players", self.players.len()), ("rewards", self.rewards.len())] {
            if found != seats {
                let reason = format!("field {field}: expected {seats}, found {found}");
                return Err(Invalid(reason));
            }
        }
        let start = match &self.start {
            Some(text) => game.parse_state(text).map_err(|e| e.about("field start"))?,
            None => game.start(),
        };
        let (mut end, mut gained, mut played) = (start.clone(), Rewards::NONE, Vec::new());
        for (i, text) in self.played.iter().enumerate() {
            let (what, rewards) = advance(game, &mut end, text)
                .map_err(|e| e.about(format_args!("field played[{i}]")))?;
            gained += rewards;
            played.push(what);
        }
        let rewards = self.check_rewards(gained)?;
        Ok(Replay { start, played, end, rewards })
    }

    /// A forfeit may give any rewards; otherwise the rules do.
    fn check_rewards(&self, gained: Rewards) -> Result<Rewards, Invalid> {
        let mut written = Rewards::NONE;
        for (player, &reward) in Player::all(self.rewards.len()).zip(&self.rewards) {
            let close = (reward - gained[player]).abs() <= ROUNDING * (1.0 + reward.abs());
            if self.forfeit.is_none() && !close {
                let ruled = gained[player];
                let reason = format!("player {player} gained {ruled} by the rules, not {reward}");
                return Err(Invalid(reason).about("field rewards"));
            }
            written[player] = reward;
        }
        Ok(written)
    }
}

fn advance<G: Notation>(
    game: &G,
    state: &mut G::State,
    text: &str,
) -> Result<(Played, Rewards), Invalid> {
    match game.turn(state) {
        Turn::Over => Err(Invalid(format!("{text:?} comes after the end of the game"))),
        Turn::Player(_) => {
            let mv = game.parse_move(state, text)?;
            Ok((Played::Move(mv), game.play(state, mv)))
        }
        Turn::Chance => {
            let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
            let inner = inner.ok_or_else(|| {
                Invalid(format!("expected what chance drew, in brackets, found {text:?}"))
            })?;
            let event = game.parse_event(state, inner)?;
            Ok((Played::Event(event), game.resolve(state, event)))
        }
    }
}

/// Reads records, one per line of JSON.
///
/// Each error names its line, counted from one.
pub fn read_records(input: impl BufRead) -> impl Iterator<Item = Result<Record, Invalid>> {
    input.lines().enumerate().map(|(i, line)| {
        let line = line.map_err(|e| Invalid(e.to_string()));
        line.and_then(|l| Record::parse(&l)).map_err(|e| e.about(format_args!("line {}", i + 1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            game: "pairs".into(),
            players: vec!["a".into(), "b".into()],
            played: vec!["b2".into(), "(3)".into()],
            rewards: vec![0.2, -1.0],
            forfeit: Some(Forfeited { player: 2, reason: "lost its way".into() }),
            seed: Some(u64::MAX),
            ..Record::default()
        }
    }

    #[test]
    fn a_record_is_one_line_and_read_back_the_same() {
        let lines = record().to_line() + &record().to_line();
        assert_eq!(lines.lines().count(), 2);
        let read: Result<Vec<Record>, Invalid> = read_records(lines.as_bytes()).collect();
        assert_eq!(read.unwrap(), [record(), record()]);
    }

    #[test]
    fn broken_lines_are_refused_with_line_and_field() {
        let message = |text: &str| {
            let mut all = read_records(text.as_bytes()).filter_map(Result::err);
            all.next().unwrap().to_string()
        };
        let good = r#"{"game":"g","players":["a"],"played":[],"rewards":[1]}"#;
        assert!(message(&format!("{good}\n{{}}")).starts_with("line 2: missing field `game`"));
        let wrong = good.replace("[1]", r#"["x"]"#);
        assert!(message(&wrong).starts_with("line 1: field rewards[0]: invalid type: string"));
        let unknown = good.replace("played", "plaid");
        assert!(message(&unknown).contains("unknown field `plaid`"), "{}", message(&unknown));
        assert!(message(&format!("{good} {good}")).contains("trailing characters"));
    }
}
