//! `cargo xtask sanitize`: unsafe code and threads under tools that watch every access.

use crate::command::Program;
use crate::step::{TaskStep, run_steps};

pub(crate) const ABOUT: &str =
    "unsafe code and threads under the sanitizers, Miri and loom; or only the steps named";

const STEPS: &[TaskStep] = &[
    TaskStep { name: "loom", about: "models of hand-written synchronisation", run: loom },
    TaskStep { name: "miri", about: "the tests of simd, interpreted", run: miri },
    TaskStep { name: "address", about: "unsafe code and damaged files", run: address },
    TaskStep { name: "thread", about: "threads that learn at the same time", run: thread },
];

/// The sanitizers are built for this target, so that build scripts and macros are built without.
const TARGET: &str = "x86_64-unknown-linux-gnu";

pub(crate) fn run(wanted: &[String]) -> Result<(), String> {
    run_steps("sanitize", STEPS, wanted)
}

/// Every interleaving of the models beside `UniqueArc` and pipelined self-play.
fn loom() -> Result<(), String> {
    Program::new("cargo test --target-dir target/loom --lib")
        .words("--package ludens-simd --package ludens-learn")
        .words("-- model")
        .env("RUSTFLAGS", "--cfg loom")
        .run()
}

/// Needs a nightly compiler, which the other steps do not.
fn miri() -> Result<(), String> {
    if !Program::new("rustup +nightly component add miri rust-src").succeeds() {
        println!("skipped: rustup cannot install Miri; it needs the nightly toolchain");
        return Ok(());
    }
    // An interpreter has neither the pages nor the signals of a system.
    Program::new("cargo +nightly miri test --target-dir target/miri --package ludens-simd --lib")
        .words("-- --skip memory --skip signals")
        .env("MIRIFLAGS", "-Zmiri-disable-isolation")
        .run()
}

fn address() -> Result<(), String> {
    sanitized("address").words("--package ludens-simd --package ludens-approx --lib").run()?;
    sanitized("address").words("--package ludens-registry --test parts -- value_file").run()
}

/// With a standard library that is checked as well: the one of the compiler counts references by
/// fences, which this sanitizer does not know and reports as races.
fn thread() -> Result<(), String> {
    if !Program::new("rustup component add rust-src").succeeds() {
        println!("skipped: rustup cannot install rust-src, the source of the standard library");
        return Ok(());
    }
    let tests = || sanitized("thread").words("-Zbuild-std");
    tests().words("--package ludens-simd --lib").run()?;
    tests().words("--package ludens-learn --lib --tests -- thread").run()
}

/// The tests with every read and write of our code checked, by the stable compiler.
fn sanitized(by: &str) -> Program {
    let flags = format!("-Zsanitizer={by} -Cunsafe-allow-abi-mismatch=sanitizer");
    Program::new(&format!("cargo test --target {TARGET} --target-dir target/{by}-sanitizer"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", &flags)
}
