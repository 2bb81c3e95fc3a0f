//! `ludens completions`: scripts for shells.

use crate::Cli;
use crate::console::Console;
use crate::failure::Failure;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use ludens_experiment::EXPERIMENTS;
use ludens_lab::PRESETS;
use ludens_registry::arena::PROTOCOLS;
use ludens_registry::{GAMES, agent_list};
use std::collections::BTreeSet;
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
        let mut command = with_names(Cli::command());
        clap_complete::generate(self.shell, &mut command, "ludens", &mut script);
        Ok(out.write_all(&script)?)
    }
}

/// The command with the names that its arguments can have. Only scripts see it: the arguments also
/// accept settings behind a name, which shells need not know.
fn with_names(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| named(arg, &name)).mut_subcommands(with_names)
}

/// The argument of `command` with its names, if it is one that has any.
fn named(arg: Arg, command: &str) -> Arg {
    let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let names: BTreeSet<&str> = match (arg.get_id().as_str(), value.as_deref(), command) {
        ("resume", ..) => return arg.value_hint(ValueHint::DirPath),
        ("value", Some("VALUE"), _) => return arg.value_hint(ValueHint::AnyPath),
        (_, Some("GAME"), _) | (_, Some("NAME"), "games") => {
            GAMES.iter().map(|game| game.name).collect()
        }
        (_, Some("AGENT"), _) | (_, Some("NAME"), "agents") => {
            agent_list().map(|agent| agent.name).collect()
        }
        ("protocol", ..) | (_, Some("PROTOCOL"), _) => {
            PROTOCOLS.iter().map(|protocol| protocol.name).collect()
        }
        ("preset", ..) | (_, Some("NAME"), "preset") => {
            PRESETS.iter().map(|preset| preset.name).collect()
        }
        ("name", Some("NAME"), "run" | "show" | "status" | "report" | "sbatch") => {
            EXPERIMENTS.iter().map(|experiment| experiment.name).collect()
        }
        _ => return arg,
    };
    arg.value_parser(PossibleValuesParser::new(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_know_games_agents_presets_protocols_and_experiments() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut with_names(Cli::command()), "ludens", &mut script);
            let script = String::from_utf8(script).unwrap();
            for name in ["othello", "mcts", "farl-off", "bench-4ply"] {
                assert!(script.contains(name), "{shell}: {name}");
            }
            // Scripts for fish complete options only.
            assert!(shell == Shell::Fish || script.contains("farl-tictactoe"), "{shell}");
        }
    }
}
