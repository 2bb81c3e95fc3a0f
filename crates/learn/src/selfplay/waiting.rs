//! Threads that wait for each other: a short spin, then sleep until another thread wakes them.

#[cfg(all(test, loom))]
use loom::{sync::Mutex, sync::atomic, thread};
#[cfg(not(all(test, loom)))]
use std::{sync::Mutex, sync::atomic, thread};

use atomic::{AtomicBool, Ordering, fence};
use std::thread::{available_parallelism, panicking};
use thread::Thread;

/// How often a waiting thread looks again before it sleeps: about 40 microseconds, the time of some
/// twenty moves. On a virtual machine it takes about as long to wake a thread.
const SPINS: u32 = if cfg!(loom) { 0 } else { 2_000 };

/// Who of several threads is asleep.
///
/// Where each thread can have a core, a thread is woken as soon as what it waits for is ready.
/// Otherwise a thread wakes the others only when it has nothing to do itself, or ends: they then take
/// turns after many moves instead of after each, because every switch of threads costs as much as
/// several moves.
pub(crate) struct WaitingThreads {
    sleepers: Vec<Sleeper>,
    /// Whether a thread has panicked.
    broken: AtomicBool,
    /// Whether each thread can have a core.
    has_cores: bool,
}

struct Sleeper {
    is_asleep: AtomicBool,
    thread: Mutex<Option<Thread>>,
}

impl Sleeper {
    /// Wakes the thread if it is asleep.
    #[inline]
    fn wake(&self) {
        if self.is_asleep.load(Ordering::SeqCst)
            && let Some(thread) = &*self.thread.lock().expect("nobody panics")
        {
            thread.unpark();
        }
    }
}

impl WaitingThreads {
    /// This many threads.
    pub(crate) fn new(threads: usize) -> WaitingThreads {
        let sleeper = |_| Sleeper { is_asleep: AtomicBool::new(false), thread: Mutex::new(None) };
        WaitingThreads {
            sleepers: (0..threads).map(sleeper).collect(),
            broken: AtomicBool::new(false),
            has_cores: available_cores() >= threads,
        }
    }

    /// Lets thread `nth` wait until `is_ready`, which must acquire what another thread releases.
    ///
    /// # Panics
    ///
    /// If another thread has panicked.
    #[inline]
    pub(crate) fn wait(&self, nth: usize, is_ready: impl Fn() -> bool) {
        for _ in 0..if self.has_cores { SPINS } else { 0 } {
            if is_ready() {
                return;
            }
            std::hint::spin_loop();
        }
        if !is_ready() {
            self.sleep(nth, is_ready);
        }
    }

    /// Two threads that fall asleep at the same time see each other: each first says that it sleeps
    /// and then looks who else does, so that the later one wakes the earlier one.
    #[cold]
    fn sleep(&self, nth: usize, is_ready: impl Fn() -> bool) {
        let sleeper = &self.sleepers[nth];
        *sleeper.thread.lock().expect("nobody panics") = Some(thread::current());
        sleeper.is_asleep.store(true, Ordering::SeqCst);
        self.wake_others(nth);
        while !is_ready() {
            assert!(!self.broken.load(Ordering::SeqCst), "another thread has panicked");
            thread::park();
        }
        sleeper.is_asleep.store(false, Ordering::SeqCst);
    }

    /// Tells thread `nth` that what it waits for may be ready: this thread has released it.
    #[inline]
    pub(crate) fn ready(&self, nth: usize) {
        if self.has_cores {
            fence(Ordering::SeqCst);
            self.sleepers[nth].wake();
        }
    }

    /// Wakes all threads but `nth` that are asleep.
    ///
    /// The fence lets a thread either see that another sleeps, or be seen by it in time.
    fn wake_others(&self, nth: usize) {
        fence(Ordering::SeqCst);
        let others = self.sleepers.iter().enumerate().filter(|(other, _)| *other != nth);
        others.for_each(|(_, sleeper)| sleeper.wake());
    }

