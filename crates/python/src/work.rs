//! Long computations without the interpreter lock, interruptible by Ctrl-C.

use crate::errors::{Failed, Invalid};
use crate::shutdown;
use ludens_core::Cancellation;
use ludens_registry::arena::ProgressObserver;
use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// The interval between checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The location of the last panic. Joined threads do not forward it.
static PANIC_LOCATION: Mutex<String> = Mutex::new(String::new());

/// The exception that was thrown last, for the same reason.
static THROWN: Mutex<Option<PyErr>> = Mutex::new(None);

/// Carries an exception through code that knows nothing of Python.
pub(crate) struct ThrownException(pub(crate) PyErr);

/// Unwinds with an exception; [`detached`] raises it.
pub(crate) fn throw(error: PyErr) -> ! {
    let copy = Python::attach(|py| error.clone_ref(py));
    *THROWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(copy);
    resume_unwind(Box::new(ThrownException(error)))
}

/// From now on panics are not printed, since they are raised.
pub(crate) fn raise_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
        *PANIC_LOCATION.lock().unwrap_or_else(PoisonError::into_inner) = place.unwrap_or_default();
    }));
}

/// Locks a mutex without blocking: waiting while holding the interpreter lock could deadlock.
pub(crate) fn enter<'a, T>(mutex: &'a Mutex<T>, what: &str) -> PyResult<MutexGuard<'a, T>> {
    match mutex.try_lock() {
        Ok(guard) => Ok(guard),
        // An exception of Python's own rules or agents has unwound through here before.
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => {
            Err(Invalid::new_err(format!("this {what} is in use in another thread")))
        }
    }
}

/// Does something without the interpreter lock; a panic becomes an exception.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let _away = shutdown::DetachedThread::new();
    py.detach(|| catch_unwind(AssertUnwindSafe(work)).map_err(|cause| Cause(Mutex::new(cause))))
        .map_err(Cause::into_error)
}

/// Does something with the interpreter lock; a panic becomes an exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| Cause(Mutex::new(cause)).into_error())
}

/// Runs a computation on its own thread; Ctrl-C cancels it and returns at once.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = mpsc::channel();
    let token = Cancellation::new();
    let scope = token.clone();
    let done = move || {
        // The receiver is gone if the computation was abandoned.
        let _ = send.send(scope.scope(|| catch_unwind(AssertUnwindSafe(work))));
    };
    let begun = std::thread::Builder::new().spawn(done);
    begun.map_err(|e| Failed::new_err(format!("there is no room for a thread: {e}")))?;
    py.detach(move || wait_for(&receive, &token)).map_err(Interruption::into_error)
}

/// Runs a computation that borrows, on its own thread; Ctrl-C cancels it and waits for its end.
pub(crate) fn supervised<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let _away = shutdown::DetachedThread::new();
    let token = Cancellation::new();
    py.detach(|| {
        std::thread::scope(|threads| {
            let (send, receive) = mpsc::channel();
            let scope = token.clone();
            threads.spawn(move || {
                let _ = send.send(scope.scope(|| catch_unwind(AssertUnwindSafe(work))));
            });
            wait_for(&receive, &token)
        })
    })
    .map_err(Interruption::into_error)
}

/// Why there is no result.
enum Interruption {
    Panic(Cause),
    Signal(PyErr),
}

impl Interruption {
    fn into_error(self) -> PyErr {
        match self {
            Interruption::Panic(cause) => cause.into_error(),
            Interruption::Signal(error) => error,
        }
    }
}

/// Waits for a computation and checks for signals; an exception of their handlers cancels it.
fn wait_for<T>(
    receive: &mpsc::Receiver<std::thread::Result<T>>,
    token: &Cancellation,
) -> Result<T, Interruption> {
    loop {
        match receive.recv_timeout(SIGNAL_INTERVAL) {
            Ok(done) => return done.map_err(|cause| Interruption::Panic(Cause(Mutex::new(cause)))),
            Err(RecvTimeoutError::Timeout) => {
                if shutdown::is_closing() {
                    token.cancel();
                    continue;
                }
                let checked = Python::attach(check_signals);
                checked.map_err(|error| {
                    token.cancel();
                    Interruption::Signal(error)
                })?;
            }
            Err(RecvTimeoutError::Disconnected) => unreachable!("the thread always answers"),
        }
    }
}

/// Lets Python handle signals; the exception of a handler is the error.
fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

struct Cause(Mutex<Box<dyn Any + Send>>);

