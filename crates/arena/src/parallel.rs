//! Many games in parallel, with results that do not depend on the number of threads.

use ludens_core::{Cancellation, Invalid};
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
    range: Range<usize>,
    new_worker: impl Fn() -> W + Sync,
    job: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let mut results = Vec::new();
    in_order(workload, range, new_worker, job, |result| {
        results.push(result);
        ControlFlow::Continue(())
    });
    results
}

/// The same for any number of results: `consume` gets each in its turn, and none is kept.
///
/// It may break off; later results are thrown away then. Results that wait for an earlier one are
/// at most [`WINDOW`].
pub(crate) fn in_order<W, T: Send>(
    workload: Workload<'_>,
    range: Range<usize>,
    new_worker: impl Fn() -> W + Sync,
    job: impl Fn(&mut W, usize) -> T + Sync,
    consume: impl FnMut(T) -> ControlFlow<()> + Send,
) {
    let threads = workload.threads.clamp(1, range.len().max(1));
    let (next, end) = (AtomicUsize::new(range.start), range.end);
    let queue = Queue::new(range.start, consume);
    let work = || {
        let _alarm = StopOnPanic { next: &next, end, queue: &queue };
        let mut worker = new_worker();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i < end && workload.is_stopped() {
                // Nobody will do this one, so that nobody need wait for it.
                return queue.close();
            }
            if i >= end || !queue.wait_for_room(i) {
                return;
            }
            let result = job(&mut worker, i);
            if Cancellation::requested() {
                return queue.close();
            }
            workload.progress.advance();
            if queue.put(i, result).is_break() {
                next.store(end, Ordering::Relaxed);
            }
        }
    };
    let token = Cancellation::current();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| token.scope(work))).collect();
        work();
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

/// Most results that wait for an earlier one, so that memory stays flat however many there are.
const WINDOW: usize = 1 << 12;

/// Results that wait for their turn.
struct Queue<T, C> {
    line: Mutex<Line<T, C>>,
    moved: Condvar,
}

struct Line<T, C> {
    /// The number of the first result in the line.
    first: usize,
    waiting: VecDeque<Option<T>>,
    consume: C,
    /// Whether no more results are wanted, or one will never come.
    closed: bool,
}

impl<T, C: FnMut(T) -> ControlFlow<()>> Queue<T, C> {
    fn new(first: usize, consume: C) -> Queue<T, C> {
        let line = Line { first, waiting: VecDeque::new(), consume, closed: false };
        Queue { line: Mutex::new(line), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Line<T, C>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the line is short enough for this number; false if it never will be.
    fn wait_for_room(&self, i: usize) -> bool {
        let full = |line: &mut Line<T, C>| !line.closed && i >= line.first + WINDOW;
        let line = self.moved.wait_while(self.lock(), full);
        !line.unwrap_or_else(PoisonError::into_inner).closed
    }

    /// Puts a result in its place, and hands on all whose turn it is.
    fn put(&self, i: usize, result: T) -> ControlFlow<()> {
        let mut line = self.lock();
        let place = i - line.first;
        let length = line.waiting.len().max(place + 1);
        line.waiting.resize_with(length, || None);
        line.waiting[place] = Some(result);
        while let Some(Some(_)) = line.waiting.front() {
            let ready = line.waiting.pop_front().flatten().expect("it was just seen");
            line.first += 1;
            if line.closed || (line.consume)(ready).is_break() {
                line.closed = true;
                break;
            }
        }
        self.moved.notify_all();
        if line.closed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }
}

/// Cancels the remaining work when a thread panics.
struct StopOnPanic<'a, T, C: FnMut(T) -> ControlFlow<()>> {
    next: &'a AtomicUsize,
    end: usize,
    queue: &'a Queue<T, C>,
}

impl<T, C: FnMut(T) -> ControlFlow<()>> Drop for StopOnPanic<'_, T, C> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.next.store(self.end, Ordering::Relaxed);
            self.queue.close();
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

    #[test]
    fn a_slow_result_holds_the_others_up_so_that_few_wait() {
        let workload = Workload { threads: 4, ..Workload::default() };
        let (ahead, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let job = |(): &mut (), i: usize| {
            if i == 0 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            ahead.fetch_max(i, Ordering::Relaxed);
            if i == 0 {
                assert!(ahead.load(Ordering::Relaxed) <= WINDOW, "nobody runs further ahead");
            }
            i
        };
        in_order(
            workload,
            0..10 * WINDOW,
            || (),
            job,
            |i| {
                assert_eq!(seen.fetch_add(1, Ordering::Relaxed), i);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(seen.into_inner(), 10 * WINDOW);
    }

    #[test]
    fn whoever_has_enough_breaks_off_at_the_same_result_for_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let workload = Workload { threads, ..Workload::default() };
            let mut seen = Vec::new();
            in_order(
                workload,
                0..1_000_000_000,
                || (),
                |(), i| i,
                |i| {
                    seen.push(i);
                    if i == 30 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(seen, (0..=30).collect::<Vec<_>>());
        }
    }
}
