//! Players that use what was learned in other ways than the value alone.

use crate::{ExperimentRunner, RunKey};
use ludens_arena::Workload;
use ludens_core::{Cancellation, Invalid, Params};
use ludens_lab::{RunError, RunFolder};
use ludens_registry::{MeasureOptions, open_game, replace_file};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The score of a player with one parameter.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerScore {
    /// The number.
    pub number: u64,
    /// The measured figure.
    pub figure: f64,
}

impl ExperimentRunner {
    /// The scores of the players with the value that this run learned; only for parameters already
    /// measured.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn players_tried(&self, pair: &RunKey) -> Result<Vec<PlayerScore>, RunError> {
        let path = players_file(&self.run_folder(pair));
        if !path.exists() {
            return Ok(Vec::new());
        }
        let wrong = |error| RunError::File { path: path.clone(), error };
        let text = std::fs::read_to_string(&path).map_err(wrong)?;
        let read = serde_json::from_str(&text);
        Ok(read.map_err(|e| Invalid(format!("{}: {e}", path.display())))?)
    }

    /// Whether every player has been measured with the value that this run learned.
    pub(crate) fn all_players_tried(&self, pair: &RunKey) -> bool {
        let wanted = self.chosen_scale().map_or(Vec::new(), |scale| scale.players);
        let numbers =
            |tried: Vec<PlayerScore>| tried.iter().map(|t| t.number).collect::<Vec<u64>>();
        self.experiment.players.is_none()
            || self.players_tried(pair).map(numbers).is_ok_and(|numbers| numbers == wanted)
    }

    /// Tries the players that have not been tried yet, and says whether all have been.
    pub(crate) fn try_players(
        &self,
        pair: &RunKey,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, RunError> {
        if self.experiment.players.is_none() {
            return Ok(true);
        }
        let numbers = self.chosen_scale()?.players;
        let mut tried = self.players_tried(pair)?;
        tried.retain(|tried| numbers.contains(&tried.number));
        for &number in &numbers[tried.len().min(numbers.len())..] {
            if stop() {
                return Ok(false);
            }
            let figure = self.try_player(pair, number)?;
            // A cancelled measurement says nothing.
            Cancellation::check().map_err(|_| RunError::Cancelled)?;
            tried.push(PlayerScore { number, figure });
            let path = players_file(&self.run_folder(pair));
            let text = serde_json::to_string_pretty(&tried).expect("numbers can be written");
            replace_file(&path, |out| out.write_all(text.as_bytes()))
                .map_err(|error| RunError::File { path, error })?;
        }
        Ok(true)
    }

    fn try_player(&self, pair: &RunKey, number: u64) -> Result<f64, RunError> {
        let plan = self.plan(pair)?;
        let wanted = self.experiment.players.as_ref().expect("asked for only if there are players");
        let value = self.run_folder(pair).value().display().to_string();
        let mut agent: Params = wanted.agent.parse()?;
        for (_, text) in &mut agent.pairs {
            *text = text.replace("{n}", &number.to_string()).replace("{value}", &value);
        }
        let evaluation = plan.evaluation.as_ref();
        let by = MeasureOptions {
            protocol: evaluation.map(|plan| &plan.protocol[..]),
            games: evaluation.and_then(|plan| plan.games),
            seed: plan.seed,
            with_perfect: false,
            workload: Workload::default(),
        };
        let game = open_game(&plan.config.game)?;
        Ok(game.arena().measure(&agent.to_string(), &by)?.figure.mean)
    }
}

fn players_file(folder: &RunFolder) -> PathBuf {
    folder.path.join("players.json")
}
