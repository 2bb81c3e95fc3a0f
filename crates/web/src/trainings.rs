//! Runs that learn in this process.

use crate::job_queue::spawn;
use crate::limits::{LIMITS, STOP_GRACE, STOP_GRACE_MEASURING};
use crate::problem::Problem;
use ludens_core::Cancellation;
use ludens_lab::{Metrics, Observer, Run, RunError, RunOptions, TrainingProgress};
use ludens_registry::plugin_error;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The runs that learn in this process, and those that did.
#[derive(Default)]
pub(crate) struct TrainingJobs {
    all: Mutex<HashMap<String, Arc<TrainingJob>>>,
}

/// A run that learns, or has learned, in this process.
#[derive(Default)]
pub(crate) struct TrainingJob {
    stop: AtomicBool,
    /// Reaches whatever the agents of the run do.
    token: Cancellation,
    ended: AtomicBool,
    now: Mutex<JobStatus>,
}

/// The current status of a job.
#[derive(Default)]
struct JobStatus {
    pace: Option<TrainingSpeed>,
    /// A recent time, with the number of episodes by then.
    mark: Option<(Instant, u64)>,
    failure: Option<String>,
}

/// The progress and the speed of a job.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct TrainingSpeed {
    pub(crate) episode: u64,
    pub(crate) episodes: u64,
    pub(crate) measuring: bool,
    pub(crate) per_second: Option<f64>,
}

/// Over how long speed is measured.
const SPAN: Duration = Duration::from_secs(2);

impl TrainingJobs {
    /// The run of this id, if it learns or learned here.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<TrainingJob>> {
        self.lock().get(id).cloned()
    }

    /// A place for one more run, if there is one.
    pub(crate) fn admit(&self, id: &str) -> Result<Arc<TrainingJob>, Problem> {
        let mut all = self.lock();
        if all.get(id).is_some_and(|learning| learning.is_running()) {
            return Err(Problem::conflict(format!("{id} is learning already")));
        }
        let busy = all.values().filter(|learning| learning.is_running()).count();
        if busy >= LIMITS.trainings {
            let reason = format!("{busy} runs are learning already, as many as are allowed");
            return Err(Problem::too_many(reason));
        }
        let learning = Arc::new(TrainingJob::default());
        all.insert(id.into(), Arc::clone(&learning));
        Ok(learning)
    }

    /// Refuses if there is no place for one more.
    pub(crate) fn check_capacity(&self) -> Result<(), Problem> {
        let busy = self.lock().values().filter(|learning| learning.is_running()).count();
        match busy >= LIMITS.trainings {
            true => Err(Problem::too_many(format!("{busy} runs are learning already"))),
            false => Ok(()),
        }
    }

    /// Lets all runs save and stop, and waits for them a while.
    pub(crate) fn stop_all(&self) {
        let all: Vec<Arc<TrainingJob>> = self.lock().values().cloned().collect();
        all.iter().for_each(|learning| learning.stop());
        let begun = Instant::now();
        while all.iter().any(|learning| learning.is_running()) && begun.elapsed() < 5 * SPAN {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<TrainingJob>>> {
        self.all.lock().expect("nobody panics while looking")
    }
}

impl TrainingJob {
    /// Learns on a thread of its own.
    ///
    /// # Errors
    ///
    /// If the system starts no more threads.
    pub(crate) fn begin(self: Arc<TrainingJob>, mut run: Run) -> Result<(), Problem> {
        let job = Arc::clone(&self);
        let started = spawn("training", move || {
            let stop = Arc::clone(&self);
            let went = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut observer = JobObserver(Arc::clone(&self));
                let stopping = || stop.is_stopping();
                self.token.scope(|| run.go(RunOptions::default(), &stopping, &mut observer))
            }));
            let failure = match went {
                Ok(Ok(_)) => None,
                Ok(Err(_)) if self.token.is_cancelled() => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(unwinds) => {
                    let plugin_error = plugin_error(&*unwinds);
                    Some(plugin_error.unwrap_or_else(|| "a mistake in ludens itself".into()))
                }
            };
            drop(run);
            self.end(failure);
        });
        started.inspect_err(|problem| job.end(Some(problem.reason.clone())))
    }

    /// Asks it to save and stop after the game or the measurement under way.
    ///
    /// What takes too long is cancelled, and the run goes on from its last checkpoint later.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let measuring = self.latest_speed().is_some_and(|speed| speed.measuring);
        self.token.cancel_after(if measuring { STOP_GRACE_MEASURING } else { STOP_GRACE });
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn is_running(&self) -> bool {
        !self.ended.load(Ordering::Acquire)
    }

    /// The error that stopped the job.
    pub(crate) fn failure(&self) -> Option<String> {
        self.lock().failure.clone()
    }

    /// The progress and the speed, while the job is running.
    pub(crate) fn pace(self: &Arc<TrainingJob>) -> Option<TrainingSpeed> {
        self.latest_speed().filter(|_| self.is_running())
    }

    pub(crate) fn latest_speed(&self) -> Option<TrainingSpeed> {
        self.lock().pace
    }

    /// Remembers how far it has come.
    pub(crate) fn progress(&self, progress: &TrainingProgress) {
        let mut now = self.lock();
        let &TrainingProgress { episode, episodes, measuring, .. } = progress;
        let (since, before) = *now.mark.get_or_insert((Instant::now(), episode));
        let elapsed = since.elapsed();
        let mut per_second = now.pace.and_then(|pace| pace.per_second);
        if !measuring && elapsed >= SPAN / 8 && episode > before {
            per_second = Some((episode - before) as f64 / elapsed.as_secs_f64());
        }
        if elapsed >= SPAN || measuring {
            now.mark = Some((Instant::now(), episode));
        }
        now.pace = Some(TrainingSpeed { episode, episodes, measuring, per_second });
    }

    /// It is at an end, by itself or because of a failure.
    pub(crate) fn end(&self, failure: Option<String>) {
        self.lock().failure = failure;
        self.ended.store(true, Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, JobStatus> {
        self.now.lock().expect("nobody panics while looking")
    }
}

/// Tells a [`TrainingJob`] how its run goes.
struct JobObserver(Arc<TrainingJob>);

impl Observer for JobObserver {
    fn progress(&mut self, progress: &TrainingProgress) {
        self.0.progress(progress);
    }

    fn line(&mut self, _: &Metrics) {}

    fn warn(&mut self, _: &str) {}
}

/// A place for a run that was refused is free again.
pub(crate) fn end_on_error<T>(
    learning: &TrainingJob,
    result: Result<T, RunError>,
) -> Result<T, Problem> {
    result.map_err(|error| {
        let problem = Problem::from(error);
        learning.end(None);
        problem
    })
}
