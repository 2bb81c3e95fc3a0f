//! Sample games of a run.

use crate::problem::Problem;
use crate::shared::Shared;
use ludens_core::Record;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

/// Which games of which run.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfGames {
    id: String,
    /// The number of the first.
    from: Option<usize>,
    /// How many.
    count: Option<usize>,
}

/// Games that were written down while learning.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GamesTold {
    total: usize,
    games: Vec<Sampled>,
}

/// A game that was written down.
#[derive(Serialize, JsonSchema)]
struct Sampled {
    number: usize,
    game: String,
    start: Option<String>,
    played: Vec<String>,
    rewards: Vec<f32>,
}

const COUNT: usize = 20;
const MOST: usize = 100;

/// `GET /api/runs/{id}/games`
pub(crate) fn games(shared: &Arc<Shared>, asked: OfGames) -> Result<GamesTold, Problem> {
    let folder = shared.folder(&asked.id)?;
    let from = asked.from.unwrap_or(0);
    let to = from.saturating_add(asked.count.unwrap_or(COUNT).min(MOST));
    let (mut total, mut games) = (0, Vec::new());
    let Ok(file) = File::open(folder.games()) else { return Ok(GamesTold { total, games }) };
    for line in BufReader::new(file).lines().map_while(Result::ok) {
        if (from..to).contains(&total) {
            games.extend(Record::parse(&line).ok().map(|record| tell(total, record)));
        }
        total += 1;
    }
    Ok(GamesTold { total, games })
}

fn tell(number: usize, record: Record) -> Sampled {
    let Record { game, start, played, rewards, .. } = record;
    Sampled { number, game, start, played, rewards }
}
