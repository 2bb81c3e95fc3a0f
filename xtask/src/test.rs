//! `cargo xtask test`: everything a change must pass.

use crate::command::Program;
use crate::step::{TaskStep, run_steps};
use crate::{browser, dependencies, engines, house_style, licences, python, results};

pub(crate) const ABOUT: &str = "everything a change must pass; or only the steps named after it";

/// The steps, the quick ones first.
const STEPS: &[TaskStep] = &[
    TaskStep { name: "format", about: "rustfmt has nothing to change", run: format },
    TaskStep { name: "house-style", about: house_style::ABOUT, run: house_style::check },
    TaskStep { name: "dependencies", about: dependencies::ABOUT, run: dependencies::check },
    TaskStep { name: "licences", about: licences::ABOUT, run: licences::check },
    TaskStep { name: "results", about: results::CHECKED, run: results::check },
    TaskStep { name: "clippy", about: "no warnings anywhere", run: clippy },
    TaskStep { name: "docs", about: "the documentation builds without warnings", run: docs },
    TaskStep { name: "engines", about: engines::ABOUT, run: engines::install },
    TaskStep { name: "tests", about: "all tests, golden files included", run: tests },
    TaskStep { name: "browser", about: browser::ABOUT, run: browser::test },
    TaskStep { name: "doc-tests", about: "the examples in the documentation", run: doc_tests },
    TaskStep { name: "python", about: python::ABOUT, run: python::test },
];

pub(crate) fn run(wanted: &[String]) -> Result<(), String> {
    run_steps("test", STEPS, wanted)
}

fn format() -> Result<(), String> {
    Program::new("cargo fmt --all --check").run()?;
    Program::new("cargo fmt --manifest-path fuzz/Cargo.toml --check").run()
}

fn clippy() -> Result<(), String> {
    Program::new("cargo clippy --workspace --all-targets -- -D warnings").run()
}

fn docs() -> Result<(), String> {
    Program::new("cargo doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings").run()
}

fn tests() -> Result<(), String> {
    let nextest = Program::new("cargo nextest --version").succeeds();
    let program = if nextest { "cargo nextest run" } else { "cargo test --tests" };
    let program = Program::new(&format!("{program} --workspace --no-fail-fast"));
    let (key, value) = engines::PROMISE;
    let program = if engines::rhino_is_installed() { program.env(key, value) } else { program };
    comparing(program).run()
}

fn doc_tests() -> Result<(), String> {
    comparing(Program::new("cargo test --doc --workspace --no-fail-fast")).run()
}

/// The same, so that golden files are compared and never rewritten.
fn comparing(program: Program) -> Program {
    program.without("LUDENS_BLESS").without("TRYCMD").without("SNAPSHOTS")
}
