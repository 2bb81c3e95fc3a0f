//! Nothing is injected: what `faults` does in builds without the feature.

use std::io;
use std::path::Path;
use std::thread::JoinHandle;

/// What an operation does: here, always all of it.
pub(crate) enum Extent {
    Whole,
    #[allow(dead_code, reason = "only an injected fault does half of a write")]
    Half,
}

pub(crate) fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    std::thread::Builder::new().spawn(work)
}

#[inline(always)]
pub(crate) fn reach() -> io::Result<Extent> {
    Ok(Extent::Whole)
}

#[inline(always)]
pub(crate) fn changes_name(_: &Path) {}

#[inline(always)]
pub(crate) fn opened(_: &Path, _: u64) {}

#[inline(always)]
pub(crate) fn synced(_: &Path, _: u64) {}

#[inline(always)]
pub(crate) fn renamed(_: &Path, _: &Path) {}

#[inline(always)]
pub(crate) fn folder_synced() {}
