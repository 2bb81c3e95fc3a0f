//! The responses that describe runs.

use super::{RunQuery, read};
use crate::app_state::AppState;
use crate::problem::Problem;
use crate::routes::NoInput;
use crate::trainings::TrainingJob;
use ludens_lab::{EvaluationLine, Plan, RunFolder, differences};
use ludens_learn::Config;
use ludens_registry::{AnyGame, open_game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The runs there are.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "Runs")]
pub(crate) struct RunList {
    pub(crate) runs: Vec<RunSummary>,
}

/// A run, in short.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "RunTold")]
pub(crate) struct RunSummary {
    pub(crate) id: String,
    pub(crate) game: String,
    preset: Option<String>,
    seed: u64,
    pub(crate) state: RunState,
    pub(crate) episode: u64,
    episodes: u64,
    algorithm: String,
    value: String,
    step: String,
    /// The last evaluation.
    pub(crate) figure: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    protocol: Option<String>,
    pub(crate) measures: Option<String>,
    /// The last evaluations by further protocols.
    also: Vec<OtherEvaluation>,
    /// Episodes per second.
    per_second: Option<f64>,
    /// Seconds until all are learned, if it goes on like this.
    left: Option<f64>,
    weights: Option<u64>,
    touched: Option<u64>,
    /// When something was last written, in seconds since 1970.
    pub(crate) changed: u64,
    /// Whether agents can play by what it has learned.
    has_value: bool,
    /// Why it cannot go on.
    reason: Option<String>,
}

/// An evaluation by a further protocol.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "Evaluation")]
struct OtherEvaluation {
    protocol: String,
    measures: String,
    figure: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<&EvaluationLine> for OtherEvaluation {
    fn from(line: &EvaluationLine) -> OtherEvaluation {
        OtherEvaluation {
            protocol: line.protocol.clone(),
            measures: line.measures.clone(),
            figure: line.figure,
            low: line.low,
            high: line.high,
        }
    }
}

/// What a run is doing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunState {
    /// It learns in this process.
    Learning,
    /// It was stopped and can go on.
    Stopped,
    /// All episodes are learned.
    Finished,
    /// Another process is at work in it.
    Elsewhere,
    /// It cannot go on.
    Failed,
}

/// Everything about a run.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "RunInFull")]
pub(crate) struct RunDetails {
    #[serde(flatten)]
    run: RunSummary,
    settings: Vec<RunSetting>,
    /// Everything that was chosen.
    config: Value,
    /// The plan, as it stands in its file.
    text: String,
    /// Episodes from one line to the next.
    every: u64,
    /// The learning curve, line by line.
    metrics: Vec<Value>,
    times: Vec<read::TimesRecord>,
}

/// A setting of a run.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "SettingOfRun")]
struct RunSetting {
    key: String,
    value: Option<String>,
    /// What it is if nothing is chosen.
    usual: Option<String>,
}

/// Which runs.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfRuns", deny_unknown_fields)]
pub(crate) struct RunsQuery {
    run: Vec<String>,
}

/// The settings of several runs, side by side.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "SettingsTold")]
pub(crate) struct RunSettingsView {
    runs: Vec<String>,
    settings: Vec<ComparedSetting>,
}

/// A setting of several runs.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "SideBySide")]
struct ComparedSetting {
    key: String,
    /// In the order of the runs.
    values: Vec<Option<String>>,
    differs: bool,
}

/// The maximum number of runs in a list.
const MOST: usize = 500;

/// Runs that are compared, at most.
pub(super) const SEVERAL: usize = 8;

/// `GET /api/runs`
pub(crate) fn list(app: &Arc<AppState>, _: NoInput) -> Result<RunList, Problem> {
    Ok(all(app))
}

/// All runs, the newest first.
pub(crate) fn all(app: &AppState) -> RunList {
    let found = read::folders(&app.runs).into_iter();
    let mut runs: Vec<_> =
        found.filter_map(|(id, folder)| summarize(app, id, &folder).ok()).collect();
    runs.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
    runs.truncate(MOST);
    RunList { runs }
}

/// The runs that learned something about a game like this one.
pub(crate) fn values_of(app: &AppState, game: &dyn AnyGame) -> Vec<RunSummary> {
    let shape = |game: &dyn AnyGame| {
        let info = game.info();
        (info.title.clone(), info.players, info.moves, info.width, info.height)
    };
    let fits = |run: &RunSummary| {
        run.has_value && open_game(&run.game).is_ok_and(|other| shape(&*other) == shape(game))
    };
    all(app).runs.into_iter().filter(fits).collect()
}

