//! Whether two folders hold the same results.

use super::scenario::{BOOK_POSITIONS, BOOK_RECORD};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that tell of the clock, of the command line, or of nothing.
const OF_THE_MOMENT: [&str; 3] = ["times.jsonl", "run.toml", ".lock"];

/// Refuses folders of which a file is missing, is left over, or has other bytes.
pub(super) fn same_files(whole: &Path, killed: &Path) -> Result<(), String> {
    let (whole, killed) = (files(whole)?, files(killed)?);
    for name in whole.keys().chain(killed.keys()) {
        match (whole.get(name), killed.get(name)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), Some(_)) => return Err(format!("{} has other bytes", name.display())),
            (Some(_), None) => return Err(format!("{} is missing", name.display())),
            _ => return Err(format!("{} is left over", name.display())),
        }
    }
    if whole.is_empty() { Err("nothing was written".into()) } else { Ok(()) }
}

/// The files below a folder, by their paths in it.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).map_err(|e| format!("{}: {e}", next.display()))?;
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if path.is_dir() {
                folders.push(path);
            } else if !OF_THE_MOMENT.iter().any(|ignored| name == *ignored) {
                let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                found.insert(path.strip_prefix(folder).unwrap_or(&path).into(), bytes);
            }
        }
    }
    Ok(found)
}

/// Compares the positions that a book has solved first.
pub(super) fn same_progress(whole: &Path, killed: &Path) -> Result<(), String> {
    let first = |folder: &Path| {
        let path = folder.join("a.progress");
        let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let length = (BOOK_POSITIONS * BOOK_RECORD) as usize;
        bytes
            .get(..length)
            .map(<[u8]>::to_vec)
            .ok_or_else(|| format!("{} is short", path.display()))
    };
    if first(whole)? == first(killed)? { Ok(()) } else { Err("other scores".into()) }
}
