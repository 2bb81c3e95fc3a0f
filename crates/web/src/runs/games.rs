//! Sample games of a run.

use crate::app_state::AppState;
use crate::problem::Problem;
use ludens_core::Record;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

/// Which games of which run.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfGames", deny_unknown_fields)]
pub(crate) struct RunGamesQuery {
    id: String,
    /// The number of the first.
    from: Option<usize>,
    /// How many.
    count: Option<usize>,
}

/// Games that were written down while learning.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "GamesTold")]
pub(crate) struct RunGamesView {
    total: usize,
    games: Vec<SampledGame>,
}

/// A game that was written down.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Sampled")]
struct SampledGame {
    number: usize,
    game: String,
    start: Option<String>,
    played: Vec<String>,
    rewards: Vec<f32>,
}

const COUNT: usize = 20;
const MOST: usize = 100;

/// `GET /api/runs/{id}/games`
pub(crate) fn games(app: &Arc<AppState>, request: RunGamesQuery) -> Result<RunGamesView, Problem> {
    let folder = app.folder(&request.id)?;
    let from = request.from.unwrap_or(0);
    let to = from.saturating_add(request.count.unwrap_or(COUNT).min(MOST));
    let (mut total, mut games) = (0, Vec::new());
    let Ok(file) = File::open(folder.games()) else { return Ok(RunGamesView { total, games }) };
    for line in BufReader::new(file).lines().map_while(Result::ok) {
        if (from..to).contains(&total) {
            games.extend(Record::parse(&line).ok().map(|record| sampled_game(total, record)));
        }
        total += 1;
    }
    Ok(RunGamesView { total, games })
}

fn sampled_game(number: usize, record: Record) -> SampledGame {
    let Record { game, start, played, rewards, .. } = record;
    SampledGame { number, game, start, played, rewards }
}
