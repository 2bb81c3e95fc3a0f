//! Work that takes a thread, bounded in number.

use crate::limits::{MAX_QUEUED, RESPONSE_TIMEOUT};
use crate::problem::Problem;
use axum::http::StatusCode;
use ludens_core::Cancellation;
use ludens_registry::plugin_error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;
use tokio::task::JoinError;

/// Runs jobs on threads: a limited number in parallel, and a limited number in the queue.
#[derive(Clone)]
pub(crate) struct JobQueue {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// A queued job, counted until dropped.
struct QueueTicket<'a>(&'a AtomicUsize);

impl Drop for QueueTicket<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Cancels the job of a request that nobody waits for any more.
struct CancelOnDrop(Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Starts a thread, if the system has one to give.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Problem> {
    let started = std::thread::Builder::new().name(name.into()).spawn(work);
    let refused = |e| Problem::busy("busy", format!("the system starts no more threads: {e}"));
    started.map(drop).map_err(refused)
}

impl JobQueue {
    /// Creates a queue that runs this many jobs in parallel.
    pub(crate) fn new(permits: usize) -> JobQueue {
        JobQueue { permits: Arc::new(Semaphore::new(permits)), waiting: Arc::default() }
    }

    /// Runs a job on a thread when one is free.
    ///
    /// Abandoned requests are removed from the queue. A running job whose request is abandoned or
    /// takes too long is cancelled.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = QueueTicket(&self.waiting);
        if before >= MAX_QUEUED {
            return Err(Problem::busy("busy", "too many requests are waiting"));
        }
        let answered = tokio::time::timeout(RESPONSE_TIMEOUT, async {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            let permit = permit.expect("lanes are never closed");
            drop(waiting);
            let abandoned = CancelOnDrop(Cancellation::new());
            let token = abandoned.0.clone();
            let worked = tokio::task::spawn_blocking(move || {
                let worked = token.scope(work);
                drop(permit);
                worked
            });
            worked.await.unwrap_or_else(|bug| Err(panic_problem(bug)))
        });
        let slow = |_| Err(Problem::busy("slow", "it took too long"));
        answered.await.unwrap_or_else(slow)
    }
}

/// The error of a job that panicked: a plugin's error, or a bug.
fn panic_problem(bug: JoinError) -> Problem {
    let refuse = |code, reason| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, code, reason);
    let shown = bug.to_string();
    let unwinds = bug.try_into_panic().ok();
    match unwinds.and_then(|unwinds| plugin_error(&*unwinds)) {
        Some(reason) => refuse("rules", reason),
        None => refuse("bug", format!("a mistake in ludens itself: {shown}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
    }

    #[test]
    fn no_more_work_is_done_at_once_than_there_are_places() {
        let (lane, most, now) = (JobQueue::new(3), Arc::new(AtomicUsize::new(0)), Arc::default());
        runtime().block_on(async {
            let work = |_| {
                let (lane, most, now): (_, _, Arc<AtomicUsize>) =
                    (lane.clone(), Arc::clone(&most), Arc::clone(&now));
                tokio::spawn(async move {
                    lane.run(move || {
                        most.fetch_max(1 + now.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(5));
                        now.fetch_sub(1, Ordering::SeqCst);
                        Ok(())
                    })
                    .await
                })
            };
            for task in (0..20).map(work).collect::<Vec<_>>() {
                task.await.unwrap().unwrap();
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn who_goes_away_while_waiting_takes_no_place() {
        let lane = JobQueue::new(1);
        runtime().block_on(async {
            let (go, wait) = mpsc::channel::<()>();
            let busy = lane.clone();
            let first = tokio::spawn(async move {
                busy.run(move || {
                    let _ = wait.recv();
                    Ok(1)
                })
                .await
            });
            while lane.permits.available_permits() > 0 {
                tokio::task::yield_now().await;
            }
            let gone = tokio::time::timeout(
                std::time::Duration::from_millis(20),
                lane.run(|| -> Result<(), Problem> { panic!("nobody waits for this") }),
            );
            assert!(gone.await.is_err());
            assert_eq!(lane.waiting.load(Ordering::Relaxed), 0);
            go.send(()).unwrap();
            assert_eq!(first.await.unwrap(), Ok(1));
            assert_eq!(lane.run(|| Ok(2)).await, Ok(2));
        });
    }

    #[test]
    fn who_goes_away_cancels_the_work_under_way() {
        let lane = JobQueue::new(1);
        runtime().block_on(async {
            let endless = lane.run(|| -> Result<(), Problem> {
                while !Cancellation::requested() {
                    std::thread::yield_now();
                }
                Ok(())
            });
            let gone = tokio::time::timeout(std::time::Duration::from_millis(20), endless).await;
            assert!(gone.is_err());
            assert_eq!(lane.run(|| Ok(2)).await, Ok(2), "the place is free again");
        });
    }

    #[test]
    fn a_bug_is_told_and_the_place_is_free_again() {
        let lane = JobQueue::new(1);
        runtime().block_on(async {
            let panic_problem = lane.run(|| -> Result<(), Problem> { panic!("oh") }).await;
            assert_eq!(panic_problem.unwrap_err().code, "bug");
            assert_eq!(lane.run(|| Ok(2)).await, Ok(2));
        });
    }
}
