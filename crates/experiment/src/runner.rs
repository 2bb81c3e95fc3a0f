//! The runs of an experiment: their folders, plans and states.

use crate::{Experiment, Scale, ScaleName, Variant};
use ludens_core::Invalid;
use ludens_files::read_text;
use ludens_lab::{
    EvaluationPlan, Layers, Plan, Preset, RunError, RunFolder, find_preset, folder_name, game_name,
    set_game,
};
use ludens_learn::Config;
use ludens_registry::open_game;
use std::path::PathBuf;

/// Longer files of settings or experiments are none.
pub(crate) const LONGEST_FILE: u64 = 64 << 20;

/// An experiment at one scale, and the folder that its runs and reports go to.
#[derive(Clone, Debug)]
pub struct ExperimentRunner {
    /// The name of the experiment.
    pub name: String,
    /// The experiment.
    pub experiment: Experiment,
    /// The scale.
    pub scale: ScaleName,
    /// The output folder.
    pub folder: PathBuf,
    /// The command line that runs the experiment.
    pub command: String,
}

/// One run of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct RunKey {
    /// The variant.
    pub variant: Variant,
    /// The random seed.
    pub seed: u64,
}

/// The status of one run of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// It has not begun.
    Waiting,
    /// It has begun, and can be resumed.
    Begun,
    /// It failed for this reason when it was last tried.
    Failed(String),
    /// It is complete.
    Finished,
}

impl ExperimentRunner {
    /// Every variant with every seed, in order.
    ///
    /// # Errors
    ///
    /// If the experiment has no such scale.
    pub fn pairs(&self) -> Result<Vec<RunKey>, Invalid> {
        let seeds = self.chosen_scale()?.seeds;
        let with_seeds = |variant: Variant| {
            (1..=seeds).map(move |seed| RunKey { variant: variant.clone(), seed })
        };
        Ok(self.experiment.all_variants().into_iter().flat_map(with_seeds).collect())
    }

    /// The scale.
    ///
    /// # Errors
    ///
    /// If the experiment has no such scale.
    pub fn chosen_scale(&self) -> Result<Scale, Invalid> {
        self.experiment.scale(self.scale).map_err(|e| e.about(&self.name))
    }

    /// The plan of a run.
    ///
    /// # Errors
    ///
    /// If its settings are not possible.
    pub fn plan(&self, pair: &RunKey) -> Result<Plan, Invalid> {
        let (experiment, scale) = (&self.experiment, self.chosen_scale()?);
        let config = Config { episodes: scale.episodes, ..self.settings(pair)? };
        let evaluations = experiment.evaluations(&scale).map_err(|e| e.about(&self.name))?;
        let game = open_game(&config.game)?;
        EvaluationPlan::check(&evaluations, &*game).map_err(|e| e.about(&self.name))?;
        Ok(Plan {
            command: self.command.clone(),
            preset: pair.variant.preset.as_ref().or(experiment.preset.as_ref()).cloned(),
            every: scale.every,
            early: scale.early,
            ..Plan::new(config, pair.seed).measured_by(evaluations)
        })
    }

    /// Checks the plan of each run, so that nothing begins that cannot end.
    ///
    /// # Errors
    ///
    /// If the settings or the protocols of a run are not possible.
    pub fn check_plans(&self) -> Result<(), Invalid> {
        self.pairs()?.iter().try_for_each(|pair| self.plan(pair).map(drop))
    }

    /// The configuration of a run; the scale sets its length.
    ///
    /// # Errors
    ///
    /// If the settings are not possible.
    pub fn settings(&self, pair: &RunKey) -> Result<Config, Invalid> {
        let wrong = |e: Invalid| e.about(format!("{}, {}", self.name, pair.variant.name));
        let (experiment, variant) = (&self.experiment, &pair.variant);
        let game = variant.game.as_ref().unwrap_or(&experiment.game);
        let preset = variant.preset.as_ref().or(experiment.preset.as_ref());
        let mut layers = self.base(game, preset).map_err(wrong)?;
        let scale = self.chosen_scale()?;
        for setting in experiment.set.iter().chain(&variant.set).chain(&scale.set) {
            let records = self.records_file().display().to_string();
            layers.set(&setting.replace("{records}", &records)).map_err(wrong)?;
        }
        let (mut config, _) = layers.resolve().map_err(wrong)?;
        set_game(&mut config, game);
        Ok(config)
    }

    /// The base configuration of a run: a preset, and a file upon it.
    fn base(&self, game: &str, preset: Option<&String>) -> Result<Layers, Invalid> {
        let mut layers = match preset {
            Some(preset) => find_preset(game_name(game), preset).map(Preset::layers)?,
            None => Layers::default(),
        };
        if let Some(path) = &self.experiment.config {
            let shown = path.display();
            let text = read_text(path, LONGEST_FILE);
            let text = text.map_err(|e| Invalid(format!("{shown} cannot be read: {e}")))?;
            layers.add_file(&shown.to_string(), &text)?;
        }
        Ok(layers)
    }

    /// The folder of a run.
    pub fn run_folder(&self, pair: &RunKey) -> RunFolder {
        let name = folder_name(&format!("{}-{}", pair.variant.name, pair.seed));
        RunFolder { path: self.folder.join("runs").join(name) }
    }

    /// The status of a run.
    pub fn progress(&self, pair: &RunKey) -> RunStatus {
        let folder = self.run_folder(pair);
        match self.other_settings(pair) {
            Ok(None) => {}
            Ok(Some(reason)) => return RunStatus::Failed(reason),
            Err(error) => return RunStatus::Failed(error.to_string()),
        }
        if folder.summary().exists() && self.all_players_tried(pair) {
            return RunStatus::Finished;
        }
        match std::fs::read_to_string(failure_file(&folder)) {
            Ok(reason) => RunStatus::Failed(reason.trim_end().into()),
            Err(_) if folder.plan().exists() => RunStatus::Begun,
            Err(_) => RunStatus::Waiting,
        }
    }

    /// The difference between the existing run in the folder and the plan of this one, if any.
    pub(crate) fn other_settings(&self, pair: &RunKey) -> Result<Option<String>, RunError> {
        let folder = self.run_folder(pair);
        if !folder.plan().exists() {
            return Ok(None);
        }
        let found = folder.read_plan()?.difference(&self.plan(pair)?);
        Ok(found.map(|(key, found, wanted)| {
            let file = folder.plan().display().to_string();
            format!("{file} has other settings: {key} is {found}, but {wanted} is wanted")
        }))
    }
}

/// The file that records why a run failed.
pub(crate) fn failure_file(folder: &RunFolder) -> PathBuf {
    folder.path.join("failure.txt")
}
