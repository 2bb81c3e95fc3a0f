//! The page in a real browser: tests, and pictures for the README.

use crate::command::{Program, workspace};

pub(crate) const ABOUT: &str = "the page works in Chromium, by mouse and keyboard, for everybody";
pub(crate) const PICTURES: &str = "draws the pictures of the page in docs/pictures anew";

/// Programs that must be there, and the Debian package of each.
const NEEDED: &[(&str, &str)] =
    &[("chromium --version", "chromium"), ("chromedriver --version", "chromium-driver")];

/// Installs the browser where Debian's packages are available, and runs all tests in it. On other
/// systems the tests are skipped, except in continuous integration, which must run them all.
pub(crate) fn test() -> Result<(), String> {
    install(&[])?;
    let missing: Vec<&str> = missing().collect();
    if missing.is_empty() {
        return run("");
    }
    let what = format!("missing: {}; the page is not tested", missing.join(", "));
    println!("{what}");
    if std::env::var_os("CI").is_some() { Err(what) } else { Ok(()) }
}

/// Draws the pictures, with the same letters on every machine. With 256 colours they take a third of
/// the room in the program.
pub(crate) fn pictures(_: &[String]) -> Result<(), String> {
    install(&["fonts-inter", "fonts-urw-base35", "pngquant"])?;
    run("pictures")?;
    let folder = workspace().join("docs/pictures");
    let files = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = files.filter_map(|file| Some(file.ok()?.path().display().to_string()));
    for path in paths.filter(|path| path.ends_with(".png")) {
        let reduce = Program::new("pngquant --quality 85-98 --speed 1 --strip --force --ext .png");
        reduce.arg(&path).run()?;
    }
    Ok(())
}

fn run(what: &str) -> Result<(), String> {
    // The command as the tests build it: built alone it would be compiled all over again.
    Program::new("cargo test --workspace --no-run --quiet").run()?;
    Program::new(&format!("python3 -B xtask/browser/run.py {what}")).run()
}

fn missing() -> impl Iterator<Item = &'static str> {
    let absent = |(program, _): &&(&str, &str)| !Program::new(program).succeeds();
    NEEDED.iter().filter(absent).map(|(_, package)| *package)
}

fn install(more: &[&'static str]) -> Result<(), String> {
    let wanted: Vec<&str> = missing().chain(more.iter().copied()).collect();
    if wanted.is_empty() || !Program::new("apt-get --version").succeeds() {
        return Ok(());
    }
    Program::new("apt-get update --quiet").run()?;
    Program::new(&format!("apt-get install --yes --quiet {}", wanted.join(" "))).run()
}
