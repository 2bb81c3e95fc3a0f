//! Runs while they learn.

use super::view::{RunList, summarize};
use super::{RunSummary, all, read};
use crate::app_state::AppState;
use crate::event_stream::{EventSource, StreamEvent};
use crate::problem::Problem;
use crate::routes::NoInput;
use crate::trainings::TrainingJob;
use ludens_lab::RunFolder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What of which run is awaited.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfEvents", deny_unknown_fields)]
pub(crate) struct RunEventsQuery {
    id: String,
    /// How many lines of the learning curve are known already.
    from: Option<u64>,
}

/// The progress of a run.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
struct ProgressEvent {
    episode: u64,
    episodes: u64,
    per_second: Option<f64>,
    left: Option<f64>,
    measuring: bool,
}

/// Follows one run.
struct RunEvents {
    app: Arc<AppState>,
    id: String,
    folder: RunFolder,
    lines: usize,
    length: u64,
    last_sent: Option<RunSummary>,
    progress: Option<ProgressEvent>,
}

/// `GET /api/runs/{id}/events`
pub(crate) fn events(
    app: &Arc<AppState>,
    request: RunEventsQuery,
) -> Result<Box<dyn EventSource>, Problem> {
    let folder = app.folder(&request.id)?;
    Ok(Box::new(RunEvents {
        app: Arc::clone(app),
        id: request.id,
        folder,
        lines: usize::try_from(request.from.unwrap_or(0)).unwrap_or(usize::MAX),
        length: u64::MAX,
        last_sent: None,
        progress: None,
    }))
}

impl EventSource for RunEvents {
    fn poll(&mut self) -> Option<Vec<StreamEvent>> {
        let mut events = Vec::new();
        let learning = self.app.trainings.find(&self.id);
        self.add_progress(learning.as_deref(), &mut events);
        let length = std::fs::metadata(self.folder.metrics()).map_or(0, |about| about.len());
        let going_on = learning.is_some_and(|learning| learning.is_running());
        let known = self
            .last_sent
            .as_ref()
            .is_some_and(|sent| (sent.state == super::view::RunState::Learning) == going_on);
        if known && std::mem::replace(&mut self.length, length) == length {
            return Some(events);
        }
        self.length = length;
        self.add_lines(&mut events);
        let summary = summarize(&self.app, self.id.clone(), &self.folder).ok()?;
        if self.last_sent.as_ref().is_none_or(|before| before.state != summary.state) {
            events.push(StreamEvent::new("state", &summary));
        }
        self.last_sent = Some(summary);
        Some(events)
    }
}

impl RunEvents {
    fn add_progress(&mut self, learning: Option<&TrainingJob>, events: &mut Vec<StreamEvent>) {
        let Some(pace) = learning.filter(|l| l.is_running()).and_then(TrainingJob::latest_speed)
        else {
            return;
        };
        let rest = pace.episodes.saturating_sub(pace.episode) as f64;
        let progress = ProgressEvent {
            episode: pace.episode,
            episodes: pace.episodes,
            per_second: pace.per_second,
            left: pace.per_second.filter(|speed| *speed > 0.0).map(|speed| rest / speed),
            measuring: pace.measuring,
        };
        if self.progress.replace(progress) != Some(progress) {
            events.push(StreamEvent::new("progress", &progress));
        }
    }

    fn add_lines(&mut self, events: &mut Vec<StreamEvent>) {
        let (metrics, times) = (read::metrics(&self.folder), read::times(&self.folder));
        // A run that was resumed from an earlier save has fewer lines than before.
        self.lines = self.lines.min(metrics.len());
        for (number, line) in metrics.iter().enumerate().skip(self.lines) {
            let time = times.iter().rev().find(|time| time.episode == line.episode);
            let line = read::short_json(line);
            let data = serde_json::json!({ "number": number, "line": line, "time": time });
            events.push(StreamEvent { id: Some(number as u64), ..StreamEvent::new("line", &data) });
        }
        self.lines = metrics.len();
    }
}

/// Follows all runs.
struct RunListEvents {
    app: Arc<AppState>,
    last_sent: Option<RunList>,
    polls: u32,
}

/// `GET /api/runs/events`
pub(crate) fn list_events(
    app: &Arc<AppState>,
    _: NoInput,
) -> Result<Box<dyn EventSource>, Problem> {
    Ok(Box::new(RunListEvents { app: Arc::clone(app), last_sent: None, polls: 0 }))
}

/// Only one of this many polls reads the runs.
const PAUSE: u32 = 4;

impl EventSource for RunListEvents {
    fn poll(&mut self) -> Option<Vec<StreamEvent>> {
        let due = self.polls.is_multiple_of(PAUSE);
        self.polls = self.polls.wrapping_add(1);
        if !due {
            return Some(Vec::new());
        }
        let summary = all(&self.app);
        if self.last_sent.as_ref() == Some(&summary) {
            return Some(Vec::new());
        }
        let event = StreamEvent::new("runs", &summary);
        self.last_sent = Some(summary);
        Some(vec![event])
    }
}
