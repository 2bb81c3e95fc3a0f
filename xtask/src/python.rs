//! The Python package, tested as it is installed.

use crate::command::{Program, workspace};

pub(crate) const ABOUT: &str = "the Python package, in an environment of its own";

/// The folder of the virtual environment.
const ENVIRONMENT: &str = "target/python/environment";
/// The folder of the wheel.
const WHEELS: &str = "target/python/wheels";
/// The packages that tests need, with their versions.
const PACKAGES: &str = "python/tests/requirements.txt";

/// Builds the wheel, installs it beside the packages that tests need, and runs the tests.
pub(crate) fn test() -> Result<(), String> {
    let python = format!("{ENVIRONMENT}/bin/python");
    if !workspace().join(&python).exists() {
        Program::new("python3 -m venv").arg(ENVIRONMENT).run()?;
    }
    let pip = format!("{python} -m pip --disable-pip-version-check install --quiet");
    Program::new(&format!("{pip} --requirement {PACKAGES}")).run()?;
    let wheels = workspace().join(WHEELS);
    // The wheel of another version must not be taken for this one.
    let _ = std::fs::remove_dir_all(&wheels);
    Program::new(&format!("{python} -m maturin build --quiet --out {WHEELS}")).run()?;
    let wheel = std::fs::read_dir(&wheels)
        .ok()
        .and_then(|mut files| files.next()?.ok())
        .ok_or_else(|| format!("no wheel was built in {WHEELS}"))?;
    let wheel = wheel.path().display().to_string();
    Program::new(&format!("{pip} --force-reinstall --no-deps")).arg(&wheel).run()?;
    Program::new(&format!("{python} -m pytest --quiet --durations=5")).run()
}
