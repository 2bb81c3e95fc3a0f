//! The Python package, tested as it is installed.

use crate::command::{Program, workspace};
use std::path::{Path, PathBuf};

pub(crate) const ABOUT: &str = "the Python package, in an environment of its own";
pub(crate) const SDIST_ABOUT: &str =
    "builds Python's source distribution and installs it where nothing else is";

/// The folder of the virtual environment.
const ENVIRONMENT: &str = "target/python/environment";
/// The same without the packages that tests need.
const RELEASE: &str = "target/python/release";
/// Installs packages, as arguments of Python.
const INSTALL: &str = "-m pip --disable-pip-version-check install --quiet";
/// The folder of the wheel.
const WHEELS: &str = "target/python/wheels";
/// The folder of the source distribution.
const SDIST: &str = "target/python/sdist";
/// The largest wheel to ship.
const LARGEST: u64 = 15_000_000;
/// The packages that tests need, with their versions.
const PACKAGES: &str = "python/tests/requirements.txt";

/// Builds the wheel, installs it beside the packages that tests need, and runs the tests.
pub(crate) fn test() -> Result<(), String> {
    let python = environment()?;
    let wheel = wheel(&python, WHEELS, "")?.display().to_string();
    Program::new(&format!("{python} {INSTALL} --force-reinstall --no-deps")).arg(&wheel).run()?;
    Program::new(&format!("{python} -m pytest --quiet --durations=5")).run()
}

/// Builds the source distribution, installs it from an empty folder, and learns a game with it.
pub(crate) fn sdist(_: &[String]) -> Result<(), String> {
    let python = environment()?;
    let _ = std::fs::remove_dir_all(workspace().join(SDIST));
    Program::new(&format!("{python} -m maturin sdist --out {SDIST}")).run()?;
    // Without the fixtures of other tests, which need the package installed here.
    let pytest = format!("{python} -m pytest --noconftest --quiet -s -m slow");
    Program::new(&format!("{pytest} python/tests/test_sdist.py")).run()
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
    check_shipped(&built)?;
    let name = built.file_name().ok_or("a wheel has a name")?;
    let shipped = workspace().join(out).join(name);
    std::fs::copy(&built, &shipped).map_err(|e| format!("{}: {e}", shipped.display()))?;
    Ok(shipped)
}

/// Refuses a wheel that is too large, or that maturin has not found to run on all Linuxes of an age.
fn check_shipped(wheel: &Path) -> Result<(), String> {
    let size = std::fs::metadata(wheel).map_err(|e| e.to_string())?.len();
    let name = wheel.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    println!("{name} has {size} bytes");
    if size > LARGEST {
        return Err(format!("the wheel has {size} bytes; at most {LARGEST} are shipped"));
    }
    if !name.contains("manylinux") {
        return Err(format!("expected a wheel with the tag manylinux, found {name}"));
    }
    Ok(())
}

/// The Python of a virtual environment with the packages that tests need.
fn environment() -> Result<String, String> {
    let python = create(ENVIRONMENT)?;
    Program::new(&format!("{python} {INSTALL} --requirement {PACKAGES}")).run()?;
    Ok(python)
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
