//! Where the runs of an experiment lie, and how they are carried out.

use crate::{Experiment, Scale, ScaleName, Variant};
use ludens_core::Invalid;
use ludens_lab::{
    Ended, EvaluationPlan, Metrics, Observer, Pace, Plan, Preset, Run, RunError, RunFolder, Stage,
    find_preset, folder_name,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An experiment at one scale, and the folder that its runs and reports go to.
#[derive(Clone, Debug)]
pub struct Laboratory {
    /// What the experiment is called.
    pub name: String,
    /// What it is.
    pub experiment: Experiment,
    /// How much of it is run.
    pub scale: ScaleName,
    /// Where everything goes.
    pub folder: PathBuf,
}

/// One run of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// What is tried.
    pub variant: Variant,
    /// What its random numbers are drawn from.
    pub seed: u64,
}

/// How far one run of an experiment has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It has not begun.
    Waiting,
    /// It has begun, and can be resumed.
    Begun,
    /// It failed for this reason when it was last tried.
    Failed(String),
    /// It is complete.
    Finished,
}

/// Told how the runs of an experiment go, from several threads.
pub trait Watcher: Sync {
    /// How far the run with this index has come.
    fn progress(&self, index: usize, stage: &Stage);

    /// Something went wrong that the run with this index survives.
    fn warn(&self, index: usize, what: &str);

    /// The run with this index ended; `Err` says why it failed.
    fn ended(&self, index: usize, result: Result<(), &str>);
}

impl Laboratory {
    /// Every variant with every seed, in order.
    ///
    /// # Errors
    ///
    /// If the experiment has no such scale.
    pub fn pairs(&self) -> Result<Vec<Pair>, Invalid> {
        let seeds = self.chosen_scale()?.seeds;
        let with_seeds =
            |variant: Variant| (1..=seeds).map(move |seed| Pair { variant: variant.clone(), seed });
        Ok(self.experiment.all_variants().into_iter().flat_map(with_seeds).collect())
    }

    /// How much is run.
    ///
    /// # Errors
    ///
    /// If the experiment has no such scale.
    pub fn chosen_scale(&self) -> Result<Scale, Invalid> {
        self.experiment.scale(self.scale).map_err(|e| e.about(&self.name))
    }

    /// What one of the runs is going to do.
    ///
    /// # Errors
    ///
    /// If its settings are not possible.
    pub fn plan(&self, pair: &Pair) -> Result<Plan, Invalid> {
        let wrong = |e: Invalid| e.about(format!("{}, {}", self.name, pair.variant.name));
        let (experiment, variant) = (&self.experiment, &pair.variant);
        let game = variant.game.as_ref().unwrap_or(&experiment.game);
        let preset = variant.preset.as_ref().unwrap_or(&experiment.preset);
        let name = game.split(':').next().unwrap_or_default();
        let mut layers = find_preset(name, preset).map(Preset::layers).map_err(wrong)?;
        let scale = self.chosen_scale()?;
        for setting in experiment.set.iter().chain(&variant.set).chain(&scale.set) {
            layers.set(setting).map_err(wrong)?;
        }
        let mut config = layers.config().map_err(wrong)?;
        config.game.clone_from(game);
        config.episodes = scale.episodes;
        let protocol =
            EvaluationPlan::parse(scale.evaluation.as_ref().unwrap_or(&experiment.evaluation));
        let protocol = protocol.map_err(wrong)?;
        Ok(Plan {
            command: format!("ludens experiment run {} --scale {}", self.name, self.scale.name()),
            preset: Some(preset.clone()),
            every: scale.every,
            evaluation: Some(EvaluationPlan { games: scale.games.or(protocol.games), ..protocol }),
            ..Plan::new(config, pair.seed)
        })
    }

    /// Where one of the runs lies.
    pub fn run_folder(&self, pair: &Pair) -> RunFolder {
        let name = folder_name(&format!("{}-{}", pair.variant.name, pair.seed));
        RunFolder { path: self.folder.join("runs").join(name) }
    }

    /// How far one of the runs has come.
    pub fn progress(&self, pair: &Pair) -> Progress {
        let folder = self.run_folder(pair);
        if folder.summary().exists() {
            return Progress::Finished;
        }
        match std::fs::read_to_string(failure_file(&folder)) {
            Ok(reason) => Progress::Failed(reason.trim_end().into()),
            Err(_) if folder.plan().exists() => Progress::Begun,
            Err(_) => Progress::Waiting,
        }
    }

    /// Carries out the runs with these indices, several at a time, those that are not finished.
    ///
    /// A run that fails is told to the watcher and written down, and the others go on.
    ///
    /// # Errors
    ///
    /// If the experiment itself is impossible; nothing has been run then.
    pub fn run(
        &self,
        indices: &[usize],
        jobs: usize,
        stop: &(dyn Fn() -> bool + Sync),
        watcher: &dyn Watcher,
    ) -> Result<(), Invalid> {
        let pairs = self.pairs()?;
        for pair in &pairs {
            self.plan(pair)?;
        }
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&index) = indices.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop() {
                    break;
                }
                self.run_pair(&pairs[index], index, stop, watcher);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, indices.len().max(1)) {
                scope.spawn(work);
            }
        });
        Ok(())
    }

    fn run_pair(
        &self,
        pair: &Pair,
        index: usize,
        stop: &(dyn Fn() -> bool + Sync),
        watcher: &dyn Watcher,
    ) {
        if self.progress(pair) == Progress::Finished {
            return watcher.ended(index, Ok(()));
        }
        let folder = self.run_folder(pair);
        let failure = failure_file(&folder);
        let _ = std::fs::remove_file(&failure);
        let mut observer = Told { index, watcher };
        match self.go(pair, folder, stop, &mut observer) {
            Ok(Ended::Finished(_)) => watcher.ended(index, Ok(())),
            Ok(Ended::Stopped(_)) => {}
            Err(error) => {
                let reason = error.to_string();
                // The reason is told in any case; the file is for those who come later.
                let _ = std::fs::write(&failure, format!("{reason}\n"));
                watcher.ended(index, Err(&reason));
            }
        }
    }

    fn go(
        &self,
        pair: &Pair,
        folder: RunFolder,
        stop: &(dyn Fn() -> bool + Sync),
        observer: &mut dyn Observer,
    ) -> Result<Ended, RunError> {
        let made = std::fs::create_dir_all(&folder.path);
        made.map_err(|error| RunError::File { path: folder.path.clone(), error })?;
        let mut run = if folder.plan().exists() {
            Run::resume(folder, None)?
        } else {
            Run::begin(self.plan(pair)?, folder)?
        };
        run.go(Pace::default(), &stop, observer)
    }
}

fn failure_file(folder: &RunFolder) -> PathBuf {
    folder.path.join("failure.txt")
}

/// Hands on what a run tells.
struct Told<'a> {
    index: usize,
    watcher: &'a dyn Watcher,
}

impl Observer for Told<'_> {
    fn progress(&mut self, stage: &Stage) {
        self.watcher.progress(self.index, stage);
    }

    fn line(&mut self, _: &Metrics) {}

    fn warn(&mut self, what: &str) {
        self.watcher.warn(self.index, what);
    }
}
