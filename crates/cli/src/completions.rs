//! `ludens completions`: scripts for shells.

use crate::Cli;
use crate::console::Console;
use crate::failure::Failure;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Prints a script that lets your shell complete ludens commands.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens completions bash > ~/.local/share/bash-completion/completions/ludens
  ludens completions zsh > ~/.zfunc/_ludens
  ludens completions fish > ~/.config/fish/completions/ludens.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell that will read the script
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "ludens", &mut script);
        Ok(out.write_all(&script)?)
    }
}
