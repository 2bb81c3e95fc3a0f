//! Matches, tournaments and measurements.

use crate::errors::{Failed, raised};
use crate::game::PyGame;
use crate::shutdown;
use crate::work::{GameCounter, InterruptCheck, supervised};
use ludens_core::Invalid;
use ludens_registry::MeasureOptions;
use ludens_registry::arena::statistics::Sprt;
use ludens_registry::arena::{ContestPlan, GameResult, Openings, TournamentReport, Workload};
use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use serde::Serialize;

/// A report: as text, as JSON, and its games, one line of JSON each.
type ReportTexts = (String, String, Vec<String>);

/// The settings of a match or tournament.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ContestSettings {
    agents: Vec<String>,
    games: Option<usize>,
    openings: String,
    sprt: Option<String>,
    seed: u64,
    threads: usize,
    record: bool,
}

impl ContestSettings {
    fn plan(&self) -> Result<ContestPlan, Invalid> {
        Ok(ContestPlan {
            games: self.games,
            openings: Openings::parse(&self.openings).map_err(|e| e.about("openings"))?,
            sprt: self.sprt.as_deref().map(Sprt::parse).transpose().map_err(|e| e.about("sprt"))?,
            seed: self.seed,
            record: self.record,
            ..ContestPlan::default()
        })
    }
}

/// Lets agents play many games in every role.
#[pyfunction]
pub(crate) fn contest(
    py: Python<'_>,
    game: &PyGame,
    wish: ContestSettings,
    progress: Option<Py<PyAny>>,
) -> PyResult<ReportTexts> {
    let plan = raised(wish.plan())?;
    let (report, games) = in_arena(py, wish.threads, progress.as_ref(), |workload| {
        game.rules.arena().contest(&wish.agents, &plan, workload)
    })?;
    report_texts(&report, &games)
}

/// Lets everybody play everybody. The last text is the table as a picture.
#[pyfunction]
pub(crate) fn tournament(
    py: Python<'_>,
    game: &PyGame,
    wish: ContestSettings,
    progress: Option<Py<PyAny>>,
) -> PyResult<(ReportTexts, String)> {
    let plan = raised(wish.plan())?;
    let (report, games): (TournamentReport, _) =
        in_arena(py, wish.threads, progress.as_ref(), |workload| {
            game.rules.arena().tournament(&wish.agents, &plan, workload)
        })?;
    Ok((report_texts(&report, &games)?, report.to_svg()))
}

/// Measures an agent by a protocol, the game's usual one unless named.
#[pyfunction]
pub(crate) fn measure(
    py: Python<'_>,
    game: &PyGame,
    agent: &str,
    wish: MeasureSettings,
    progress: Option<Py<PyAny>>,
) -> PyResult<ReportTexts> {
    let report = in_arena(py, wish.threads, progress.as_ref(), |workload| {
        let (protocol, games) = (wish.protocol.as_deref(), wish.games);
        let by = MeasureOptions { protocol, games, seed: wish.seed, with_perfect: true, workload };
        game.rules.arena().measure(agent, &by)
    })?;
    report_texts(&report, &[])
}

/// The settings of a measurement.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct MeasureSettings {
    protocol: Option<String>,
    games: Option<usize>,
    seed: u64,
    threads: usize,
}

fn in_arena<T: Send>(
    py: Python<'_>,
    threads: usize,
    tell: Option<&Py<PyAny>>,
    play: impl FnOnce(Workload<'_>) -> Result<T, Invalid> + Send,
) -> PyResult<T> {
    let interrupts = InterruptCheck::new();
    let count = GameCounter::new(&interrupts, tell);
    let played = supervised(py, || play(Workload { threads: threads.max(1), progress: &count }));
    interrupts.result()?;
    let played = played?;
    if shutdown::is_closing() {
        return Err(PySystemExit::new_err(()));
    }
    raised(played)
}

fn report_texts(
    report: &(impl Serialize + ToString),
    games: &[GameResult],
) -> PyResult<ReportTexts> {
    let json = serde_json::to_string(report).map_err(|e| Failed::new_err(e.to_string()))?;
    let line = |game: &GameResult| Some(game.record.as_ref()?.to_line().trim_end().to_owned());
    Ok((report.to_string(), json, games.iter().filter_map(line).collect()))
}

/// The names of all games, and what each is about.
#[pyfunction]
pub(crate) fn game_names() -> Vec<(&'static str, &'static str)> {
    ludens_registry::GAMES.iter().map(|entry| (entry.name, entry.about)).collect()
}

/// The names of all agents, and how each plays.
#[pyfunction]
pub(crate) fn agent_names() -> Vec<(&'static str, &'static str)> {
    ludens_registry::agent_list().map(|agent| (agent.name, agent.about)).collect()
}
