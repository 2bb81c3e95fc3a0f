//! Folders in which one process works at a time.

#![allow(clippy::unwrap_used)]

use ludens_files::{FolderLock, LockError, is_locked};

#[test]
fn a_folder_whose_lock_file_was_deleted_stays_locked() {
    let folder = std::env::temp_dir().join(format!("ludens-lock-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    assert!(!is_locked(&folder));
    let lock = FolderLock::acquire(&folder).unwrap();
    assert!(is_locked(&folder));
    std::fs::remove_file(folder.join(".lock")).unwrap();
    if cfg!(unix) {
        assert!(is_locked(&folder));
        assert!(matches!(FolderLock::acquire(&folder), Err(LockError::Busy)));
    }
    drop(lock);
    assert!(!is_locked(&folder));
    FolderLock::acquire(&folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}
