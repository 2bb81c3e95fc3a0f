//! Waiting for another thread.

/// How often a thread looks again before it lets others run.
const PATIENCE: u32 = 2_000;

/// Returns once it is not so any more; for what others do within microseconds.
///
/// ```
/// let mut left = 3;
/// ludens_values::wait_while(|| {
///     left -= 1;
///     left > 0
/// });
/// assert_eq!(left, 0);
/// ```
#[inline]
pub fn wait_while(mut waits: impl FnMut() -> bool) {
    let mut looks = 0;
    while waits() {
        looks += 1;
        if looks < PATIENCE {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}
