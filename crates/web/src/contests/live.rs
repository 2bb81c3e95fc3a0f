//! Contests while they are played.

use super::Contest;
use super::asked::{ContestTold, OfContest, State, tell};
use crate::feed::{Feed, News};
use crate::problem::Problem;
use crate::shared::Shared;
use serde_json::json;
use std::sync::Arc;

/// Follows one contest.
struct OneContest {
    contest: Arc<Contest>,
    told: Option<ContestTold>,
    done: usize,
}

/// `GET /api/contests/{number}/events`
pub(crate) fn events(shared: &Arc<Shared>, of: OfContest) -> Result<Box<dyn Feed>, Problem> {
    let contest = shared.contests.find(of.number)?;
    Ok(Box::new(OneContest { contest, told: None, done: 0 }))
}

impl Feed for OneContest {
    fn look(&mut self) -> Option<Vec<News>> {
        let mut news = Vec::new();
        let (done, expected, left) = self.contest.progress();
        if done != self.done {
            self.done = done;
            let data = json!({ "done": done, "expected": expected, "left": left });
            news.push(News::new("progress", &data));
        }
        let ended = !self.contest.is_playing();
        let known = self.told.as_ref().map(|told| told.state != State::Playing);
        if known != Some(ended) {
            let told = tell(&self.contest);
            news.push(News::new("contest", &told));
            self.told = Some(told);
        }
        Some(news)
    }
}
