//! Runs begun, stopped and resumed from the page.

use super::view::summarize;
use super::{RunQuery, RunSummary, read};
use crate::app_state::AppState;
use crate::problem::Problem;
use crate::routes::NoInput;
use crate::trainings::end_on_error;
use ludens_core::Invalid;
use ludens_lab::{
    EvaluationPlan, Layers, Plan, PreparedRun, Preset, Run, check_memory, find_preset, game_name,
    new_folder_in, presets_of, set_game,
};
use ludens_learn::Config;
use ludens_registry::{GAMES, accesses_system, open_game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// What is to be learned, and how.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "Wanted", deny_unknown_fields)]
pub(crate) struct StartRunRequest {
    /// The game: name or name:key=value,...
    game: String,
    /// Begin with these settings.
    preset: Option<String>,
    /// Then these, as the schema of the configuration says; all or some.
    config: Option<serde_json::Map<String, Value>>,
    /// Then these, each key=value.
    #[serde(default)]
    set: Vec<String>,
    episodes: Option<u64>,
    seed: Option<u64>,
    /// A protocol, protocol:games, or none.
    evaluation: Option<String>,
    /// Episodes from one measurement to the next.
    every: Option<u64>,
    /// The name of the folder.
    name: Option<String>,
}

/// The run that was begun.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Begun")]
pub(crate) struct RunStarted {
    run: String,
}

/// How far a run is to go on.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "GoOn", deny_unknown_fields)]
pub(crate) struct ResumeRunRequest {
    id: String,
    /// Episodes in all, if more than planned.
    episodes: Option<u64>,
}

/// Which presets.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfPresets", deny_unknown_fields)]
pub(crate) struct PresetsQuery {
    /// Only those of this game.
    game: Option<String>,
}

/// Settings that have a name.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Presets")]
pub(crate) struct PresetsView {
    presets: Vec<PresetView>,
}

/// Settings with a name.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "PresetTold")]
struct PresetView {
    game: String,
    name: String,
    about: String,
    source: String,
    /// As they stand in a file.
    text: String,
    config: Value,
}

/// `POST /api/runs`
pub(crate) fn start(app: &Arc<AppState>, wanted: StartRunRequest) -> Result<RunStarted, Problem> {
    app.trainings.check_capacity()?;
    let plan = plan(&wanted)?;
    let usual = plan.default_name(None);
    // A run that cannot start creates no files.
    check_memory(&plan)?;
    let prepared = PreparedRun::new(plan)?;
    let folder = new_folder_in(&app.runs, wanted.name.as_deref().unwrap_or(&usual))?;
    let id = read::run_id(&app.runs, &folder.path).unwrap_or(usual);
    let learning = app.trainings.admit(&id)?;
    let run = end_on_error(&learning, prepared.begin(folder))?;
    learning.begin(run)?;
    Ok(RunStarted { run: id })
}

fn plan(wanted: &StartRunRequest) -> Result<Plan, Problem> {
    let (config, preset) = chosen(wanted)?;
    refuse_external(&config)?;
    let usual = Plan::new(config, wanted.seed.unwrap_or(1));
    let game = open_game(&usual.config.game).map_err(|e| Problem::from(e).of("game"))?;
    let evaluation = EvaluationPlan::choose(wanted.evaluation.as_deref(), &*game);
    let evaluation = evaluation.map_err(|e| Problem::from(e).of("evaluation"))?;
    if wanted.every == Some(0) || wanted.episodes == Some(0) {
        return Err(Problem::invalid("expected one or more").of("every"));
    }
    Ok(Plan {
        command: "ludens serve".into(),
        preset: preset.map(|preset| preset.name.into()),
        every: wanted.every.unwrap_or(usual.every),
        ..usual.measured_by(evaluation)
    })
}

/// Everything chosen, layer by layer.
fn chosen(wanted: &StartRunRequest) -> Result<(Config, Option<&'static Preset>), Problem> {
    let name = game_name(&wanted.game);
    if !GAMES.iter().any(|entry| entry.name == name) {
        let unknown = Invalid::unknown("game", name, GAMES.iter().map(|entry| entry.name));
        return Err(Problem::from(unknown).of("game"));
    }
    // A request with settings but without a preset starts from the plain defaults.
    let preset = match (&wanted.preset, &wanted.config) {
        (None, Some(_)) => None,
        (named, _) => {
            let named = find_preset(name, named.as_deref().unwrap_or("default"));
            Some(named.map_err(|e| Problem::from(e).of("preset"))?)
        }
    };
    let mut layers = preset.map_or_else(Layers::default, Preset::layers);
    if let Some(config) = &wanted.config {
        let text = toml::to_string(&without_nulls(config));
        let text = text.map_err(|e| Problem::invalid(e.to_string()).of("config"))?;
        layers.add_file("config", &text).map_err(|e| Problem::from(e).of("config"))?;
    }
    for setting in &wanted.set {
        layers.set(setting).map_err(|e| Problem::from(e).of("set"))?;
    }
    let (mut config, _) = layers.resolve()?;
    set_game(&mut config, &wanted.game);
    config.episodes = wanted.episodes.unwrap_or(config.episodes);
    Ok((config, preset))
}

/// Settings that are nothing are settings that are not there.
fn without_nulls(config: &serde_json::Map<String, Value>) -> serde_json::Map<String, Value> {
    let kept = config.iter().filter(|(_, value)| !value.is_null());
    kept.map(|(key, value)| (key.clone(), strip_nulls(value))).collect()
}

fn strip_nulls(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(without_nulls(object)),
        Value::Array(list) => Value::Array(list.iter().map(strip_nulls).collect()),
        other => other.clone(),
    }
}

