//! `cargo xtask fuzz`: searches for inputs that violate an invariant.

use crate::command::{Program, workspace};
use std::fs;

pub(crate) const ABOUT: &str =
    "fuzzes each target for some seconds (60 unless said), or only those named";

const VERSION: &str = "0.13.2";
const ROOT: &str = "target/tools";

/// One target for each parser.
const TARGETS: [&str; 12] = [
    "agents",
    "analyze",
    "book",
    "config",
    "experiment",
    "gtp",
    "http",
    "moves",
    "params",
    "records",
    "states",
    "value",
];

/// Takes how many seconds each target gets, and names of targets.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (seconds, wanted) = match args.split_first() {
        None => (60, args),
        Some((text, rest)) => {
            let seconds = text.parse::<u32>();
            (seconds.map_err(|_| format!("expected seconds, found {text:?}"))?, rest)
        }
    };
    if let Some(unknown) = wanted.iter().find(|name| !TARGETS.contains(&name.as_str())) {
        return Err(format!("no target is called {unknown:?}; known: {}", TARGETS.join(", ")));
    }
    let tool = format!("{ROOT}/bin/cargo-fuzz");
    if !Program::new(&format!("{tool} --version")).succeeds() {
        println!("==> installing cargo-fuzz {VERSION}, once");
        let install = "cargo install cargo-fuzz --locked --quiet";
        Program::new(&format!("{install} --version {VERSION} --root {ROOT}")).run()?;
    }
    for target in
        TARGETS.iter().filter(|name| wanted.is_empty() || wanted.iter().any(|w| w == *name))
    {
        println!("==> {target} for {seconds} s");
        let corpus = workspace().join("fuzz/corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|e| format!("{}: {e}", corpus.display()))?;
        fuzz(&tool, target, seconds).run()?;
    }
    Ok(())
}

/// The address sanitizer watches the unsafe code of `simd`, which damaged files and odd boards
/// reach. It needs no other compiler than the stable one.
fn fuzz(tool: &str, target: &str, seconds: u32) -> Program {
    let folders = format!("fuzz/corpus/{target} fuzz/seeds/{target}");
    let limits = format!("-max_total_time={seconds} -timeout=10 -rss_limit_mb=2048 -max_len=4096");
    Program::new(&format!("{tool} fuzz run --sanitizer address {target} {folders} -- {limits}"))
        .words("-print_final_stats=1")
        .env("RUSTC_BOOTSTRAP", "1")
}
