//! A release: a static binary, a wheel, completions and manual pages in one archive.

use crate::command::{Program, workspace};
use crate::python;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const ABOUT: &str = "builds a release for x86-64 Linux into target/dist";

/// Linux without shared libraries: one binary for every distribution.
const TARGET: &str = "x86_64-unknown-linux-musl";
const FOLDER: &str = "target/dist";
/// The profile in `Cargo.toml` for what is shipped.
const PROFILE: &str = "dist";
/// The checksums, inside the archive and beside it.
const SUMS: &str = "SHA256SUMS";
/// The largest binary to ship.
const LARGEST: u64 = 25_000_000;
/// The shells that completions are written for, and the files they expect.
const SHELLS: [(&str, &str); 3] =
    [("bash", "ludens.bash"), ("zsh", "_ludens"), ("fish", "ludens.fish")];

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("ludens-{version}-{TARGET}");
    let folder = workspace().join(FOLDER);
    let inside = folder.join(&name);
    let _ = fs::remove_dir_all(&folder);
    create(&inside)?;
    let binary = binary(&inside)?;
    accompany(&binary, &inside)?;
    let wheel = python::release_wheel(&format!("{FOLDER}/{name}"))?;
    let wheel = wheel.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    write(&inside.join(SUMS), &sums(&inside, &["ludens", &wheel])?)?;
    let archive = format!("{name}.tar.gz");
    Program::new(&format!("tar -C {FOLDER} -czf {FOLDER}/{archive} {name}")).run()?;
    let sums = sums(&folder, &[&archive])?;
    write(&folder.join(SUMS), &sums)?;
    print!("{FOLDER}:\n{sums}");
    Ok(())
}

/// Builds the static binary and shows that it runs without anything else.
fn binary(inside: &Path) -> Result<PathBuf, String> {
    Program::new(&format!("rustup target add {TARGET}")).run()?;
    Program::new(&format!("cargo build --profile {PROFILE} --locked --target {TARGET}")).run()?;
    let binary = inside.join("ludens");
    let built = workspace().join(format!("target/{TARGET}/{PROFILE}/ludens"));
    fs::copy(&built, &binary).map_err(|e| format!("{}: {e}", built.display()))?;
    let size = fs::metadata(&binary).map_err(|e| e.to_string())?.len();
    if size > LARGEST {
        return Err(format!("the binary has {size} bytes; at most {LARGEST} are shipped"));
    }
    runs_alone(inside)?;
    println!("the binary has {size} bytes and runs in an empty root folder");
    Ok(binary)
}

/// Trains in a root folder that holds nothing but the binary.
fn runs_alone(inside: &Path) -> Result<(), String> {
    let root = workspace().join("target/dist-root");
    let _ = fs::remove_dir_all(&root);
    create(&root.join("tmp"))?;
    fs::copy(inside.join("ludens"), root.join("ludens")).map_err(|e| e.to_string())?;
    let shown = root.display().to_string();
    let trained = Program::new("chroot")
        .arg(&shown)
        .words("/ludens train tictactoe --episodes 500 --json --out /tmp/run")
        .env("LUDENS_CACHE", "off")
        .output();
    let _ = fs::remove_dir_all(&root);
    trained.map(drop).map_err(|e| format!("the binary does not run alone (as root): {e}"))
}

/// Adds completions, manual pages, licences and the README.
fn accompany(binary: &Path, inside: &Path) -> Result<(), String> {
    let ludens = || Program::new(&binary.display().to_string());
    let (shells, pages) = (inside.join("completions"), inside.join("man"));
    create(&shells)?;
    create(&pages)?;
    for (shell, file) in SHELLS {
        write(&shells.join(file), &ludens().words(&format!("completions {shell}")).output()?)?;
    }
    ludens().words("man --dir").arg(&pages.display().to_string()).run()?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(workspace().join(file), inside.join(file)).map_err(|e| format!("{file}: {e}"))?;
    }
    Ok(())
}

/// A line for each file as `sha256sum --check` reads it.
fn sums(folder: &Path, files: &[&str]) -> Result<String, String> {
    let folder = folder.display().to_string();
    let line = |file: &&str| {
        let sum = Program::new("sha256sum").arg(&format!("{folder}/{file}")).output()?;
        let digest = sum.split_whitespace().next().unwrap_or_default().to_owned();
        Ok(format!("{digest}  {file}\n"))
    };
    files.iter().map(line).collect()
}

fn create(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
