//! The routes about contests.

use super::{ContestEnd, ContestJob, ContestKind, ContestRequest};
use crate::agents::resolve;
use crate::app_state::AppState;
use crate::job_queue::spawn;
use crate::limits::LIMITS;
use crate::problem::Problem;
use crate::routes::{ImageReply, NoInput};
use ludens_core::{Invalid, Player};
use ludens_registry::arena::{self, Openings, Workload};
use ludens_registry::{AnyGame, open_game, plugin_error};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Which contest.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfContest", deny_unknown_fields)]
pub(crate) struct ContestQuery {
    pub(super) number: u64,
}

/// The contest that was begun.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Begun")]
pub(crate) struct ContestStarted {
    contest: u64,
}

/// All contests.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "ContestsTold")]
pub(crate) struct ContestsView {
    contests: Vec<ContestView>,
}

/// A contest, and its report once it is finished.
#[derive(Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "ContestTold")]
pub(crate) struct ContestView {
    contest: u64,
    #[serde(flatten)]
    plan: ContestRequest,
    pub(super) state: ContestState,
    done: usize,
    expected: usize,
    /// Seconds until it is finished, if it goes on like this.
    left: Option<f64>,
    /// Why it failed.
    reason: Option<String>,
    /// As `ludens match --json` or `ludens tournament --json` print it.
    report: Option<Value>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename = "State", rename_all = "lowercase")]
pub(super) enum ContestState {
    Playing,
    Finished,
    Stopped,
    Failed,
}

/// `POST /api/contests`
pub(crate) fn start(app: &Arc<AppState>, plan: ContestRequest) -> Result<ContestStarted, Problem> {
    let count = plan.agents.len();
    if !(1..=LIMITS.agents).contains(&count) {
        let reason = format!("expected one to {} agents, found {count}", LIMITS.agents);
        return Err(Problem::invalid(reason).of("agents"));
    }
    if !(1..=LIMITS.games).contains(&plan.games) {
        let reason = format!("expected one to {} games, found {}", LIMITS.games, plan.games);
        return Err(Problem::invalid(reason).of("games"));
    }
    let game = open_game(&plan.game).map_err(|e| Problem::from(e).of("game"))?;
    let openings = openings(&plan.openings)?;
    let resolved = plan.agents.iter().enumerate().map(|(i, agent)| {
        let opened = resolve(app, agent).map_err(|p| p.of(format!("agents[{i}]")))?;
        let seated = game.live(1).seat(Player(0), &opened.text);
        seated.map_err(|e| Problem::from(e).of(format!("agents[{i}]")))?;
        Ok(opened.text)
    });
    let agents = resolved.collect::<Result<Vec<String>, Problem>>()?;
    let expected = match plan.kind {
        ContestKind::Match => 0,
        ContestKind::Tournament => plan.games.saturating_mul(groups(count, game.info().players)),
    };
    let contest = app.contests.admit(plan, expected)?;
    let number = contest.number;
    let own = Arc::clone(&contest);
    let work = move || own.token.scope(|| play(&own, &*game, &agents, openings));
    spawn("contest", work).inspect_err(|problem| contest.fail(problem.reason.clone()))?;
    Ok(ContestStarted { contest: number })
}

/// The number of groups of this many players.
fn groups(agents: usize, players: usize) -> usize {
    (1..=players.min(agents)).fold(1, |groups, k| groups * (agents + 1 - k) / k)
}

/// Parses the openings; refuses files.
fn openings(text: &str) -> Result<Openings, Problem> {
    if text.starts_with("file") {
        return Err(Problem::invalid("files are read by the command line only").of("openings"));
    }
    Openings::parse(text).map_err(|e| Problem::from(e).of("openings"))
}

