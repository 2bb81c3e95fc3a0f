//! Playing: positions, moves of people and moves of agents.

use crate::agents::resolve;
use crate::app_state::AppState;
use crate::limits::LIMITS;
use crate::position::{PositionRequest, PositionView, mover, position_request};
use crate::problem::Problem;
use ludens_core::Forfeit;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

position_request! {
    /// A move of a person.
    PlayRequest {
        /// The move, as players write it.
        r#move: String,
    }
}

position_request! {
    /// A move of an agent is wanted.
    ChooseRequest {
        /// The agent: name or name:key=value,...
        agent: String,
        /// How long it may think, if less than as long as it likes.
        seconds: Option<f64>,
    }
}

/// What an agent plays.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Chosen")]
pub(crate) struct ChosenMove {
    r#move: String,
    /// What it expects to gain from here, if it has an opinion.
    value: Option<f32>,
    /// Whether the move was a try rather than believed best.
    explored: bool,
    /// How long it thought.
    seconds: f64,
    /// The position after the move.
    position: PositionView,
}

/// `POST /api/position`
pub(crate) fn position(
    _: &Arc<AppState>,
    request: PositionRequest,
) -> Result<PositionView, Problem> {
    let game = request.open()?;
    let live = request.live(&*game)?;
    Ok(request.view(&*game, &*live))
}

/// `POST /api/play`
pub(crate) fn play(_: &Arc<AppState>, mut request: PlayRequest) -> Result<PositionView, Problem> {
    let position = request.position();
    let game = position.open()?;
    let mut live = position.live(&*game)?;
    if mover(&*live).is_none() {
        return Err(Problem::conflict("the game is over"));
    }
    live.play(&request.r#move).map_err(|e| Problem::from(e).of("move"))?;
    Ok(position.view(&*game, &*live))
}

/// `POST /api/choose`
pub(crate) fn choose(
    app: &Arc<AppState>,
    mut request: ChooseRequest,
) -> Result<ChosenMove, Problem> {
    let (position, time) = (request.position(), thinking_time(request.seconds)?);
    let agent = resolve(app, &request.agent)?;
    let game = position.open()?;
    let player = mover(&*position.live(&*game)?);
    let player = player.ok_or_else(|| Problem::conflict("the game is over"))?;
    app.agent_cache.with((&position, &*game), player, &agent, time, |live| {
        let begun = Instant::now();
        let gave_up = |Forfeit(reason)| Problem::conflict(format!("the agent gives up: {reason}"));
        let advice = live.choose().map_err(gave_up)?;
        let seconds = begun.elapsed().as_secs_f64();
        live.play(&advice.text)?;
        let ludens_core::Choice { value, explored, .. } = advice.choice;
        let position = position.view(&*game, live);
        Ok(ChosenMove { r#move: advice.text, value, explored, seconds, position })
    })
}

/// The thinking time of an agent.
pub(crate) fn thinking_time(seconds: Option<f64>) -> Result<Duration, Problem> {
    let seconds = seconds.unwrap_or(LIMITS.seconds);
    if !(0.001..=LIMITS.seconds).contains(&seconds) {
        let reason = format!("expected 0.001 to {} seconds, found {seconds}", LIMITS.seconds);
        return Err(Problem::invalid(reason).of("seconds"));
    }
    Ok(Duration::from_secs_f64(seconds))
}
