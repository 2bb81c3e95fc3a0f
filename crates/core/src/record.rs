//! Game records, one JSON object per line.

use crate::{Invalid, Notation, Params, Played, Player, Rewards, Turn, bounded_lines};
use serde::{Deserialize, Serialize};
use std::io::BufRead;

/// A record of one game, from which it can be replayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The game and its settings, such as `hex:size=5`.
    pub game: String,
    /// The players, in turn order.
    pub players: Vec<String>,
    /// The first state, if it is not the game's standard start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves as text; events of chance in brackets.
    pub played: Vec<String>,
    /// The total rewards of each player.
    pub rewards: Vec<f32>,
    /// The player who forfeited, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeited>,
    /// The random seed of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A forfeit: the player and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeited {
    /// The player, counted from one.
    pub player: u8,
    /// The agent's message.
    pub reason: String,
}

/// The replay of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay<S> {
    /// The first state.
    pub start: S,
    /// Every move and event.
    pub played: Vec<Played>,
    /// The last state.
    pub end: S,
    /// The total rewards, by the rules or by forfeit.
    pub rewards: Rewards,
}

/// A record of the longest game of ours takes a few kilobytes.
const LONGEST_LINE: usize = 64 << 20;

/// The rounding error allowed in recorded rewards, which are decimals.
const ROUNDING: f32 = 1e-4;

impl Record {
    /// The record as one line of JSON, with the line feed.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers can be written") + "\n"
    }

    /// Reads a record from one line of JSON and rejects unknown fields.
    ///
    /// # Errors
    ///
    /// If the line is not a record; the message names the field.
    pub fn parse(line: &str) -> Result<Record, Invalid> {
        let json = &mut serde_json::Deserializer::from_str(line);
        let record: Record = serde_path_to_error::deserialize(&mut *json).map_err(|e| {
            let path = e.path().to_string();
            let reason = Invalid(e.into_inner().to_string());
            if path == "." { reason } else { reason.about(format_args!("field {path}")) }
        })?;
        json.end().map_err(|e| Invalid(e.to_string()))?;
        // JSON has no word for infinity, but larger numbers than fit.
        match record.rewards.iter().position(|reward| !reward.is_finite()) {
            Some(i) => Err(Invalid(format!("field rewards[{i}]: the number is too large"))),
            None => Ok(record),
        }
    }

    /// Replays the record by the rules of `game`.
    ///
    /// # Errors
    ///
    /// If a step is illegal, or the rewards differ from those of the rules.
    pub fn replay<G: Notation>(&self, game: &G) -> Result<Replay<G::State>, Invalid> {
        self.check_game(game)?;
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

    /// Refuses the record of another game, even if its moves happen to be legal in this one.
    ///
    /// # Errors
    ///
    /// If the field `game` names another game, or another board or number of players.
    pub fn check_game<G: Notation>(&self, game: &G) -> Result<(), Invalid> {
        let params: Option<Params> = self.game.parse().ok().filter(|p: &Params| p.name == G::NAME);
        let chosen = params.and_then(|params| params.check(G::SETTINGS).ok());
        let recorded = chosen.and_then(|chosen| G::configure(&chosen).ok());
        let shape = |game: &G| (game.num_players(), game.num_moves(), game.layout());
        if recorded.is_some_and(|recorded| shape(&recorded) == shape(game)) {
            return Ok(());
        }
        let (found, title) = (&self.game, game.title());
        Err(Invalid(format!(
            "field game: this is a record of {found:?}, not of {title} as set here"
        )))
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
    bounded_lines(input, LONGEST_LINE).enumerate().map(|(i, line)| {
        let line = line.map_err(|e| Invalid(e.to_string()));
        let line = line.and_then(|l| String::from_utf8(l).map_err(|e| Invalid(e.to_string())));
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
        let large = message(&good.replace("[1]", "[0,1e300]"));
        assert!(large.starts_with("line 1: field rewards[1]: the number is too large"), "{large}");
        let unknown = good.replace("played", "plaid");
        assert!(message(&unknown).contains("unknown field `plaid`"), "{}", message(&unknown));
        assert!(message(&format!("{good} {good}")).contains("trailing characters"));
    }
}
