//! `ludens presets` and `ludens preset`: settings by name.

use crate::console::Console;
use crate::failure::Failure;
use crate::text_table::TextTable;
use ludens_core::Invalid;
use ludens_lab::{PRESETS, Preset, find_preset};
use ludens_registry::GAMES;
use serde::Serialize;
use std::io::Write;

/// Lists presets: the settings of papers, and ones that learn each game well.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens presets
  ludens presets connect4
  ludens presets --json")]
pub(crate) struct PresetsArgs {
    /// Only those of this game
    #[arg(value_name = "GAME")]
    game: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints a preset as a configuration file.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens preset show connect4/thill-tcl-et
  ludens preset show tictactoe/default > mine.toml")]
pub(crate) struct ShowPresetArgs {
    #[command(subcommand)]
    what: PresetsAction,
}

#[derive(clap::Subcommand)]
enum PresetsAction {
    /// Prints the settings as a file that --config reads
    #[command(after_help = "Examples:\n  ludens preset show connect4/thill-tcl-et")]
    Show {
        /// The preset: GAME/NAME, or NAME if only one game has it
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(Serialize)]
struct PresetList {
    presets: Vec<PresetDescription>,
}

#[derive(Serialize)]
struct PresetDescription {
    game: &'static str,
    name: &'static str,
    about: String,
    source: String,
    settings: &'static str,
}

impl PresetsArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        if let Some(game) = &self.game {
            let known = GAMES.iter().map(|entry| entry.name);
            if !known.clone().any(|name| name == game) {
                return Err(Invalid::unknown("game", game, known).into());
            }
        }
        let wanted = |preset: &&Preset| self.game.as_ref().is_none_or(|game| preset.game == game);
        let presets = PRESETS.iter().filter(wanted);
        if self.json {
            return out.json(&PresetList { presets: presets.map(describe).collect() });
        }
        let mut table = TextTable::new(&["game", "name", "about"]);
        for preset in presets {
            table.row(vec![preset.game.into(), preset.name.into(), preset.about()]);
        }
        table.write(out)
    }
}

impl ShowPresetArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let PresetsAction::Show { name } = self.what;
        let hint = "`ludens presets` lists all presets";
        let preset = find(&name).map_err(|e| Failure::from(e).with_hint(hint))?;
        Ok(out.write_all(preset.text.as_bytes())?)
    }
}

fn find(name: &str) -> Result<&'static Preset, Invalid> {
    if let Some((game, name)) = name.split_once('/') {
        return find_preset(game, name);
    }
    let named: Vec<&Preset> = PRESETS.iter().filter(|preset| preset.name == name).collect();
    match named[..] {
        [only] => Ok(only),
        [] => Err(Invalid::unknown("preset", name, PRESETS.iter().map(|p| p.name))),
        _ => {
            let all: Vec<_> = named.iter().map(|p| format!("{}/{name}", p.game)).collect();
            Err(Invalid(format!("several games have a preset {name:?}: {}", all.join(", "))))
        }
    }
}

fn describe(preset: &Preset) -> PresetDescription {
    PresetDescription {
        game: preset.game,
        name: preset.name,
        about: preset.about(),
        source: preset.source(),
        settings: preset.text,
    }
}
