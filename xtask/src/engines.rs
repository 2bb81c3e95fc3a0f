//! Engines of other authors that tests play against.

use crate::command::Program;
use std::path::Path;

pub(crate) const ABOUT: &str = "the engines that tests play against are installed";

/// Variables that tell tests that the engines are there and no game may be left out.
pub(crate) const PROMISE: (&str, &str) = ("LUDENS_ENGINES", "1");

/// Installs what is missing where Debian's packages are at hand. Elsewhere tests leave those games
/// out, except in continuous integration, which must not miss any.
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
