//! Clean shutdown on Ctrl-C, SIGTERM and hang-ups.

use ludens_core::Cancellation;
use ludens_simd::is_ignored;
use signal_hook::consts::signal::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The exit code of programs ended by Ctrl-C.
pub(crate) const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C, SIGTERM or hang-up sets; the second one ends the program at once.
///
/// Signals that were ignored when the program started stay ignored, as under `nohup`.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in stop_signals() {
        // Without a handler a signal ends the program, and runs resume from their last checkpoint.
        // The second signal finds the flag set, because this handler comes first.
        let _ = flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&stop));
        let _ = flag::register(signal, Arc::clone(&stop));
    }
    stop
}

/// A token that the first signal to stop cancels; the second one ends the program at once.
pub(crate) fn cancel_on_interrupt() -> Cancellation {
    let token = Cancellation::new();
    let asked = token.clone();
    on_stop_signal(move || {
        if asked.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        asked.cancel();
    });
    token
}

/// How long a training has to stop by itself, at the end of a game or measurement.
const GRACE: Duration = Duration::from_secs(5);

/// A token that cancels whatever is still at work some seconds after a signal to stop.
///
/// Belongs beside [`stop_on_interrupt`], for opponents and measurements that think for long.
pub(crate) fn cancel_soon_after_interrupt() -> Cancellation {
    let token = Cancellation::new();
    let asked = token.clone();
    on_stop_signal(move || asked.cancel_after(GRACE));
    token
}

/// Reacts to each signal to stop, in a thread of its own.
#[cfg(unix)]
pub(crate) fn on_stop_signal(mut react: impl FnMut() + Send + 'static) {
    // Without a handler a signal ends the program.
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(stop_signals()) {
        std::thread::spawn(move || signals.forever().for_each(|_| react()));
    }
}

/// Here signals end the program.
#[cfg(not(unix))]
pub(crate) fn on_stop_signal(_: impl FnMut() + Send + 'static) {}

/// The signals that ask the program to stop.
fn stop_signals() -> Vec<i32> {
    #[cfg(unix)]
    let all = [SIGINT, SIGTERM, signal_hook::consts::signal::SIGHUP];
    #[cfg(not(unix))]
    let all = [SIGINT, SIGTERM];
    all.into_iter().filter(|&signal| !is_ignored(signal)).collect()
}

/// Makes a write beyond the limit on the size of files an error instead of a silent death.
pub(crate) fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use signal_hook::consts::signal::SIGXFSZ;
        if !is_ignored(SIGXFSZ) {
            // The system reports the error to whoever writes; nobody reads the flag. Engines that
            // are started later get the usual behaviour back, unlike with an ignored signal.
            let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        }
    }
}
