//! `ludens man`: manual pages.

use crate::Cli;
use crate::console::Console;
use crate::failure::Failure;
use clap::CommandFactory;
use std::io::Write;
use std::path::PathBuf;

/// Prints the manual page, or writes the pages of all commands.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens man | man -l -
  ludens man --dir ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write ludens.1, ludens-games.1, ... into this directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl ManArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let Some(dir) = self.dir else {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            return Ok(out.write_all(&page)?);
        };
        let written = std::fs::create_dir_all(&dir)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), &dir));
        written.map_err(|error| {
            let what = format!("no pages could be written into {}: {error}", dir.display());
            Failure::failed(what)
        })
    }
}