/// Games may come from files, and from agents that start programs or read files; not from here.
fn refuse_external(config: &Config) -> Result<(), Problem> {
    let agents = config.games.iter().filter_map(|source| source.agent.as_ref());
    let files = config.games.iter().filter_map(|source| source.file.as_ref());
    match agents.filter(|agent| accesses_system(agent)).chain(files).next() {
        Some(text) => {
            let reason = format!("{text} reaches outside, which only the command line may");
            Err(Problem::new(axum::http::StatusCode::FORBIDDEN, "forbidden", reason).of("config"))
        }
        None => Ok(()),
    }
}

/// `POST /api/runs/{id}/stop`
pub(crate) fn stop(app: &Arc<AppState>, RunQuery { id }: RunQuery) -> Result<RunSummary, Problem> {
    let folder = app.folder(&id)?;
    let learning = app.trainings.find(&id).filter(|learning| learning.is_running());
    let learning =
        learning.ok_or_else(|| Problem::conflict(format!("{id} does not learn here")))?;
    learning.stop();
    summarize(app, id, &folder)
}

/// `POST /api/runs/{id}/resume`
pub(crate) fn resume(
    app: &Arc<AppState>,
    ResumeRunRequest { id, episodes }: ResumeRunRequest,
) -> Result<RunSummary, Problem> {
    let folder = app.folder(&id)?;
    let plan = folder.read_plan()?;
    refuse_external(&plan.config)?;
    check_memory(&plan)?;
    let learning = app.trainings.admit(&id)?;
    let run = end_on_error(&learning, Run::resume(folder.clone(), episodes));
    // That there is nothing left to do is no mistake of the request.
    let run =
        run.map_err(|problem| Problem { field: None, ..Problem::conflict(problem.reason) })?;
    learning.begin(run)?;
    summarize(app, id, &folder)
}

/// `GET /api/presets`
pub(crate) fn presets(
    _: &Arc<AppState>,
    PresetsQuery { game }: PresetsQuery,
) -> Result<PresetsView, Problem> {
    let games = GAMES.iter().map(|entry| entry.name);
    if let Some(game) = game.as_deref().filter(|game| !games.clone().any(|name| name == *game)) {
        return Err(Problem::from(Invalid::unknown("game", game, games)).of("game"));
    }
    let wanted = games.filter(|name| game.as_deref().is_none_or(|game| game == *name));
    let describe = |preset: &Preset| PresetView {
        game: preset.game.into(),
        name: preset.name.into(),
        about: preset.about(),
        source: preset.source(),
        text: preset.text.into(),
        config: read::short_json(&preset.layers().config().ok()),
    };
    Ok(PresetsView { presets: wanted.flat_map(presets_of).map(describe).collect() })
}

/// `GET /api/schema`
pub(crate) fn schema(_: &Arc<AppState>, _: NoInput) -> Result<Value, Problem> {
    Ok(schemars::schema_for!(Config).to_value())
}
