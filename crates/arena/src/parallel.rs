//! Many games at once, with results that do not depend on how many.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Told how far a long piece of work has come.
pub trait Progress: Sync {
    /// So many more games are going to be played, at most.
    fn expect(&self, games: usize);

    /// One more game has been played.
    fn advance(&self);
}

/// Tells nobody.
#[derive(Copy, Clone, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn expect(&self, _games: usize) {}

    fn advance(&self) {}
}

/// How many threads work, and who is told how far they have come.
#[derive(Copy, Clone)]
pub struct Workload<'a> {
    /// At least one.
    pub threads: usize,
    /// Told of every game.
    pub progress: &'a dyn Progress,
}

impl Default for Workload<'_> {
    fn default() -> Self {
        Workload { threads: 1, progress: &Silent }
    }
}

/// Does `job` for each number in `range`, and returns the results in order.
///
/// Every thread makes itself one worker. As long as a result depends on nothing but its number,
/// the number of threads changes nothing but the time.
pub fn in_parallel<W, T: Send>(
    workload: Workload<'_>,
    range: std::ops::Range<usize>,
    new_worker: impl Fn() -> W + Sync,
    job: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(range.start);
    let slots: Vec<Mutex<Option<T>>> = range.clone().map(|_| Mutex::new(None)).collect();
    let work = || {
        let mut worker = new_worker();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= range.end {
                return;
            }
            let result = job(&mut worker, i);
            *slots[i - range.start].lock().expect("a slot is locked once") = Some(result);
            workload.progress.advance();
        }
    };
    let threads = workload.threads.clamp(1, range.len().max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let taken = |slot: Mutex<Option<T>>| slot.into_inner().expect("nobody died holding it");
    slots.into_iter().map(|slot| taken(slot).expect("every number was worked on")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
