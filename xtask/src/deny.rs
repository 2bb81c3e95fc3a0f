//! `cargo xtask deny`: the whole of `deny.toml`, by cargo-deny.

use crate::command::Program;

pub(crate) const ABOUT: &str = "licences, versions, sources and advisories, by cargo-deny";

const VERSION: &str = "0.20.2";
const ROOT: &str = "target/tools";

/// Arguments choose what to check, as in `cargo deny check`: `cargo xtask deny licenses bans`.
pub(crate) fn run(checks: &[String]) -> Result<(), String> {
    let tool = format!("{ROOT}/bin/cargo-deny");
    if !Program::new(&format!("{tool} --version")).succeeds() {
        println!("==> installing cargo-deny {VERSION}; this takes some minutes, once");
        let install = "cargo install cargo-deny --locked --quiet";
        Program::new(&format!("{install} --version {VERSION} --root {ROOT}")).run()?;
    }
    let program = Program::new(&format!("{tool} --workspace check"));
    checks.iter().fold(program, |program, check| program.arg(check)).run()
}