    /// What thread `nth` keeps while it works: it wakes the others when it ends or panics.
    pub(crate) fn at_work(&self, nth: usize) -> AtWork<'_> {
        AtWork { waiting: self, nth }
    }
}

/// How many cores this process may use, by affinity and quota.
pub(crate) fn available_cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// A thread that works; see [`WaitingThreads::at_work`].
pub(crate) struct AtWork<'a> {
    waiting: &'a WaitingThreads,
    nth: usize,
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.waiting.broken.store(true, Ordering::SeqCst);
        }
        self.waiting.wake_others(self.nth);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    #[test]
    fn a_sleeping_thread_is_woken_by_the_end_of_another() {
        let (waiting, holder) = (WaitingThreads::new(2), AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                let _at_work = waiting.at_work(1);
                waiting.wait(1, || holder.load(Ordering::SeqCst) == 1);
            });
            let _at_work = waiting.at_work(0);
            while !waiting.sleepers[1].is_asleep.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(1));
            }
            holder.store(1, Ordering::SeqCst);
        });
        assert!(!waiting.sleepers[1].is_asleep.load(Ordering::SeqCst));
    }

    #[test]
    fn a_panic_ends_the_threads_that_wait() {
        let waiting = WaitingThreads::new(2);
        let ended = thread::scope(|scope| {
            let waits = scope.spawn(|| {
                let _at_work = waiting.at_work(1);
                waiting.wait(1, || false);
            });
            let panics = scope.spawn(|| {
                let _at_work = waiting.at_work(0);
                panic!("on purpose");
            });
            (waits.join().is_err(), panics.join().is_err())
        });
        assert_eq!(ended, (true, true));
    }
}

/// The code above with every interleaving: `cargo xtask sanitize loom`.
///
/// One game goes around between two threads as in pipelined self-play: whoever holds it works on it,
/// then stores the next holder; the other waits for that.
#[cfg(all(test, loom))]
#[allow(unsafe_code, reason = "the cells of loom")]
mod model {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::atomic::AtomicUsize;
    use std::sync::Arc;

    const ROUNDS: usize = 2;
    const PLAYERS: usize = 2;

    struct Slot {
        waiting: WaitingThreads,
        holder: AtomicUsize,
        moves: UnsafeCell<Vec<usize>>,
    }

    fn play(slot: &Slot, player: usize, passed_on: Ordering) {
        let next = (player + 1) % PLAYERS;
        // Loom ends the process if a destructor uses an atomic after the panic that is expected.
        let is_sound = passed_on == Ordering::Release;
        let _at_work = is_sound.then(|| slot.waiting.at_work(player));
        for _ in 0..ROUNDS {
            slot.waiting.wait(player, || slot.holder.load(Ordering::Acquire) == player);
            // SAFETY: the holder alone works on the game; loom checks that.
            slot.moves.with_mut(|moves| unsafe { (*moves).push(player) });
            slot.holder.store(next, passed_on);
            slot.waiting.ready(next);
        }
    }

    fn check(passed_on: Ordering, has_cores: bool) {
        loom::model(move || {
            let mut waiting = WaitingThreads::new(PLAYERS);
            waiting.has_cores = has_cores;
            let (holder, moves) = (AtomicUsize::new(0), UnsafeCell::new(Vec::new()));
            let slot = Arc::new(Slot { waiting, holder, moves });
            let other = Arc::clone(&slot);
            let second = thread::spawn(move || play(&other, 1, passed_on));
            play(&slot, 0, passed_on);
            second.join().unwrap();
            // SAFETY: the other thread has ended.
            slot.moves.with(|moves| assert_eq!(unsafe { &**moves }, &[0, 1, 0, 1]));
        });
    }

    #[test]
    fn a_game_goes_around_in_turn_and_nobody_sleeps_forever() {
        check(Ordering::Release, true);
        check(Ordering::Release, false);
    }

    #[test]
    #[should_panic(expected = "Causality violation")]
    fn without_the_release_the_model_finds_a_race() {
        check(Ordering::Relaxed, true);
    }
}
