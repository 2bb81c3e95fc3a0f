//! Folders in which one process works at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// The file that is locked in a folder.
const NAME: &str = ".lock";

/// Whoever asks [`is_locked`] holds the lock for a moment.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(5);

/// A folder that no other process works in, until this is dropped.
///
/// It locks a file of the folder and, where the system can, the folder itself: the file may be
/// deleted by somebody who cleans up.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
    _folder: Option<File>,
}

/// Why a folder cannot be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another process works in it.
    Busy,
    /// The lock file cannot be made or locked.
    File(PathBuf, io::Error),
}

impl FolderLock {
    /// Locks a folder.
    ///
    /// # Errors
    ///
    /// If another process works in it, or the lock file cannot be made.
    pub fn acquire(folder: &Path) -> Result<FolderLock, LockError> {
        let path = folder.join(NAME);
        let wrong = |error| LockError::File(path.clone(), error);
        // Some network file systems lock files only; the file is locked besides.
        let opened = File::open(folder).ok();
        let folder = match opened.map(|opened| patiently(&opened).map(|()| opened)) {
            Some(Ok(locked)) => Some(locked),
            Some(Err(TryLockError::WouldBlock)) => return Err(LockError::Busy),
            Some(Err(TryLockError::Error(_))) | None => None,
        };
        crate::faults::reach().map_err(&wrong)?;
        let file = File::create(&path).map_err(&wrong)?;
        match patiently(&file) {
            Ok(()) => Ok(FolderLock { _file: file, _folder: folder }),
            Err(TryLockError::WouldBlock) => Err(LockError::Busy),
            Err(TryLockError::Error(error)) => Err(wrong(error)),
        }
    }

    /// Whether a file of this name is the lock of its folder.
    pub fn is_name(name: &std::ffi::OsStr) -> bool {
        name == NAME
    }
}

fn patiently(file: &File) -> Result<(), TryLockError> {
    for _ in 1..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            other => return other,
        }
    }
    file.try_lock()
}

/// Whether a process works in the folder.
pub fn is_locked(folder: &Path) -> bool {
    let busy = |path: &Path| {
        let Ok(lock) = File::open(path) else { return false };
        matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
    };
    busy(folder) || busy(&folder.join(NAME))
}
