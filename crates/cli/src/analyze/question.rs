//! The queries of `ludens analyze`.

use ludens_core::{Params, Turn};
use ludens_registry::{LiveGame, agent_list, open_game};
use serde::Deserialize;
use serde_json::Value;

/// The defaults of queries.
pub(super) struct QueryDefaults {
    pub(super) game: Option<String>,
    pub(super) agent: String,
}

/// One question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalysisQuery {
    #[serde(default)]
    pub(super) id: Value,
    game: Option<String>,
    state: Option<String>,
    #[serde(default)]
    moves: MoveList,
    agent: Option<String>,
    #[serde(default)]
    limits: QueryLimits,
    #[serde(default = "usual_line")]
    pub(super) line: usize,
    #[serde(default = "usual_seed")]
    seed: u64,
}

/// The position of a question, and who is to judge it.
pub(super) struct Position {
    pub(super) game: String,
    /// Empty if the game is over.
    pub(super) agent: String,
    pub(super) seed: u64,
    pub(super) live: Box<dyn LiveGame>,
}

/// Moves in one text, or one text each.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum MoveList {
    Text(String),
    List(Vec<String>),
}

/// The search limits of the agent.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryLimits {
    iterations: Option<u64>,
    depth: Option<u64>,
    time: Option<f64>,
}

/// The error of a query, with the field that caused it.
pub(super) struct QueryError {
    pub(super) field: Option<String>,
    pub(super) error: String,
}

fn usual_line() -> usize {
    10
}

fn usual_seed() -> u64 {
    1
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::List(Vec::new())
    }
}

impl QueryError {
    /// Something is wrong with this field.
    pub(super) fn field(name: impl ToString, error: impl ToString) -> QueryError {
        QueryError { field: Some(name.to_string()), error: error.to_string() }
    }
}

impl AnalysisQuery {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Result<AnalysisQuery, QueryError> {
        let json = &mut serde_json::Deserializer::from_str(line);
        let question = serde_path_to_error::deserialize(&mut *json).map_err(|e| {
            let path = e.path().to_string();
            let error = e.into_inner().to_string();
            QueryError { field: Some(path).filter(|path| path != "."), error }
        })?;
        json.end().map_err(|e| QueryError { field: None, error: e.to_string() })?;
        Ok(question)
    }

    /// The text of the game that is meant.
    pub(super) fn game<'a>(&'a self, defaults: &'a QueryDefaults) -> Result<&'a str, QueryError> {
        let game = self.game.as_deref().or(defaults.game.as_deref());
        game.ok_or_else(|| {
            QueryError::field("game", "expected the name of a game, such as connect4")
        })
    }

    /// The text of the agent that is meant, with the limits among its settings.
    pub(super) fn agent(&self, defaults: &QueryDefaults) -> Result<String, QueryError> {
        let text = self.agent.as_ref().unwrap_or(&defaults.agent);
        let mut params: Params = text.parse().map_err(|e| QueryError::field("agent", e))?;
        let QueryLimits { iterations, depth, time } = &self.limits;
        let limits = [
            ("iterations", iterations.map(|n| n.to_string())),
            ("depth", depth.map(|n| n.to_string())),
            ("time", time.map(|seconds| seconds.to_string())),
        ];
        for (key, value) in limits {
            let Some(value) = value else { continue };
            check_limit(&params.name, key)?;
            params.pairs.retain(|(known, _)| known != key);
            params.pairs.push((key.into(), value));
        }
        Ok(params.to_string())
    }

    /// The game in the queried state, and who is to judge it.
    pub(super) fn position(&self, defaults: &QueryDefaults) -> Result<Position, QueryError> {
        let name = self.game(defaults)?;
        let game = open_game(name).map_err(|e| QueryError::field("game", e))?;
        let mut live = game.live(self.seed);
        if let Some(state) = &self.state {
            live.set_state(state).map_err(|e| QueryError::field("state", e))?;
        }
        for (i, text) in self.moves.texts(&*live).iter().enumerate() {
            live.play(text).map_err(|e| QueryError::field(format_args!("moves[{i}]"), e))?;
        }
        let agent = match live.turn() {
            Turn::Player(_) => self.agent(defaults)?,
            Turn::Chance | Turn::Over => String::new(),
        };
        Ok(Position { game: name.into(), agent, seed: self.seed, live })
    }
}

impl MoveList {
    /// One text each. Digits without spaces are one move each where no move has two.
    fn texts(&self, live: &dyn LiveGame) -> Vec<String> {
        match self {
            MoveList::List(list) => list.clone(),
            MoveList::Text(text) => {
                let short = live.legal().iter().all(|(_, text)| text.chars().count() == 1);
                let joined = short && !text.trim().contains([' ', ',']);
                if joined {
                    return text.trim().chars().map(String::from).collect();
                }
                text.split([' ', ',']).filter(|word| !word.is_empty()).map(Into::into).collect()
            }
        }
    }
}

fn check_limit(agent: &str, key: &str) -> Result<(), QueryError> {
    let known = agent_list().find(|info| info.name == agent);
    match known {
        Some(info) if !info.settings.iter().any(|setting| setting.key == key) => Err(
            QueryError::field(format_args!("limits.{key}"), format_args!("{agent} has no {key}")),
        ),
        _ => Ok(()),
    }
}
