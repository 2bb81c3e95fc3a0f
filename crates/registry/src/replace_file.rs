//! Files that are whole or not there.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Replaces a file by the output of `write`, or leaves it unchanged.
///
/// Whatever happens meanwhile, there is either the old file or the whole new one. A process that is
/// killed leaves its draft behind; the next one that replaces the same file removes it.
///
/// # Errors
///
/// If it cannot be written, for lack of space for instance.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    remove_abandoned(path);
    let (draft, file) = new_draft(path)?;
    let written = write_whole(&file, write).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // Report the first error, not that of the clean-up.
        let _ = fs::remove_file(&draft);
        return written;
    }
    sync_folder(folder_of(path))
}

/// Deletes a file and its abandoned drafts.
///
/// What cannot be removed does no harm.
pub fn discard_file(path: &Path) {
    remove_abandoned(path);
    let _ = fs::remove_file(path);
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
fn new_draft(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let mut name = beginning(path);
        // Drawn, because processes on several machines may have the same number.
        name.push(format!("{:016x}{ENDING}", RandomState::new().build_hasher().finish()));
        let draft = path.with_file_name(name);
        let file = File::create(&draft)?;
        // Where files cannot be locked, no process treats this draft as abandoned either.
        let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
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
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_draft(name: &OsStr, beginning: &OsStr) -> bool {
    let drawn = name.as_encoded_bytes().strip_prefix(beginning.as_encoded_bytes());
    let drawn = drawn.and_then(|rest| rest.strip_suffix(ENDING.as_bytes()));
    drawn.is_some_and(|drawn| drawn.len() == 16 && drawn.iter().all(u8::is_ascii_hexdigit))
}

fn write_whole(
    file: &File,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.flush()?;
    file.sync_all()
}

/// Makes the new name last, where folders can be synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
