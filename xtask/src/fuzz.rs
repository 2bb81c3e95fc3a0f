//! `cargo xtask fuzz`: searches for inputs that violate an invariant.

use crate::command::{Program, workspace};
use std::fs;

pub(crate) const ABOUT: &str = "fuzzes each target for some seconds (60 unless said)";

const VERSION: &str = "0.13.2";
const ROOT: &str = "target/tools";
const TARGETS: [&str; 3] = ["params", "states", "moves"];

/// Takes how many seconds each target gets.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let seconds = match args {
        [] => 60,
        [text] => text.parse::<u32>().map_err(|_| format!("expected seconds, found {text:?}"))?,
        _ => return Err(format!("expected seconds, found {}", args.join(" "))),
    };
    let tool = format!("{ROOT}/bin/cargo-fuzz");
    if !Program::new(&format!("{tool} --version")).succeeds() {
        println!("==> installing cargo-fuzz {VERSION}, once");
        let install = "cargo install cargo-fuzz --locked --quiet";
        Program::new(&format!("{install} --version {VERSION} --root {ROOT}")).run()?;
    }
    for target in TARGETS {
        println!("==> {target} for {seconds} s");
        let corpus = workspace().join("fuzz/corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|e| format!("{}: {e}", corpus.display()))?;
        fuzz(&tool, target, seconds).run()?;
    }
    Ok(())
}

/// Our code has no unsafe parts, so that no sanitizer is needed, and the stable compiler will do.
fn fuzz(tool: &str, target: &str, seconds: u32) -> Program {
    let folders = format!("fuzz/corpus/{target} fuzz/seeds/{target}");
    let limits = format!("-max_total_time={seconds} -timeout=10 -rss_limit_mb=2048 -max_len=400");
    Program::new(&format!("{tool} fuzz run --sanitizer none {target} {folders} -- {limits}"))
        .env("RUSTC_BOOTSTRAP", "1")
}
