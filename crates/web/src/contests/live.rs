//! Contests while they are played.

use super::ContestJob;
use super::routes::{ContestQuery, ContestState, ContestView, tell};
use crate::app_state::AppState;
use crate::event_stream::{EventSource, StreamEvent};
use crate::problem::Problem;
use serde_json::json;
use std::sync::Arc;

/// Follows one contest.
struct ContestEvents {
    contest: Arc<ContestJob>,
    told: Option<ContestView>,
    done: usize,
}

/// `GET /api/contests/{number}/events`
pub(crate) fn events(
    shared: &Arc<AppState>,
    of: ContestQuery,
) -> Result<Box<dyn EventSource>, Problem> {
    let contest = shared.contests.find(of.number)?;
    Ok(Box::new(ContestEvents { contest, told: None, done: 0 }))
}

impl EventSource for ContestEvents {
    fn look(&mut self) -> Option<Vec<StreamEvent>> {
        let mut news = Vec::new();
        let (done, expected, left) = self.contest.progress();
        if done != self.done {
            self.done = done;
            let data = json!({ "done": done, "expected": expected, "left": left });
            news.push(StreamEvent::new("progress", &data));
        }
        let ended = !self.contest.is_playing();
        let known = self.told.as_ref().map(|told| told.state != ContestState::Playing);
        if known != Some(ended) {
            let told = tell(&self.contest);
            news.push(StreamEvent::new("contest", &told));
            self.told = Some(told);
        }
        Some(news)
    }
}
