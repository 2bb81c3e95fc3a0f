//! The argument that names a learned value.

use crate::failure::Failure;
use crate::game_arg;
use ludens_core::Params;
use ludens_lab::value_path;
use ludens_registry::{AnyGame, ValueFile, path_text};
use std::path::PathBuf;

/// The argument that names a learned value.
#[derive(clap::Args)]
pub(crate) struct ValueArg {
    /// The file of a learned value, or the folder of a run
    #[arg(value_name = "VALUE")]
    value: PathBuf,
}

impl ValueArg {
    /// Opens the file and the game that was learned.
    pub(crate) fn open(&self) -> Result<(ValueFile, Box<dyn AnyGame>), Failure> {
        let file = ValueFile::open(value_path(&self.value)?)?;
        let game = game_arg::open(file.text("game")?)?;
        Ok((file, game))
    }
}

/// The agent that plays by a file.
pub(crate) fn greedy(file: &ValueFile) -> String {
    let path = path_text(file.path());
    Params { name: "greedy".into(), pairs: vec![(String::new(), path)] }.to_string()
}
