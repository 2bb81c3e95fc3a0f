//! Analyses of positions by agents.

use crate::agents::{adviser, resolve};
use crate::app_state::AppState;
use crate::play::thinking_time;
use crate::position::{PositionRequest, mover, number, position_request};
use crate::problem::Problem;
use ludens_core::Player;
use ludens_registry::{Analysis, AnyGame, LiveGame};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

position_request! {
    /// What an agent thinks is wanted.
    AnalysisRequest {
        /// The agent; the adviser of the game if nobody is named.
        agent: Option<String>,
        /// How long it may think.
        seconds: Option<f64>,
        /// Most moves of the line that it expects.
        line: Option<usize>,
    }
}

position_request! {
    /// What several agents think is wanted.
    ComparisonRequest {
        /// Two to four agents.
        agents: Vec<String>,
        /// How long each may think.
        seconds: Option<f64>,
    }
}

/// What an agent thinks of a position.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "StudyTold")]
pub(crate) struct AnalysisView {
    agent: String,
    /// The player to move; nobody once it is over.
    player: Option<u8>,
    /// Every legal move.
    moves: Vec<AnalyzedMove>,
    /// What the best is worth to the player to move.
    pub(crate) value: Option<f32>,
    /// What each player may expect from here, as far as can be told.
    values: Vec<Option<f32>>,
    pub(crate) best: Option<String>,
    /// What it expects to be played.
    line: Vec<String>,
    /// How many lines it tried.
    visits: Option<u64>,
    /// How many moves it looked ahead.
    depth: Option<u32>,
    seconds: f64,
}

/// A legal move and what an agent thinks of it.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename = "Judged")]
pub(crate) struct AnalyzedMove {
    pub(crate) id: u32,
    pub(crate) text: String,
    pub(crate) value: Option<f32>,
    visits: Option<u64>,
    best: bool,
}

/// What several agents think of the same position.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Opinions")]
pub(crate) struct AnalysisComparison {
    opinions: Vec<AnalysisView>,
    /// Whether all would play the same.
    agree: bool,
    moves: Vec<ComparedMove>,
}

/// A legal move and what each agent thinks of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Compared")]
struct ComparedMove {
    id: u32,
    text: String,
    values: Vec<Option<f32>>,
    /// How far the opinions lie apart.
    spread: Option<f32>,
}

/// The default and the maximum length of an expected line.
const LINE: usize = 8;
const LONGEST_LINE: usize = 60;

/// `POST /api/study`
pub(crate) fn study(
    app: &Arc<AppState>,
    mut request: AnalysisRequest,
) -> Result<AnalysisView, Problem> {
    let (position, time) = (request.position(), thinking_time(request.seconds)?);
    let game = position.open()?;
    let agent = request.agent.unwrap_or_else(|| adviser(&*game).into());
    let line = request.line.unwrap_or(LINE).clamp(1, LONGEST_LINE);
    analyze(app, (&position, &*game), &agent, time, line)
}

/// `POST /api/opinions`
pub(crate) fn opinions(
    app: &Arc<AppState>,
    mut request: ComparisonRequest,
) -> Result<AnalysisComparison, Problem> {
    let (position, time) = (request.position(), thinking_time(request.seconds)?);
    let count = request.agents.len();
    if !(2..=4).contains(&count) {
        let reason = format!("expected two to four agents, found {count}");
        return Err(Problem::invalid(reason).of("agents"));
    }
    let (game, time) = (position.open()?, time / count as u32);
    let analyze = |agent: &String| analyze(app, (&position, &*game), agent, time, LINE);
    let opinions = request.agents.iter().map(analyze).collect::<Result<Vec<_>, _>>()?;
    let agree = opinions.windows(2).all(|pair| pair[0].best == pair[1].best);
    let first = opinions.first().map_or(&[][..], |analysis| &analysis.moves);
    let moves = first.iter().enumerate().map(|(i, judged)| compare(judged, i, &opinions));
    Ok(AnalysisComparison { moves: moves.collect(), agree, opinions })
}

fn compare(judged: &AnalyzedMove, at: usize, opinions: &[AnalysisView]) -> ComparedMove {
    let values: Vec<Option<f32>> =
        opinions.iter().map(|analysis| analysis.moves[at].value).collect();
    let known = || values.iter().flatten().copied();
    let spread = known().fold(f32::NEG_INFINITY, f32::max) - known().fold(f32::INFINITY, f32::min);
    let spread = Some(spread).filter(|spread| spread.is_finite());
    ComparedMove { id: judged.id, text: judged.text.clone(), values, spread }
}

/// Lets an agent analyse a position.
pub(crate) fn analyze(
    app: &AppState,
    (position, game): (&PositionRequest, &dyn AnyGame),
    agent: &str,
    time: Duration,
    line: usize,
) -> Result<AnalysisView, Problem> {
    let opened = resolve(app, agent)?;
    let live = position.live(game)?;
    let Some(player) = mover(&*live) else { return Ok(over(agent, &*live, game)) };
    app.agent_cache.with((position, game), player, &opened, time, |live| {
        let begun = Instant::now();
        let analysis = ask(live, line)?;
        let seconds = begun.elapsed().as_secs_f64();
        let analysis = view(live, player, analysis, game.info().players);
        Ok(AnalysisView { agent: agent.into(), seconds, ..analysis })
    })
}

/// The agent's analysis, with at least its choice.
fn ask(live: &mut dyn LiveGame, line: usize) -> Result<Analysis, Problem> {
    let mut analysis = live.study(line).unwrap_or_default();
    if analysis.line.is_empty() {
        let advice = live.choose().map_err(|e| Problem::conflict(e.to_string()))?;
        analysis.line.push(advice.text);
    }
    Ok(analysis)
}

fn view(live: &dyn LiveGame, player: Player, analysis: Analysis, players: usize) -> AnalysisView {
    let Analysis { values, visits, line, depth } = analysis;
    let best = line.first().cloned();
    let judged = |(at, (id, text)): (usize, (ludens_core::Move, String))| AnalyzedMove {
        id: id.0,
        value: values.as_ref().and_then(|values| values.get(at).copied()),
        visits: visits.as_ref().and_then(|visits| visits.get(at).copied()),
        best: best.as_ref() == Some(&text),
        text,
    };
    let moves: Vec<AnalyzedMove> = live.legal().into_iter().enumerate().map(judged).collect();
    let value = moves.iter().find(|judged| judged.best).and_then(|judged| judged.value);
    AnalysisView {
        agent: String::new(),
        player: Some(number(player)),
        values: expectations(value, player, players),
        moves,
        value,
        best,
        line,
        visits: visits.map(|visits| visits.iter().sum()),
        depth,
        seconds: 0.0,
    }
}

/// The expected reward of each player if one expects `value`; two-player games are zero-sum.
pub(crate) fn expectations(value: Option<f32>, player: Player, players: usize) -> Vec<Option<f32>> {
    let of = |other: Player| match value {
        Some(value) if other == player => Some(value),
        // Nothing is not less than nothing.
        Some(value) if players == 2 => Some(0.0 - value),
        _ => None,
    };
    Player::all(players).map(of).collect()
}

/// Nothing is to be thought about once it is over.
fn over(agent: &str, live: &dyn LiveGame, game: &dyn AnyGame) -> AnalysisView {
    let rewards = live.rewards().first(game.info().players).iter().copied().map(Some).collect();
    AnalysisView {
        agent: agent.into(),
        player: None,
        moves: Vec::new(),
        value: None,
        values: rewards,
        best: None,
        line: Vec::new(),
        visits: None,
        depth: None,
        seconds: 0.0,
    }
}
