//! Games that are played once, for the runs to learn from.

use crate::ExperimentRunner;
use ludens_arena::{ContestPlan, Workload};
use ludens_core::{Invalid, Record};
use ludens_registry::{open_game, replace_file};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Games that are played once, for the runs to learn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Records {
    /// The agents, in every role.
    pub agents: Vec<String>,
    /// The number of games.
    pub games: usize,
}

impl ExperimentRunner {
    /// The file of the games; settings call it `{records}`.
    pub fn records_file(&self) -> PathBuf {
        self.folder.join("records.jsonl")
    }

    /// Plays the games, unless the file exists or the experiment has none.
    ///
    /// # Errors
    ///
    /// If the agents cannot play, or the file cannot be written.
    pub fn write_records(&self) -> Result<(), Invalid> {
        let path = self.records_file();
        let Some(records) = self.experiment.records.as_ref().filter(|_| !path.exists()) else {
            return Ok(());
        };
        let plan =
            ContestPlan { games: Some(records.games), record: true, ..ContestPlan::default() };
        let game = open_game(&self.experiment.game)?;
        let (_, played) = game.arena().contest(&records.agents, &plan, Workload::default())?;
        let lines = played.iter().filter_map(|game| game.record.as_ref()).map(Record::to_line);
        let text: String = lines.collect();
        let wrong = |e| Invalid(format!("{} cannot be written: {e}", path.display()));
        std::fs::create_dir_all(&self.folder).map_err(wrong)?;
        replace_file(&path, |out| out.write_all(text.as_bytes())).map_err(wrong)
    }
}
