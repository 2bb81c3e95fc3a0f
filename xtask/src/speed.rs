//! `cargo xtask speed`: how fast Ludens learns, as a page of the documentation.

use crate::command::{Program, workspace};
use crate::performance::date;
use std::fs;

pub(crate) const ABOUT: &str = "measures how fast Ludens learns, for docs/performance.md";

const PAGE: &str = "cargo run --release --quiet --package ludens-speed --example page";

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err(format!("expected nothing, found {}", args.join(" ")));
    }
    let commit = Program::new("git rev-parse --short HEAD").output()?;
    let page = Program::new(PAGE).env("DATE", &date()?).env("COMMIT", commit.trim());
    let text = page.output()?;
    let path = workspace().join("docs/performance.md");
    let temporary = path.with_extension("tmp");
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &path));
    written.map_err(|e| format!("{}: {e}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}
