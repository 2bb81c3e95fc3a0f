//! Reviews of whole games: the values after each move, and the mistakes.

use crate::agent_cache::ResolvedAgent;
use crate::agents::{adviser, resolve};
use crate::app_state::AppState;
use crate::play::thinking_time;
use crate::position::{PositionRequest, mover, number, position_request};
use crate::problem::Problem;
use crate::study::expectations;
use ludens_core::Player;
use ludens_registry::{AnyGame, LiveGame};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

position_request! {
    /// A whole game is to be looked at.
    ReviewRequest {
        /// Who judges, where nobody plays perfectly.
        agent: Option<String>,
        /// How long it may take in all.
        seconds: Option<f64>,
    }
}

/// How a game went.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Review {
    /// Who judged.
    judge: String,
    /// Whether the judge is never wrong.
    exact: bool,
    /// How it stood before the first ply and after each.
    points: Vec<ReviewPoint>,
    /// Every move of a player.
    moves: Vec<ReviewedMove>,
    /// Whether there was time for the whole game.
    complete: bool,
}

/// How it stood after so many plies.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Point")]
struct ReviewPoint {
    ply: usize,
    /// What each player had gained and could still expect, as far as can be told.
    values: Vec<Option<f32>>,
}

/// A move, and a better one if there was one.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Reviewed")]
struct ReviewedMove {
    /// Its place among everything played.
    ply: usize,
    player: u8,
    text: String,
    value: Option<f32>,
    best: Option<String>,
    best_value: Option<f32>,
    /// How much was given away.
    loss: Option<f32>,
    mark: Option<MistakeKind>,
}

/// How bad a move was.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "Mark", rename_all = "lowercase")]
enum MistakeKind {
    Slip,
    Mistake,
    Blunder,
}

/// The default judge for games without a perfect player.
const JUDGE: &str = "mcts:iterations=2000";

/// Least time for one position, so that a judgement means something.
const LEAST: Duration = Duration::from_millis(20);

/// `POST /api/review`
pub(crate) fn review(app: &Arc<AppState>, mut request: ReviewRequest) -> Result<Review, Problem> {
    let (position, time) = (request.position(), thinking_time(request.seconds)?);
    let game = position.open()?;
    let exact = adviser(&*game) == "perfect" && reports_move_values(app, &position, &*game);
    let judge = match (exact, request.agent) {
        (true, _) => "perfect".to_owned(),
        (false, Some(agent)) => agent,
        (false, None) => JUDGE.to_owned(),
    };
    let opened = resolve(app, &judge)?;
    let whole = position.live(&*game)?;
    let played = whole.history();
    let share = (time / (played.len() as u32 + 1)).max(LEAST);
    let mut reviewer = Reviewer { app, game: &*game, opened, share, scale: 1.0 };
    reviewer.scale = reviewer.scale_of(&*whole);
    let mut review = Review { judge, exact, points: Vec::new(), moves: Vec::new(), complete: true };
    let begun = Instant::now();
    for ply in 0..=played.len() {
        if begun.elapsed() > time {
            review.complete = false;
            break;
        }
        let past = PositionRequest { played: played[..ply].to_vec(), ..position.clone() };
        reviewer.review_position(&past, played.get(ply), &mut review)?;
    }
    Ok(review)
}

/// Whether the perfect player reports move values.
fn reports_move_values(app: &AppState, position: &PositionRequest, game: &dyn AnyGame) -> bool {
    let start = PositionRequest { played: Vec::new(), start: None, ..position.clone() };
    let analysis = crate::study::analyze(app, (&start, game), "perfect", LEAST, 1);
    analysis.is_ok_and(|analysis| analysis.value.is_some())
}

/// Analyses one position after another.
struct Reviewer<'a> {
    app: &'a AppState,
    game: &'a dyn AnyGame,
    opened: ResolvedAgent,
    share: Duration,
    /// The reward of a win.
    scale: f32,
}

