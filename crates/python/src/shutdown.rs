//! Interpreter shutdown while other threads are still running.
//!
//! A thread that returns to Python after the shutdown crashes the process. Before the shutdown, all
//! threads are therefore asked to stop, and joined.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static CLOSING: AtomicBool = AtomicBool::new(false);

/// Threads that work without the interpreter lock and will want it back.
static AWAY: AtomicUsize = AtomicUsize::new(0);

/// As long as the program waits for them.
const LONGEST: Duration = Duration::from_secs(10);

/// Whether the interpreter is shutting down.
pub(crate) fn is_closing() -> bool {
    CLOSING.load(Ordering::Relaxed)
}

/// A thread that works without the interpreter lock, until dropped.
pub(crate) struct DetachedThread;

impl DetachedThread {
    pub(crate) fn new() -> DetachedThread {
        AWAY.fetch_add(1, Ordering::SeqCst);
        DetachedThread
    }
}

impl Drop for DetachedThread {
    fn drop(&mut self) {
        AWAY.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Lets all work come to its end; called when the program ends.
#[pyfunction]
pub(crate) fn close(py: Python<'_>) {
    CLOSING.store(true, Ordering::Relaxed);
    let begun = Instant::now();
    py.detach(|| {
        while AWAY.load(Ordering::SeqCst) > 0 && begun.elapsed() < LONGEST {
            std::thread::sleep(Duration::from_millis(5));
        }
    });
}
