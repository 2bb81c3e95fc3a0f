//! The rules of the house style that rustfmt and clippy do not check.

use crate::command::workspace;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const ABOUT: &str = "no source file is longer than 400 lines, no line wider than 100";

const LONGEST: usize = 400;
const WIDEST: usize = 100;

/// Endings of the files that people write and read as source.
const SOURCES: &[&str] = &["rs", "py", "js", "css", "html"];

/// Folders with generated files.
const SKIPPED: &[&str] = &["target", "node_modules", "runs", "__pycache__", "corpus", "artifacts"];

/// Pages that experiments write.
const REPORTS: &str = "docs/results";

pub(crate) fn check() -> Result<(), String> {
    let mut files = Vec::new();
    collect(&workspace(), &mut files)?;
    let mut wrong = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let shown = file.strip_prefix(workspace()).unwrap_or(file).display().to_string();
        wrong.extend(violations(&shown, &text));
    }
    println!("{} files", files.len());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn violations(file: &str, text: &str) -> Vec<String> {
    let mut violations = Vec::new();
    let lines = text.lines().count();
    if lines > LONGEST {
        violations.push(format!("{file} has {lines} lines; split it by subject"));
    }
    // rustfmt breaks lines in Rust, but for texts that cannot be broken.
    let wide = |line: &str| !file.ends_with(".rs") && line.chars().count() > WIDEST;
    for (i, _) in text.lines().enumerate().filter(|(_, line)| wide(line)) {
        violations.push(format!("{file}:{} is wider than {WIDEST}", i + 1));
    }
    violations
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let with_path = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(with_path)? {
        let entry = entry.map_err(with_path)?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type().map_err(with_path)?.is_dir() {
            let by_hand = !SKIPPED.contains(&&*name) && !path.ends_with(REPORTS);
            if !name.starts_with('.') && by_hand {
                collect(&path, files)?;
            }
        } else if SOURCES.iter().any(|ending| path.extension().is_some_and(|e| e == *ending)) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_and_wide_lines_are_named() {
        assert_eq!(violations("a.py", &"x\n".repeat(LONGEST)), [""; 0]);
        assert_eq!(violations("a.rs", &"x".repeat(WIDEST + 1)), [""; 0]);
        assert!(violations("a.rs", &"x\n".repeat(LONGEST + 1))[0].contains("401 lines"));
        let wide = format!("x\n{}", "x".repeat(WIDEST + 1));
        assert_eq!(violations("a.py", &wide), ["a.py:2 is wider than 100"]);
    }
}
