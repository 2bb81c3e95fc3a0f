//! `ludens settings`: every setting of a run.

use crate::console::Console;
use crate::failure::Failure;
use crate::text_table::TextTable;
use ludens_core::Invalid;
use ludens_lab::{ConfigSetting, config_settings};
use std::io::Write;

/// Lists the settings of a run, or describes some of them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens settings
  ludens settings learner
  ludens settings step.tcl.beta
  ludens settings lambda --json

Change a setting with --set KEY=VALUE, or in a file for --config. `ludens presets` lists sets of
settings, such as those of the papers. `ludens schema` prints all settings for editors.")]
pub(crate) struct SettingsArgs {
    /// Only this setting, or those below this key or ending with this name
    #[arg(value_name = "KEY")]
    key: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl SettingsArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let mut settings = config_settings();
        if let Some(key) = &self.key {
            let unknown = Invalid::unknown("setting", key, settings.iter().map(|s| &s.key[..]));
            settings.retain(|setting| belongs(&setting.key, key));
            if settings.is_empty() {
                return Err(Failure::from(unknown).with_hint("`ludens settings` lists all of them"));
            }
        }
        match (self.json, self.key.is_some()) {
            (true, _) => out.json(&settings),
            (false, true) => describe(&settings, out),
            (false, false) => table(&settings).write(out),
        }
    }
}

/// Whether the setting `key` is the one asked for, below it, or ends with it.
fn belongs(key: &str, asked: &str) -> bool {
    key == asked || key.starts_with(&format!("{asked}.")) || key.ends_with(&format!(".{asked}"))
}

fn table(settings: &[ConfigSetting]) -> TextTable {
    let mut table = TextTable::new(&["setting", "default", "meaning"]);
    for setting in settings {
        let default = setting.default.clone().unwrap_or_else(|| "-".into());
        table.row(vec![setting.key.clone(), default, setting.about.clone()]);
    }
    table
}

fn describe(settings: &[ConfigSetting], out: &mut Console) -> Result<(), Failure> {
    for setting in settings {
        writeln!(out, "{}", out.bold(&setting.key))?;
        if !setting.about.is_empty() {
            writeln!(out, "  {}", setting.about)?;
        }
        writeln!(out, "  allowed  {}", setting.allowed)?;
        writeln!(out, "  default  {}", setting.default.as_deref().unwrap_or("none"))?;
    }
    Ok(())
}
