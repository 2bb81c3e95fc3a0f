//! Clean shutdown on Ctrl-C and SIGTERM.

use ludens_core::Cancellation;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first Ctrl-C or SIGTERM sets; the second one ends the program immediately.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // Without a handler, Ctrl-C ends the program, and runs resume from their last checkpoint.
    let _ = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    stop
}

/// A token that the first Ctrl-C or SIGTERM cancels; the second one ends the program immediately.
pub(crate) fn cancel_on_interrupt() -> Cancellation {
    let token = Cancellation::new();
    let asked = token.clone();
    let _ = ctrlc::set_handler(move || {
        if asked.is_cancelled() {
            std::process::exit(130);
        }
        asked.cancel();
    });
    token
}
