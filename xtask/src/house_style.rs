//! What rustfmt and clippy do not check of the house style.

use crate::command::workspace;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const ABOUT: &str = "no source file is longer than 400 lines";

const LONGEST: usize = 400;

/// Endings of the files that people write and read as source.
const SOURCES: &[&str] = &["rs", "py", "js", "css", "html"];

/// Folders that nobody writes by hand.
const SKIPPED: &[&str] = &["target", "node_modules", "runs", "__pycache__", "corpus", "artifacts"];

pub(crate) fn check() -> Result<(), String> {
    let mut files = Vec::new();
    collect(&workspace(), &mut files)?;
    let mut long = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let lines = text.lines().count();
        if lines > LONGEST {
            let shown = file.strip_prefix(workspace()).unwrap_or(file).display();
            long.push(format!("{shown} has {lines} lines; split it by subject"));
        }
    }
    println!("{} files", files.len());
    if long.is_empty() { Ok(()) } else { Err(long.join("\n")) }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let complain = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(complain)? {
        let entry = entry.map_err(complain)?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type().map_err(complain)?.is_dir() {
            if !name.starts_with('.') && !SKIPPED.contains(&&*name) {
                collect(&path, files)?;
            }
        } else if SOURCES.iter().any(|ending| path.extension().is_some_and(|e| e == *ending)) {
            files.push(path);
        }
    }
    Ok(())
}