/// A run, in short.
pub(super) fn summarize(
    app: &AppState,
    id: String,
    folder: &RunFolder,
) -> Result<RunSummary, Problem> {
    let plan = folder.read_plan()?;
    let (metrics, times) = (read::metrics(folder), read::times(folder));
    let last = metrics.last();
    let evaluation = metrics.iter().rev().find_map(|line| line.evaluation.clone());
    let others = metrics.iter().rev().find(|line| !line.also.is_empty());
    let learning = app.trainings.find(&id);
    let written = last.map_or(0, |line| line.episode);
    let (config, changed) = (&plan.config, read::changed(folder));
    let live = learning.as_ref().and_then(TrainingJob::pace);
    let state = state(folder, learning.as_deref(), written >= config.episodes, changed);
    let saved = || read::saved_episode(folder).filter(|_| state != RunState::Finished);
    let now = live.as_ref().map(|pace| pace.episode).or_else(saved);
    let episode = now.unwrap_or(0).max(written);
    let measured = times.last().and_then(|time| time.episodes_per_second);
    let per_second = live.as_ref().and_then(|pace| pace.per_second).or(measured);
    Ok(RunSummary {
        id,
        game: config.game.clone(),
        preset: plan.preset.clone(),
        seed: plan.seed,
        state,
        episode,
        episodes: config.episodes,
        algorithm: config.learner.algorithm.name().into(),
        value: kind(config, "value"),
        step: kind(config, "step"),
        figure: evaluation.as_ref().map(|found| found.figure),
        low: evaluation.as_ref().and_then(|found| found.low),
        high: evaluation.as_ref().and_then(|found| found.high),
        protocol: evaluation.as_ref().map(|found| found.protocol.clone()),
        measures: evaluation.map(|found| found.measures),
        also: others.map_or(Vec::new(), |line| line.also.iter().map(Into::into).collect()),
        per_second,
        left: seconds_left(state, config.episodes.saturating_sub(episode), per_second),
        weights: last.map(|line| line.weights),
        touched: last.and_then(|line| line.touched),
        changed,
        has_value: crate::agents::value_of(folder).is_some(),
        reason: learning.and_then(|learning| learning.failure()),
    })
}

/// The remaining time of a running run.
fn seconds_left(state: RunState, episodes: u64, per_second: Option<f64>) -> Option<f64> {
    let running = matches!(state, RunState::Learning | RunState::Elsewhere);
    per_second.filter(|speed| running && *speed > 0.0).map(|speed| episodes as f64 / speed)
}

/// Only recently changed folders are checked for a lock.
const RECENT: u64 = 3600;

fn state(
    folder: &RunFolder,
    learning: Option<&TrainingJob>,
    all_learned: bool,
    changed: u64,
) -> RunState {
    let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
    let recent = now.is_ok_and(|now| now.as_secs().saturating_sub(changed) < RECENT);
    match learning {
        Some(learning) if learning.is_running() => RunState::Learning,
        Some(learning) if learning.failure().is_some() => RunState::Failed,
        _ if all_learned && folder.summary().exists() => RunState::Finished,
        _ if recent && folder.is_busy() => RunState::Elsewhere,
        _ => RunState::Stopped,
    }
}

/// The name of the kind of something, such as the step size.
fn kind(config: &Config, what: &str) -> String {
    let json = serde_json::to_value(config).unwrap_or_default();
    match &json[what] {
        Value::String(name) => name.clone(),
        Value::Object(kinds) => kinds.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

/// `GET /api/runs/{id}`
pub(crate) fn one(app: &Arc<AppState>, RunQuery { id }: RunQuery) -> Result<RunDetails, Problem> {
    let folder = app.folder(&id)?;
    let plan = folder.read_plan()?;
    let usual = Config { game: plan.config.game.clone(), ..Config::default() };
    let changed = differences(&usual, &plan.config).into_iter();
    let setting = |(key, usual, value)| RunSetting { key, value, usual };
    Ok(RunDetails {
        run: summarize(app, id, &folder)?,
        settings: changed.map(setting).collect(),
        config: read::short_json(&plan.config),
        text: read::plan_text(&folder)?,
        every: plan.every,
        metrics: read::metrics(&folder).iter().map(read::short_json).collect(),
        times: read::times(&folder),
    })
}

/// `GET /api/settings`
pub(crate) fn settings(
    app: &Arc<AppState>,
    RunsQuery { run }: RunsQuery,
) -> Result<RunSettingsView, Problem> {
    check_several(&run)?;
    let plans = run.iter().map(|id| Ok(app.folder(id)?.read_plan()?));
    let plans = plans.collect::<Result<Vec<Plan>, Problem>>()?;
    let nothing = Config::default();
    let mut all: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    let mut usual = BTreeMap::new();
    for (at, plan) in plans.iter().enumerate() {
        for (key, before, value) in differences(&nothing, &plan.config) {
            all.entry(key.clone()).or_insert_with(|| vec![None; plans.len()])[at] = value;
            usual.insert(key, before);
        }
    }
    // A run that does not change a setting has its default.
    let settings = all.into_iter().map(|(key, mut values)| {
        for (value, plan) in values.iter_mut().zip(&plans) {
            if value.is_none() && !changes(&nothing, &plan.config, &key) {
                value.clone_from(&usual[&key]);
            }
        }
        let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
        ComparedSetting { key, values, differs }
    });
    Ok(RunSettingsView { settings: settings.collect(), runs: run })
}

fn changes(usual: &Config, config: &Config, key: &str) -> bool {
    differences(usual, config).iter().any(|(changed, ..)| changed == key)
}

/// Refuses none and too many.
pub(super) fn check_several(runs: &[String]) -> Result<(), Problem> {
    if (1..=SEVERAL).contains(&runs.len()) {
        return Ok(());
    }
    let reason = format!("expected one to {SEVERAL} runs, found {}", runs.len());
    Err(Problem::invalid(reason).of("run"))
}
