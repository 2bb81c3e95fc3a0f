//! What the system does with signals to this process.

/// Whether the process ignores this signal, as `nohup` has it ignore the hang-up.
///
/// Where the system has no such signals, none is ignored.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action the call changes nothing; it fills `action` if it succeeds.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: the call has succeeded and filled it.
    asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Whether the process ignores this signal: never, here.
#[cfg(not(unix))]
pub fn is_ignored(_signal: i32) -> bool {
    false
}

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn broken_pipes_are_ignored_and_interrupts_are_not() {
        // Rust programs ignore SIGPIPE from their start.
        assert!(is_ignored(libc::SIGPIPE));
        assert!(!is_ignored(libc::SIGSEGV));
        assert!(!is_ignored(-1));
    }
}