impl Reviewer<'_> {
    /// Adds the value of this position and the review of the next move.
    fn review_position(
        &self,
        past: &PositionRequest,
        next: Option<&String>,
        review: &mut Review,
    ) -> Result<(), Problem> {
        let ply = past.played.len();
        // Between a move and a chance event, no player is to move.
        if next.is_some_and(|text| text.starts_with('(')) {
            return Ok(());
        }
        let live = past.live(self.game)?;
        let players = self.game.info().players;
        let gained = live.rewards().first(players).to_vec();
        let Some(player) = mover(&*live) else {
            review.points.push(ReviewPoint { ply, values: gained.into_iter().map(Some).collect() });
            return Ok(());
        };
        let values = self.values(past, player)?;
        let best = best_of(&values);
        let expected = expectations(best.and_then(|at| values[at].1), player, players);
        let before = review.points.last().map(|point| point.values.clone());
        let total = |(i, (value, gained)): (usize, (Option<f32>, f32))| {
            let known = value.map(|value| gained + value);
            known.or_else(|| before.as_ref().and_then(|values| values[i]))
        };
        let values_now = expected.into_iter().zip(gained).enumerate().map(total).collect();
        review.points.push(ReviewPoint { ply, values: values_now });
        if let Some(text) = next {
            review.moves.push(self.judge(ply, player, text, &values));
        }
        Ok(())
    }

    fn values(
        &self,
        past: &PositionRequest,
        player: Player,
    ) -> Result<Vec<(String, Option<f32>)>, Problem> {
        let Reviewer { app, game, opened, share, .. } = self;
        app.agent_cache.with((past, *game), player, opened, *share, |live| {
            let values = live.move_values();
            let legal = live.legal().into_iter().map(|(_, text)| text).enumerate();
            let value = |at: usize| values.as_ref().and_then(|values| values.get(at).copied());
            Ok(legal.map(|(at, text)| (text, value(at))).collect())
        })
    }

    fn judge(
        &self,
        ply: usize,
        player: Player,
        text: &str,
        values: &[(String, Option<f32>)],
    ) -> ReviewedMove {
        let value = values.iter().find(|(other, _)| other == text).and_then(|(_, value)| *value);
        let best = best_of(values).map(|at| &values[at]);
        let best_value = best.and_then(|(_, value)| *value);
        let loss = best_value.zip(value).map(|(best, value)| (best - value).max(0.0));
        ReviewedMove {
            ply,
            player: number(player),
            text: text.into(),
            value,
            best: best.map(|(text, _)| text.clone()),
            best_value,
            loss,
            mark: loss.and_then(|loss| mark(loss / self.scale)),
        }
    }

    /// The reward of a win: one, or the largest reward in games for points.
    fn scale_of(&self, live: &dyn LiveGame) -> f32 {
        let rewards = live.rewards();
        let gained = rewards.first(self.game.info().players).iter().map(|gain| gain.abs());
        gained.fold(1.0, f32::max)
    }
}

fn best_of(values: &[(String, Option<f32>)]) -> Option<usize> {
    let known = values.iter().enumerate().filter_map(|(at, (_, value))| Some((at, (*value)?)));
    known.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(at, _)| at)
}

/// From which share of a win on something is given away, much, or all.
fn mark(loss: f32) -> Option<MistakeKind> {
    match loss {
        1.0.. => Some(MistakeKind::Blunder),
        0.5.. => Some(MistakeKind::Mistake),
        0.2.. => Some(MistakeKind::Slip),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_win_is_a_blunder_and_a_little_less_nothing() {
        assert_eq!(
            [2.0, 1.0, 0.6, 0.3, 0.1].map(mark),
            [
                Some(MistakeKind::Blunder),
                Some(MistakeKind::Blunder),
                Some(MistakeKind::Mistake),
                Some(MistakeKind::Slip),
                None
            ]
        );
    }

    #[test]
    fn the_first_of_equal_moves_is_the_best() {
        let values = [("a", Some(0.0)), ("b", None), ("c", Some(1.0)), ("d", Some(1.0))];
        let values = values.map(|(text, value)| (text.to_owned(), value));
        assert_eq!(best_of(&values), Some(2));
        assert_eq!(best_of(&[]), None);
    }
}
