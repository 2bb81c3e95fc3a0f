//! Agents that may sit down: which there are, and which are allowed here.

use crate::agent_cache::ResolvedAgent;
use crate::app_state::AppState;
use crate::limits::LIMITS;
use crate::problem::Problem;
use crate::settings::SettingView;
use ludens_core::{Invalid, Params, Player};
use ludens_lab::{RunFolder, value_path};
use ludens_registry::{AgentInfo, AnyGame, CHAMPION, agent_list, find_champion, open_game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// Which game is asked about.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfGame", deny_unknown_fields)]
pub(crate) struct GameQuery {
    /// The game: name or name:key=value,...
    game: String,
}

/// Who may sit down to a game.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Agents")]
pub(crate) struct AgentsView {
    agents: Vec<AgentView>,
    /// What runs have learned.
    values: Vec<ValueView>,
    levels: Vec<LevelView>,
    /// Who is asked if nobody is named.
    adviser: String,
}

/// An agent, and whether it plays the game.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "AgentTold")]
struct AgentView {
    name: String,
    about: String,
    settings: Vec<SettingView>,
    fits: bool,
    /// Why it does not.
    reason: Option<String>,
    /// Whether it tells what each move is worth.
    opinion: bool,
}

/// What a run has learned.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "ValueTold")]
struct ValueView {
    run: String,
    /// The agent that plays by it.
    agent: String,
    title: String,
    episode: u64,
    figure: Option<f64>,
    measures: Option<String>,
}

/// An agent of a certain strength.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Level")]
struct LevelView {
    title: String,
    agent: String,
}

/// The default advisers, in order of preference.
const ADVISERS: [&str; 2] = ["perfect", "mcts:iterations=3000"];

/// Agents that hold no opinion of each move.
const SILENT: [&str; 2] = ["random", "endgame-random"];

/// The maximum rollout length; a search reads its clock only between rollouts.
const ROLLOUT: f64 = 10_000.0;

/// `GET /api/agents`
pub(crate) fn list(
    app: &Arc<AppState>,
    GameQuery { game }: GameQuery,
) -> Result<AgentsView, Problem> {
    let game = open_game(&game).map_err(|e| Problem::from(e).of("game"))?;
    let values = crate::runs::values_of(app, &*game).into_iter().map(|run| {
        let measured = run.figure.map(|figure| format!(", {figure:.2}"));
        ValueView {
            agent: Params { name: "greedy".into(), pairs: vec![("value".into(), run.id.clone())] }
                .to_string(),
            title: format!("{} ({} episodes{})", run.id, run.episode, measured.unwrap_or_default()),
            episode: run.episode,
            figure: run.figure,
            measures: run.measures,
            run: run.id,
        }
    });
    let values: Vec<ValueView> = values.collect();
    let view = |info: AgentInfo| describe(&info, &*game);
    Ok(AgentsView {
        agents: agent_list().map(view).collect(),
        levels: levels(&*game, values.first().map(|value| value.agent.as_str())),
        values,
        adviser: adviser(&*game).into(),
    })
}

fn describe(info: &AgentInfo, game: &dyn AnyGame) -> AgentView {
    let reason = match info.name {
        "gtp" => Some("programs are started on the command line only".into()),
        "human" => Some("people play by the page".into()),
        "greedy" | "decay" | "epsilon" | "level" => None,
        name => fits(name, game).err().map(|e| e.to_string()),
    };
    AgentView {
        name: info.name.into(),
        about: info.about.into(),
        settings: info.settings.iter().map(SettingView::from).collect(),
        fits: reason.is_none(),
        reason,
        opinion: !SILENT.contains(&info.name),
    }
}

fn fits(agent: &str, game: &dyn AnyGame) -> Result<(), Invalid> {
    game.live(1).seat(Player(0), agent)
}

/// The default adviser of a game.
pub(crate) fn adviser(game: &dyn AnyGame) -> &'static str {
    let [perfect, otherwise] = ADVISERS;
    if fits(perfect, game).is_ok() { perfect } else { otherwise }
}

