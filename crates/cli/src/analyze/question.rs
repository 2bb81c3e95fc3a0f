//! What is asked.

use ludens_core::{Invalid, Params};
use ludens_registry::{LiveGame, agent_list, open_game};
use serde::Deserialize;
use serde_json::Value;

/// What questions mean that do not say it.
pub(super) struct Defaults {
    pub(super) game: Option<String>,
    pub(super) agent: String,
}

/// One question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    #[serde(default)]
    pub(super) id: Value,
    game: Option<String>,
    state: Option<String>,
    #[serde(default)]
    moves: Moves,
    agent: Option<String>,
    #[serde(default)]
    limits: Limits,
    #[serde(default = "usual_line")]
    pub(super) line: usize,
    #[serde(default = "usual_seed")]
    seed: u64,
}

/// Moves in one text, or one text each.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum Moves {
    Text(String),
    List(Vec<String>),
}

/// How far the agent may go.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    iterations: Option<u64>,
    depth: Option<u64>,
    time: Option<f64>,
}

/// Why there is no answer, and the field that is wrong, if it is one.
pub(super) struct Wrong {
    pub(super) field: Option<String>,
    pub(super) error: String,
}

fn usual_line() -> usize {
    10
}

fn usual_seed() -> u64 {
    1
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

impl Wrong {
    /// Something is wrong with this field.
    fn field(name: impl ToString, error: impl ToString) -> Wrong {
        Wrong { field: Some(name.to_string()), error: error.to_string() }
    }
}

impl Question {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Result<Question, Wrong> {
        let json = &mut serde_json::Deserializer::from_str(line);
        let question = serde_path_to_error::deserialize(&mut *json).map_err(|e| {
            let path = e.path().to_string();
            let error = e.into_inner().to_string();
            Wrong { field: Some(path).filter(|path| path != "."), error }
        })?;
        json.end().map_err(|e| Wrong { field: None, error: e.to_string() })?;
        Ok(question)
    }

    /// The text of the game that is meant.
    pub(super) fn game<'a>(&'a self, defaults: &'a Defaults) -> Result<&'a str, Wrong> {
        let game = self.game.as_deref().or(defaults.game.as_deref());
        game.ok_or_else(|| Wrong::field("game", "expected the name of a game, such as connect4"))
    }

    /// The text of the agent that is meant, with the limits among its settings.
    pub(super) fn agent(&self, defaults: &Defaults) -> Result<String, Wrong> {
        let text = self.agent.as_ref().unwrap_or(&defaults.agent);
        let mut params: Params = text.parse().map_err(|e| Wrong::field("agent", e))?;
        let Limits { iterations, depth, time } = &self.limits;
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

    /// The game in the state that is asked about, with the agent seated for who is to move.
    pub(super) fn board(&self, defaults: &Defaults) -> Result<Box<dyn LiveGame>, Wrong> {
        let game = open_game(self.game(defaults)?).map_err(|e| Wrong::field("game", e))?;
        let mut live = game.live(self.seed);
        if let Some(state) = &self.state {
            live.set_state(state).map_err(|e| Wrong::field("state", e))?;
        }
        for (i, text) in self.moves.texts(&*live).iter().enumerate() {
            live.play(text).map_err(|e| Wrong::field(format_args!("moves[{i}]"), e))?;
        }
        if let ludens_core::Turn::Player(player) = live.turn() {
            let agent = self.agent(defaults)?;
            live.seat(player, &agent).map_err(|e: Invalid| Wrong::field("agent", e))?;
        }
        Ok(live)
    }
}

impl Moves {
    /// One text each. Digits without spaces are one move each where no move has two.
    fn texts(&self, live: &dyn LiveGame) -> Vec<String> {
        match self {
            Moves::List(list) => list.clone(),
            Moves::Text(text) => {
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

fn check_limit(agent: &str, key: &str) -> Result<(), Wrong> {
    let known = agent_list().find(|info| info.name == agent);
    match known {
        Some(info) if !info.settings.iter().any(|setting| setting.key == key) => {
            Err(Wrong::field(format_args!("limits.{key}"), format_args!("{agent} has no {key}")))
        }
        _ => Ok(()),
    }
}
