//! Runs while they learn.

use super::told::{Runs, tell};
use super::{RunTold, all, read};
use crate::feed::{Feed, News};
use crate::problem::Problem;
use crate::routes::Plain;
use crate::shared::Shared;
use crate::trainings::Learning;
use ludens_lab::RunFolder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What of which run is awaited.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfEvents {
    id: String,
    /// How many lines of the learning curve are known already.
    from: Option<u64>,
}

/// How far a run has come.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
struct Progress {
    episode: u64,
    episodes: u64,
    per_second: Option<f64>,
    left: Option<f64>,
    measuring: bool,
}

/// Follows one run.
struct OneRun {
    shared: Arc<Shared>,
    id: String,
    folder: RunFolder,
    lines: usize,
    length: u64,
    told: Option<RunTold>,
    progress: Option<Progress>,
}

/// `GET /api/runs/{id}/events`
pub(crate) fn events(shared: &Arc<Shared>, asked: OfEvents) -> Result<Box<dyn Feed>, Problem> {
    let folder = shared.folder(&asked.id)?;
    Ok(Box::new(OneRun {
        shared: Arc::clone(shared),
        id: asked.id,
        folder,
        lines: usize::try_from(asked.from.unwrap_or(0)).unwrap_or(usize::MAX),
        length: u64::MAX,
        told: None,
        progress: None,
    }))
}

impl Feed for OneRun {
    fn look(&mut self) -> Option<Vec<News>> {
        let mut news = Vec::new();
        let learning = self.shared.trainings.find(&self.id);
        self.add_progress(learning.as_deref(), &mut news);
        let length = std::fs::metadata(self.folder.metrics()).map_or(0, |about| about.len());
        let going_on = learning.is_some_and(|learning| learning.is_going_on());
        let known = self
            .told
            .as_ref()
            .is_some_and(|told| (told.state == super::told::RunState::Learning) == going_on);
        if known && std::mem::replace(&mut self.length, length) == length {
            return Some(news);
        }
        self.length = length;
        self.add_lines(&mut news);
        let told = tell(&self.shared, self.id.clone(), &self.folder).ok()?;
        if self.told.as_ref().is_none_or(|before| before.state != told.state) {
            news.push(News::new("state", &told));
        }
        self.told = Some(told);
        Some(news)
    }
}

impl OneRun {
    fn add_progress(&mut self, learning: Option<&Learning>, news: &mut Vec<News>) {
        let Some(pace) = learning.filter(|l| l.is_going_on()).and_then(Learning::pace_of) else {
            return;
        };
        let rest = pace.episodes.saturating_sub(pace.episode) as f64;
        let progress = Progress {
            episode: pace.episode,
            episodes: pace.episodes,
            per_second: pace.per_second,
            left: pace.per_second.filter(|speed| *speed > 0.0).map(|speed| rest / speed),
            measuring: pace.measuring,
        };
        if self.progress.replace(progress) != Some(progress) {
            news.push(News::new("progress", &progress));
        }
    }

    fn add_lines(&mut self, news: &mut Vec<News>) {
        let (metrics, times) = (read::metrics(&self.folder), read::times(&self.folder));
        // A run that was resumed from an earlier save has fewer lines than before.
        self.lines = self.lines.min(metrics.len());
        for (number, line) in metrics.iter().enumerate().skip(self.lines) {
            let time = times.iter().rev().find(|time| time.episode == line.episode);
            let line = read::short_json(line);
            let data = serde_json::json!({ "number": number, "line": line, "time": time });
            news.push(News { id: Some(number as u64), ..News::new("line", &data) });
        }
        self.lines = metrics.len();
    }
}

/// Follows all runs.
struct AllRuns {
    shared: Arc<Shared>,
    told: Option<Runs>,
    looks: u32,
}

/// `GET /api/runs/events`
pub(crate) fn list_events(shared: &Arc<Shared>, _: Plain) -> Result<Box<dyn Feed>, Problem> {
    Ok(Box::new(AllRuns { shared: Arc::clone(shared), told: None, looks: 0 }))
}

/// One look in so many is a real one.
const PAUSE: u32 = 4;

impl Feed for AllRuns {
    fn look(&mut self) -> Option<Vec<News>> {
        let due = self.looks.is_multiple_of(PAUSE);
        self.looks = self.looks.wrapping_add(1);
        if !due {
            return Some(Vec::new());
        }
        let told = all(&self.shared);
        if self.told.as_ref() == Some(&told) {
            return Some(Vec::new());
        }
        let news = News::new("runs", &told);
        self.told = Some(told);
        Some(vec![news])
    }
}