impl Cause {
    fn into_error(self) -> PyErr {
        let cause = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let text = |cause: &Box<dyn Any + Send>| {
            let owned = cause.downcast_ref::<String>().cloned();
            owned.or_else(|| cause.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        };
        if shutdown::is_closing() {
            // Ends a thread without a word.
            return PySystemExit::new_err(());
        }
        let last = THROWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (cause.downcast::<ThrownException>(), last) {
            (Ok(thrown), _) => thrown.0,
            (Err(_), Some(thrown)) => thrown,
            (Err(cause), None) => {
                let what = text(&cause).unwrap_or_else(|| "no reason given".into());
                let place = PANIC_LOCATION.lock().unwrap_or_else(PoisonError::into_inner);
                Failed::new_err(format!("a mistake in ludens itself: {what}{place}"))
            }
        }
    }
}

/// The message of the Python exception in this panic payload, if there is one.
pub(crate) fn plugin_error(unwinds: &(dyn Any + Send)) -> Option<String> {
    let last = THROWN.lock().unwrap_or_else(PoisonError::into_inner).take();
    let thrown = unwinds.downcast_ref::<ThrownException>().map(|thrown| thrown.0.to_string());
    thrown.or_else(|| last.map(|error| error.to_string()))
}

/// Notices Ctrl-C, and whatever else Python's signal handlers raise, during long work.
pub(crate) struct InterruptCheck {
    times: Mutex<CheckTimes>,
    /// The number of calls until the next read of the clock.
    left: AtomicUsize,
    error: Mutex<Option<PyErr>>,
    over: AtomicBool,
}

/// The times of the last check for signals and of the last read of the clock.
struct CheckTimes {
    signals_checked: Instant,
    clock_read: Instant,
    /// The number of calls between two reads of the clock, which costs more than a short game.
    stride: usize,
}

/// The approximate interval between reads of the clock.
const CLOCK_INTERVAL: Duration = Duration::from_millis(2);
const LONGEST_STRIDE: usize = 4096;

impl InterruptCheck {
    pub(crate) fn new() -> InterruptCheck {
        let now = Instant::now();
        InterruptCheck {
            times: Mutex::new(CheckTimes { signals_checked: now, clock_read: now, stride: 1 }),
            left: AtomicUsize::new(0),
            error: Mutex::new(None),
            over: AtomicBool::new(false),
        }
    }

    /// Whether the computation has to stop.
    pub(crate) fn is_over(&self) -> bool {
        if self.over.load(Ordering::Relaxed) || shutdown::is_closing() {
            return true;
        }
        let left = self.left.load(Ordering::Relaxed);
        if left > 0 {
            self.left.store(left - 1, Ordering::Relaxed);
            return false;
        }
        if self.is_due() {
            self.listen(check_signals);
        }
        self.over.load(Ordering::Relaxed)
    }

    fn is_due(&self) -> bool {
        let Ok(mut times) = self.times.try_lock() else { return false };
        let now = Instant::now();
        let soon = now.duration_since(times.clock_read) < CLOCK_INTERVAL;
        times.stride = if soon { (2 * times.stride).min(LONGEST_STRIDE) } else { 1 };
        times.clock_read = now;
        self.left.store(times.stride - 1, Ordering::Relaxed);
        let due = now.duration_since(times.signals_checked) >= SIGNAL_INTERVAL;
        if due {
            times.signals_checked = now;
        }
        due
    }

    /// Tells Python something; an exception ends the work.
    pub(crate) fn listen(&self, tell: impl FnOnce(Python<'_>) -> PyResult<()>) {
        if let Some(Err(error)) = Python::try_attach(tell) {
            let mut slot = self.error.lock().unwrap_or_else(PoisonError::into_inner);
            slot.get_or_insert(error);
            self.over.store(true, Ordering::Relaxed);
        }
    }

    /// The exception that ended the work, if one did.
    pub(crate) fn result(&self) -> PyResult<()> {
        let mut slot = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        slot.take().map_or(Ok(()), Err)
    }
}

/// Tells a function of Python how many games were played, and ends the work on Ctrl-C.
pub(crate) struct GameCounter<'a> {
    pub(crate) interrupts: &'a InterruptCheck,
    pub(crate) tell: Option<&'a Py<PyAny>>,
    expected: AtomicUsize,
    played: AtomicUsize,
    last_call: Mutex<Instant>,
}

/// The interval between progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl<'a> GameCounter<'a> {
    pub(crate) fn new(
        interrupts: &'a InterruptCheck,
        tell: Option<&'a Py<PyAny>>,
    ) -> GameCounter<'a> {
        let (expected, played) = (AtomicUsize::new(0), AtomicUsize::new(0));
        GameCounter { interrupts, tell, expected, played, last_call: Mutex::new(Instant::now()) }
    }
}

impl ProgressObserver for GameCounter<'_> {
    fn expect(&self, games: usize) {
        self.expected.fetch_add(games, Ordering::Relaxed);
    }

    fn advance(&self) {
        let played = self.played.fetch_add(1, Ordering::Relaxed) + 1;
        let expected = self.expected.load(Ordering::Relaxed);
        if let (Some(tell), Ok(mut last_call)) = (self.tell, self.last_call.try_lock())
            && (last_call.elapsed() >= REPORT_INTERVAL || played == expected)
        {
            *last_call = Instant::now();
            self.interrupts.listen(|py| tell.call1(py, (played, expected)).map(drop));
        }
    }

    fn stopped(&self) -> bool {
        self.interrupts.is_over()
    }
}