/// From weak to strong; the strongest is the perfect player where there is one.
fn levels(game: &dyn AnyGame, learned: Option<&str>) -> Vec<LevelView> {
    let level = |title: &str, agent: String| LevelView { title: title.into(), agent };
    let champion = find_champion(&game.info().spec).map(|_| CHAMPION);
    let agent = champion.unwrap_or("(mcts:iterations=500)");
    let weak = |title: &str, strength: u32| {
        let whose = champion.map_or(String::new(), |_| format!(" (champion at level {strength})"));
        level(&format!("{title}{whose}"), format!("level:strength={strength},agent={agent}"))
    };
    let mut levels = vec![
        level("Anything goes", "random".into()),
        weak("Beginner", 2),
        weak("Casual", 5),
        weak("Club", 8),
        level("Strong", "mcts:iterations=5000".into()),
    ];
    levels.extend(champion.map(|agent| level("Champion", agent.into())));
    levels.extend(learned.map(|agent| level("Learned", agent.into())));
    if adviser(game) == ADVISERS[0] {
        levels.push(level("Perfect", ADVISERS[0].into()));
    }
    levels
}

/// The agent as it may be opened here: runs become files, programs and paths are refused.
pub(crate) fn resolve(app: &AppState, text: &str) -> Result<ResolvedAgent, Problem> {
    let mut stamp = DefaultHasher::new();
    let (text, heavy) = resolved(app, text, &mut stamp).map_err(|problem| match problem.field {
        None => problem.of("agent"),
        Some(_) => problem,
    })?;
    Ok(ResolvedAgent { text, stamp: stamp.finish(), heavy })
}

fn resolved(
    app: &AppState,
    text: &str,
    stamp: &mut DefaultHasher,
) -> Result<(String, bool), Problem> {
    let mut params: Params = text.parse().map_err(|e: Invalid| Problem::from(e))?;
    if ["gtp", "human"].contains(&params.name.as_str()) {
        let reason = format!("{} does not sit down to games of this page", params.name);
        return Err(Problem::new(axum::http::StatusCode::FORBIDDEN, "forbidden", reason));
    }
    let mut heavy =
        ["perfect", "ab", "ab-dl", CHAMPION, "solver", "thill"].contains(&params.name.as_str());
    let keyless = if params.name == "greedy" { "value" } else { "" };
    for (key, value) in &mut params.pairs {
        match if key.is_empty() { keyless } else { key } {
            "value" if value == CHAMPION => heavy = true,
            "value" => {
                *value = learned(app, value, stamp)?;
                heavy = true;
            }
            "agent" => {
                let (inner, inner_heavy) = resolved(app, value, stamp)?;
                (*value, heavy) = (inner, heavy || inner_heavy);
            }
            "iterations" => check_most(value, LIMITS.iterations as f64, "iterations")?,
            "rollout" => check_most(value, ROLLOUT, "rollout")?,
            "time" => check_most(value, LIMITS.seconds, "time")?,
            _ => {}
        }
    }
    Ok((params.to_string(), heavy))
}

fn check_most(value: &str, most: f64, what: &str) -> Result<(), Problem> {
    match value.parse::<f64>() {
        Ok(number) if number > most => {
            Err(Problem::invalid(format!("{what}={value} is more than {most}, the most here")))
        }
        _ => Ok(()),
    }
}

/// The file of what a run has learned.
fn learned(app: &AppState, id: &str, stamp: &mut DefaultHasher) -> Result<String, Problem> {
    let folder = app.folder(id).map_err(|problem| Problem::invalid(problem.reason))?;
    let path = value_path(&folder.path)?;
    stamp_of(&path).hash(stamp);
    Ok(path.display().to_string())
}

fn stamp_of(path: &Path) -> Option<(u64, std::time::SystemTime)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}

/// The file of what a run has learned, by the folder.
pub(crate) fn value_of(folder: &RunFolder) -> Option<std::path::PathBuf> {
    value_path(&folder.path).ok()
}
