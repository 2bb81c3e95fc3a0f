//! Cancellation of long computations, such as searches, from another thread.

use crate::Forfeit;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A token by which one thread cancels the work of others.
///
/// The token belongs to threads, not to agents: [`Cancellation::scope`] puts it in force for
/// everything that a closure does on its thread, and whoever starts threads for a computation hands
/// the [current](Cancellation::current) token on to them. So no agent that wraps another can lose
/// it. Every loop without a small bound asks [`Cancellation::requested`] every so many steps.
///
/// What a cancelled computation returns is meaningless, and it leaves nothing wrong in tables and
/// caches. A cancelled agent forfeits.
///
/// ```
/// use ludens_core::Cancellation;
/// let token = Cancellation::new();
/// token.cancel();
/// assert!(token.scope(Cancellation::requested) && !Cancellation::requested());
/// ```
#[derive(Clone, Debug)]
pub struct Cancellation {
    /// When it takes effect, in milliseconds of [`elapsed`].
    due: Arc<AtomicU64>,
}

/// The time at which nothing ever happens.
const NEVER: u64 = u64::MAX;

thread_local! {
    static CURRENT: RefCell<Option<Cancellation>> = const { RefCell::new(None) };
}

impl Default for Cancellation {
    fn default() -> Cancellation {
        Cancellation { due: Arc::new(AtomicU64::new(NEVER)) }
    }
}

impl Cancellation {
    /// A token that is not cancelled.
    pub fn new() -> Cancellation {
        Cancellation::default()
    }

    /// Cancels the work, now and for good.
    pub fn cancel(&self) {
        self.due.store(0, Ordering::Relaxed);
    }

    /// Cancels the work if it is still going on after this time.
    pub fn cancel_after(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap_or(NEVER);
        self.due.fetch_min(elapsed().saturating_add(time), Ordering::Relaxed);
    }

    /// Whether the work is cancelled by now.
    pub fn is_cancelled(&self) -> bool {
        match self.due.load(Ordering::Relaxed) {
            NEVER => false,
            due => elapsed() >= due,
        }
    }

    /// Does `work` under this token.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> T {
        let _outer = Restore(CURRENT.replace(Some(self.clone())));
        work()
    }

    /// The token of this thread; one that nobody cancels if there is none.
    pub fn current() -> Cancellation {
        CURRENT.with_borrow(Option::clone).unwrap_or_default()
    }

    /// Whether the work of this thread is cancelled.
    ///
    /// Takes about a nanosecond, so that asking once in a few hundred steps costs nothing.
    pub fn requested() -> bool {
        CURRENT.with_borrow(|token| token.as_ref().is_some_and(Cancellation::is_cancelled))
    }

    /// Forfeits if the work of this thread is cancelled.
    ///
    /// # Errors
    ///
    /// If it is.
    pub fn check() -> Result<(), Forfeit> {
        if Cancellation::requested() { Err(Forfeit("it was cancelled".into())) } else { Ok(()) }
    }
}

/// Puts the outer token in force again, also when the work panics.
struct Restore(Option<Cancellation>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Milliseconds since the first question for the time; at least one.
fn elapsed() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let passed = START.get_or_init(Instant::now).elapsed().as_millis();
    u64::try_from(passed).unwrap_or(NEVER - 1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_scope_of_a_cancelled_token_is_cancelled() {
        let (cancelled, other) = (Cancellation::new(), Cancellation::new());
        cancelled.cancel();
        cancelled.scope(|| {
            assert!(Cancellation::requested() && Cancellation::check().is_err());
            assert!(!other.scope(Cancellation::requested));
            assert!(Cancellation::requested(), "the outer token is in force again");
        });
        assert!(!Cancellation::requested() && Cancellation::check().is_ok());
    }

    #[test]
    fn a_panic_leaves_no_token_behind() {
        let token = Cancellation::new();
        token.cancel();
        let work = || token.scope(|| std::panic::resume_unwind(Box::new(1)));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        assert!(!Cancellation::requested());
    }

    #[test]
    fn another_thread_cancels() {
        let token = Cancellation::new();
        std::thread::scope(|threads| {
            threads.spawn(|| token.scope(|| while !Cancellation::requested() {}));
            token.cancel();
        });
        let handed_on = token.scope(Cancellation::current);
        assert!(handed_on.is_cancelled());
    }

    #[test]
    fn the_earliest_time_counts() {
        let token = Cancellation::new();
        token.cancel_after(Duration::MAX);
        token.cancel_after(Duration::from_secs(3600));
        assert!(!token.is_cancelled());
        token.cancel_after(Duration::ZERO);
        token.cancel_after(Duration::from_secs(3600));
        assert!(token.is_cancelled());
    }
}
