//! `cargo xtask bless`: rewrites the golden files.

use crate::command::Program;

pub(crate) const ABOUT: &str = "rewrites the golden files; read the difference before you commit";

/// Arguments choose tests, as in `cargo test`.
pub(crate) fn run(filters: &[String]) -> Result<(), String> {
    let tests = Program::new("cargo test --workspace --tests --quiet --no-fail-fast --")
        .env("LUDENS_BLESS", "1")
        .env("TRYCMD", "overwrite")
        .env("SNAPSHOTS", "overwrite");
    filters.iter().fold(tests, |program, filter| program.arg(filter)).run()?;
    match Program::new("git status --short").output() {
        Ok(changed) if changed.is_empty() => println!("nothing changed"),
        Ok(changed) => print!("what differs from the last commit:\n{changed}"),
        Err(_) => println!("no git here to show what changed"),
    }
    Ok(())
}
