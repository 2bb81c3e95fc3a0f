//! Many games in parallel, with results that do not depend on the number of threads.

use ludens_core::{Cancellation, Invalid};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Observes the progress of a long computation.
pub trait ProgressObserver: Sync {
    /// So many more games are going to be played, at most.
    fn expect(&self, games: usize);

    /// One more game has been played.
    fn advance(&self);

    /// Whether the remaining work is cancelled.
    fn stopped(&self) -> bool {
        false
    }
}

/// Ignores progress reports.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoProgress;

impl ProgressObserver for NoProgress {
    fn expect(&self, _games: usize) {}

    fn advance(&self) {}
}

/// The number of threads and the progress observer.
#[derive(Copy, Clone)]
pub struct Workload<'a> {
    /// At least one.
    pub threads: usize,
    /// The observer of every game.
    pub progress: &'a dyn ProgressObserver,
}

impl Workload<'_> {
    /// Whether the remaining work is not wanted any more.
    pub fn is_stopped(&self) -> bool {
        self.progress.stopped() || Cancellation::requested()
    }

    /// Refuses to go on with partial results.
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        match self.is_stopped() {
            true => Err(Invalid("it was stopped before its end".into())),
            false => Ok(()),
        }
    }
}

impl Default for Workload<'_> {
    fn default() -> Self {
        Workload { threads: 1, progress: &NoProgress }
    }
}

/// Does `job` for each number in `range`, and returns the results in order.
///
/// When the progress is stopped or the work [cancelled](Cancellation), only those up to the first
/// that is missing are returned.
/// Every thread makes itself one worker. As long as a result depends on nothing but its number,
/// the number of threads changes nothing but the time.
pub fn in_parallel<W, T: Send>(
    workload: Workload<'_>,
    range: std::ops::Range<usize>,
    new_worker: impl Fn() -> W + Sync,
    job: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(range.start);
    let work = || {
        let _alarm = StopOnPanic { next: &next, end: range.end };
        let (mut worker, mut done) = (new_worker(), Vec::new());
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= range.end || workload.is_stopped() {
                return done;
            }
            let result = job(&mut worker, i);
            if Cancellation::requested() {
                return done;
            }
            done.push((i, result));
            workload.progress.advance();
        }
    };
    let threads = workload.threads.clamp(1, range.len().max(1));
    let token = Cancellation::current();
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| token.scope(work))).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(i, _)| *i);
    let in_turn = range.zip(done).take_while(|(wanted, (i, _))| wanted == i);
    in_turn.map(|(_, (_, result))| result).collect()
}

/// Cancels the remaining work when a thread panics.
struct StopOnPanic<'a> {
    next: &'a AtomicUsize,
    end: usize,
}

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.next.store(self.end, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wants five results and no more.
    struct AtMostFive(AtomicUsize);

    impl ProgressObserver for AtMostFive {
        fn expect(&self, _: usize) {}

        fn advance(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed) >= 5
        }
    }

    #[test]
    fn nothing_is_done_that_nobody_wants() {
        let workload = Workload { threads: 1, progress: &AtMostFive(AtomicUsize::new(0)) };
        assert_eq!(in_parallel(workload, 0..50, || (), |(), i| i), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_panic_ends_the_others_and_is_handed_on() {
        let workload = Workload { threads: 3, ..Workload::default() };
        let begun = AtomicUsize::new(0);
        let job = |(): &mut (), i: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            assert!(i != 20, "twenty");
            std::thread::sleep(std::time::Duration::from_micros(100));
        };
        let work = || in_parallel(workload, 0..1_000_000_000, || (), job);
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"twenty"));
        assert!(begun.load(Ordering::Relaxed) < 10_000);
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for threads in [1, 2, 4, 99] {
            let workload = Workload { threads, ..Workload::default() };
            let squares = in_parallel(workload, 3..50, || (), |(), i| i * i);
            assert_eq!(squares, (3..50).map(|i| i * i).collect::<Vec<_>>());
        }
        assert!(in_parallel(Workload::default(), 5..5, || (), |(), i| i).is_empty());
    }
}
