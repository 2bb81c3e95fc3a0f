//! `ludens schema`: everything that can be set about a run.

use crate::console::Console;
use crate::failure::Failure;
use ludens_learn::Config;

/// Prints the JSON schema of configuration files.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens schema
  ludens schema > ludens.schema.json

Editors that know the schema complete and check configuration files.")]
pub(crate) struct SchemaArgs {}

impl SchemaArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        out.json(&schemars::schema_for!(Config))
    }
}
