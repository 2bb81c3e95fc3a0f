//! Finds the experiments that come with Ludens: in the repository, or in the published crate.

use std::path::PathBuf;
use std::{env, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    // Symbolic links become copies in the published crate; not every checkout has them.
    let folders = [here.join("../../experiments"), here.join("experiments")];
    let folder = folders.iter().find(|folder| folder.join("farl-tictactoe.toml").is_file());
    let folder = folder.ok_or_else(|| io::Error::other("the folder experiments is missing"))?;
    println!("cargo:rustc-env=EXPERIMENTS={}", folder.display());
    println!("cargo:rerun-if-changed={}", folder.display());
    Ok(())
}
