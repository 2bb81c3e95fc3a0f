//! `cargo xtask memory`: the tests of unsafe code under Valgrind.

use crate::bench::install_valgrind;
use crate::command::Program;

pub(crate) const ABOUT: &str = "runs the tests of unsafe code with every read and write checked";

/// Has cargo start the tests under Valgrind, whatever the machine is called.
const RUNNER: &str = "valgrind --quiet --error-exitcode=1 --leak-check=full \
                      --show-leak-kinds=definite --errors-for-leak-kinds=definite";

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err(format!("expected nothing, found {}", args.join(" ")));
    }
    install_valgrind()?;
    // Tests are built with debug assertions: what unchecked reads require is checked besides.
    Program::new("cargo test --package ludens-simd --package ludens-approx --lib")
        .arg("--config")
        .arg(&format!("target.'cfg(all())'.runner = \"{RUNNER}\""))
        .words("-- --test-threads=1 --skip properties --skip step")
        .run()
}
