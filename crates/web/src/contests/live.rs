//! Contests while they are played.

use super::ContestJob;
use super::routes::{ContestQuery, ContestState, ContestView, view};
use crate::app_state::AppState;
use crate::event_stream::{EventSource, StreamEvent};
use crate::problem::Problem;
use serde_json::json;
use std::sync::Arc;

/// Follows one contest.
struct ContestEvents {
    contest: Arc<ContestJob>,
    last_sent: Option<ContestView>,
    done: usize,
}

/// `GET /api/contests/{number}/events`
pub(crate) fn events(
    app: &Arc<AppState>,
    of: ContestQuery,
) -> Result<Box<dyn EventSource>, Problem> {
    let contest = app.contests.find(of.number)?;
    Ok(Box::new(ContestEvents { contest, last_sent: None, done: 0 }))
}

impl EventSource for ContestEvents {
    fn poll(&mut self) -> Option<Vec<StreamEvent>> {
        let mut events = Vec::new();
        let (done, expected, left) = self.contest.progress();
        if done != self.done {
            self.done = done;
            let data = json!({ "done": done, "expected": expected, "left": left });
            events.push(StreamEvent::new("progress", &data));
        }
        let ended = !self.contest.is_playing();
        let known = self.last_sent.as_ref().map(|sent| sent.state != ContestState::Playing);
        if known != Some(ended) {
            let summary = view(&self.contest);
            events.push(StreamEvent::new("contest", &summary));
            self.last_sent = Some(summary);
        }
        Some(events)
    }
}
