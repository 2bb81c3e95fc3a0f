//! The Python package, tested as it is installed.

use crate::command::{Program, workspace};
use std::path::PathBuf;

pub(crate) const ABOUT: &str = "the Python package, in an environment of its own";

/// The folder of the virtual environment.
const ENVIRONMENT: &str = "target/python/environment";
/// The same without the packages that tests need.
const RELEASE: &str = "target/python/release";
/// Installs packages, as arguments of Python.
const INSTALL: &str = "-m pip --disable-pip-version-check install --quiet";
/// The folder of the wheel.
const WHEELS: &str = "target/python/wheels";
/// The packages that tests need, with their versions.
const PACKAGES: &str = "python/tests/requirements.txt";

/// Builds the wheel, installs it beside the packages that tests need, and runs the tests.
pub(crate) fn test() -> Result<(), String> {
    let python = create(ENVIRONMENT)?;
    let install = format!("{python} {INSTALL}");
    Program::new(&format!("{install} --requirement {PACKAGES}")).run()?;
    let wheel = wheel(&python, WHEELS, "")?.display().to_string();
    Program::new(&format!("{install} --force-reinstall --no-deps")).arg(&wheel).run()?;
    Program::new(&format!("{python} -m pytest --quiet --durations=5")).run()
}

/// Builds the wheel that is published, in the folder `out`.
pub(crate) fn release_wheel(out: &str) -> Result<PathBuf, String> {
    let python = create(RELEASE)?;
    let packages =
        std::fs::read_to_string(workspace().join(PACKAGES)).map_err(|e| e.to_string())?;
    let maturin = packages.lines().find(|line| line.starts_with("maturin="));
    let maturin = maturin.ok_or_else(|| format!("{PACKAGES} names no maturin"))?;
    Program::new(&format!("{python} {INSTALL} {maturin}")).run()?;
    let built = wheel(&python, WHEELS, "--release --locked")?;
    let name = built.file_name().ok_or("a wheel has a name")?;
    let shipped = workspace().join(out).join(name);
    std::fs::copy(&built, &shipped).map_err(|e| format!("{}: {e}", shipped.display()))?;
    Ok(shipped)
}

/// Makes a virtual environment, unless it is there, and returns its Python.
fn create(folder: &str) -> Result<String, String> {
    let python = format!("{folder}/bin/python");
    if !workspace().join(&python).exists() {
        Program::new("python3 -m venv").arg(folder).run()?;
    }
    Ok(python)
}

/// Builds the only wheel in the folder `out` by the maturin of this Python.
fn wheel(python: &str, out: &str, options: &str) -> Result<PathBuf, String> {
    let wheels = workspace().join(out);
    // The wheel of another version must not be taken for this one.
    let _ = std::fs::remove_dir_all(&wheels);
    let maturin = format!("{python} -m maturin build --quiet");
    Program::new(&format!("{maturin} --out {out} {options}")).run()?;
    let built = std::fs::read_dir(&wheels).ok().and_then(|mut files| files.next()?.ok());
    built.map(|file| file.path()).ok_or_else(|| format!("no wheel was built in {out}"))
}