fn play(contest: &ContestJob, game: &dyn AnyGame, agents: &[String], openings: Openings) {
    let ContestRequest { kind, games, seed, .. } = contest.plan;
    let plan =
        arena::ContestPlan { games: Some(games), openings, seed, ..arena::ContestPlan::default() };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workload = Workload { threads: cores.div_ceil(LIMITS.contests), progress: contest };
    let went = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match kind {
        ContestKind::Match => {
            let played = game.arena().contest(agents, &plan, workload);
            played.map(|(report, _)| ContestEnd::Match(Box::new(report)))
        }
        ContestKind::Tournament => {
            let played = game.arena().tournament(agents, &plan, workload);
            played.map(|(report, _)| ContestEnd::Tournament(Box::new(report)))
        }
    }));
    let stopped = contest.token.is_cancelled();
    *contest.lock() = Some(match went {
        Ok(Ok(end)) => end.named(&contest.plan.agents, agents),
        Ok(Err(_)) if stopped => ContestEnd::Stopped,
        Ok(Err(Invalid(reason))) => ContestEnd::Failed(reason),
        Err(unwinds) => ContestEnd::Failed(
            plugin_error(&*unwinds).unwrap_or_else(|| "a mistake in ludens itself".into()),
        ),
    });
}

impl ContestEnd {
    /// Calls agents what they were called in the request: runs, not files.
    fn named(mut self, requested: &[String], opened: &[String]) -> ContestEnd {
        let rename = |name: &mut String| {
            if let Some(at) = opened.iter().position(|text| text == name) {
                name.clone_from(&requested[at]);
            }
        };
        match &mut self {
            ContestEnd::Match(report) => {
                report.contestants.iter_mut().for_each(|c| rename(&mut c.name));
            }
            ContestEnd::Tournament(report) => {
                report.standings.iter_mut().for_each(|place| rename(&mut place.name));
            }
            ContestEnd::Stopped | ContestEnd::Failed(_) => {}
        }
        self
    }
}

/// `GET /api/contests`
pub(crate) fn all(app: &Arc<AppState>, _: NoInput) -> Result<ContestsView, Problem> {
    let brief = |contest: &Arc<ContestJob>| ContestView { report: None, ..view(contest) };
    Ok(ContestsView { contests: app.contests.all().iter().rev().map(brief).collect() })
}

/// `GET /api/contests/{number}`
pub(crate) fn one(app: &Arc<AppState>, of: ContestQuery) -> Result<ContestView, Problem> {
    Ok(view(&*app.contests.find(of.number)?))
}

pub(super) fn view(contest: &ContestJob) -> ContestView {
    let (done, expected, left) = contest.progress();
    let end = contest.lock();
    let json = |report: serde_json::Result<Value>| report.ok();
    let (state, reason, report) = match &*end {
        None => (ContestState::Playing, None, None),
        Some(ContestEnd::Match(report)) => {
            (ContestState::Finished, None, json(serde_json::to_value(report)))
        }
        Some(ContestEnd::Tournament(report)) => {
            (ContestState::Finished, None, json(serde_json::to_value(report)))
        }
        Some(ContestEnd::Stopped) => (ContestState::Stopped, None, None),
        Some(ContestEnd::Failed(reason)) => (ContestState::Failed, Some(reason.clone()), None),
    };
    let plan = contest.plan.clone();
    ContestView { contest: contest.number, plan, state, done, expected, left, reason, report }
}

/// `GET /api/contests/{number}/table.svg`
pub(crate) fn picture(app: &Arc<AppState>, of: ContestQuery) -> Result<ImageReply, Problem> {
    let contest = app.contests.find(of.number)?;
    match &*contest.lock() {
        Some(ContestEnd::Tournament(report)) => Ok(ImageReply::svg(report.to_svg())),
        _ => Err(Problem::conflict("only finished tournaments have a cross table")),
    }
}

/// `POST /api/contests/{number}/stop`
pub(crate) fn stop(app: &Arc<AppState>, of: ContestQuery) -> Result<ContestView, Problem> {
    let contest = app.contests.find(of.number)?;
    if !contest.is_playing() {
        return Err(Problem::conflict("it is over already"));
    }
    contest.stop();
    Ok(view(&contest))
}

/// `DELETE /api/contests/{number}`
pub(crate) fn remove(app: &Arc<AppState>, of: ContestQuery) -> Result<(), Problem> {
    app.contests.find(of.number)?.remove();
    Ok(())
}
