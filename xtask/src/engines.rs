//! Engines of other authors that tests play against.

use crate::command::Program;
use std::path::Path;

pub(crate) const ABOUT: &str = "the engines that tests play against are installed";

/// The variable that tells tests that the engines are installed and no game may be skipped.
pub(crate) const PROMISE: (&str, &str) = ("LUDENS_ENGINES", "1");

/// Installs missing engines where Debian's packages are available. On other systems tests skip
/// those games, except in continuous integration, which must run them all.
pub(crate) fn install() -> Result<(), String> {
    if !rhino_is_installed() && Program::new("apt-get --version").succeeds() {
        Program::new("apt-get update --quiet").run()?;
        Program::new("apt-get install --yes --quiet grhino").run()?;
    }
    if rhino_is_installed() {
        println!("gtp-rhino is installed");
        return Ok(());
    }
    let what = "gtp-rhino, of the Debian package grhino, is missing: no game is played against it";
    println!("{what}");
    if std::env::var_os("CI").is_some() { Err(what.into()) } else { Ok(()) }
}

pub(crate) fn rhino_is_installed() -> bool {
    ["/usr/games/gtp-rhino", "/usr/bin/gtp-rhino"].iter().any(|path| Path::new(path).exists())
}
