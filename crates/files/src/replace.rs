//! Files that are whole or not there.

use crate::sparse::SparseWriter;
use crate::{OutFile, faults, remove_file, rename, sync_folder};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// Replaces a file by the output of `write`, or leaves it unchanged.
///
/// Whatever happens meanwhile, there is either the old file or the whole new one. A process that is
/// killed leaves its draft behind; the next one that replaces the same file removes it. Where file
/// systems can, long runs of zeros take no room on the disk.
///
/// # Errors
///
/// If it cannot be written, for lack of space for instance.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_draft(path, write)?.take_place(path)
}

/// Like [`replace_file`], but does not wait for the disk: another thread does.
///
/// The content is complete when this returns, and what it was made of may change. The old file
/// stays until the new one is on the disk.
///
/// # Errors
///
/// If it cannot be written. [`PendingFile::wait`] tells whether the rest fails.
pub fn replace_file_later(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<PendingFile> {
    let draft = write_draft(path, write)?;
    let path = path.to_owned();
    Ok(PendingFile { thread: Some(faults::spawn(move || draft.take_place(&path))?) })
}

/// A file that is about to take its place. Dropped, it waits until that is done.
#[derive(Debug)]
pub struct PendingFile {
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl PendingFile {
    /// Whether there is nothing left to wait for.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits until the file is in its place and on the disk.
    ///
    /// # Errors
    ///
    /// If that failed: then the old file is still there.
    pub fn wait(mut self) -> io::Result<()> {
        self.join()
    }

    fn join(&mut self) -> io::Result<()> {
        let thread = self.thread.take();
        thread.map_or(Ok(()), |thread| thread.join().expect("no thread panics"))
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        let _ = self.join();
    }
}

/// A whole draft that nobody else takes for abandoned, because it is open and locked.
struct Draft {
    path: PathBuf,
    file: OutFile,
}

/// Writes a draft, or removes it.
fn write_draft(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Draft> {
    remove_abandoned(path);
    let (draft, file) = new_draft(path)?;
    let written = write_whole(file, write);
    if written.is_err() {
        // Report the first error, not that of the clean-up.
        let _ = remove_file(&draft);
    }
    Ok(Draft { path: draft, file: written? })
}

impl Draft {
    /// Becomes the file of this path once it is on the disk, or is removed.
    fn take_place(self, path: &Path) -> io::Result<()> {
        let placed = self.file.sync().and_then(|()| rename(&self.path, path));
        if placed.is_err() {
            // Report the first error, not that of the clean-up.
            let _ = remove_file(&self.path);
            return placed;
        }
        sync_folder(folder_of(path))
    }
}

/// Deletes a file and its abandoned drafts.
///
/// What cannot be removed does no harm.
pub fn discard_file(path: &Path) {
    remove_abandoned(path);
    let _ = remove_file(path);
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The common prefix of the names of all drafts of a file.
fn beginning(path: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name
}

const ENDING: &str = ".tmp";

/// Makes a draft, locked for as long as the file is open.
fn new_draft(path: &Path) -> io::Result<(PathBuf, OutFile)> {
    loop {
        let mut name = beginning(path);
        // Drawn, because processes on several machines may have the same number.
        name.push(format!("{:016x}{ENDING}", RandomState::new().build_hasher().finish()));
        let draft = path.with_file_name(name);
        let file = OutFile::create(&draft)?;
        // Where files cannot be locked, no process treats this draft as abandoned either.
        let taken = matches!(file.file().try_lock(), Err(TryLockError::WouldBlock));
        // Another process may have removed the draft before it was locked.
        if !taken && draft.exists() {
            return Ok((draft, file));
        }
    }
}

/// Removes the drafts whose writers are gone: those that are not locked.
///
/// What cannot be removed does no harm.
fn remove_abandoned(path: &Path) {
    let beginning = beginning(path);
    for entry in fs::read_dir(folder_of(path)).into_iter().flatten().flatten() {
        if is_draft(&entry.file_name(), &beginning)
            && let Ok(draft) = File::open(entry.path())
            && draft.try_lock().is_ok()
        {
            let _ = remove_file(&entry.path());
        }
    }
}

fn is_draft(name: &OsStr, beginning: &OsStr) -> bool {
    let drawn = name.as_encoded_bytes().strip_prefix(beginning.as_encoded_bytes());
    drawn.is_some_and(is_drawn)
}

/// Whether this is the part of a draft's name that is drawn, with its ending.
fn is_drawn(name: &[u8]) -> bool {
    let drawn = name.strip_suffix(ENDING.as_bytes());
    drawn.is_some_and(|drawn| drawn.len() == 16 && drawn.iter().all(u8::is_ascii_hexdigit))
}

/// Whether a file of this name is the draft of some file.
pub fn is_draft_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let length = 16 + ENDING.len();
    name.first() == Some(&b'.')
        && name.len() > length + 2
        && name[name.len() - length - 1] == b'.'
        && is_drawn(&name[name.len() - length..])
}

/// Writes everything. The file stays open, and so locked, until it has its name.
fn write_whole(
    file: OutFile,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<OutFile> {
    let mut out = SparseWriter::new(file);
    write(&mut out)?;
    out.finish()
}
