//! From what was typed to a run.

use super::TrainArgs;
use crate::failure::Failure;
use crate::{file, game_arg};
use ludens_core::Invalid;
use ludens_lab::{
    EvaluationPlan, Layers, Plan, PreparedRun, Preset, Run, RunFolder, check_memory, find_preset,
    game_name, interrupted_run, new_folder, set_game,
};
use ludens_learn::Config;
use ludens_registry::Training;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The command-line options of a new run.
pub(super) struct NewRunOptions {
    game: Option<String>,
    preset: Option<String>,
    config: Option<PathBuf>,
    set: Vec<String>,
    episodes: Option<u64>,
    seed: u64,
    out: Option<PathBuf>,
    eval: Option<String>,
    every: Option<u64>,
    deterministic: bool,
    threads: usize,
    force: bool,
}

/// Refuses a run that needs more memory than there is.
pub(super) fn refuse_too_large(plan: &Plan) -> Result<(), Failure> {
    let hint = "fewer or shorter tuples need less; --force starts it nonetheless";
    check_memory(plan).map_err(|e| {
        let too_large = e.0.contains("MB are available");
        let failure = Failure::from(e);
        if too_large { failure.with_hint(hint) } else { failure }
    })
}

impl From<TrainArgs> for NewRunOptions {
    fn from(train: TrainArgs) -> NewRunOptions {
        let threads = train.threads as usize;
        let TrainArgs { game, preset, config, set, episodes, seed, out, eval, every, .. } = train;
        let (deterministic, force) = (train.deterministic, train.force);
        NewRunOptions {
            game,
            preset,
            config,
            set,
            episodes,
            seed,
            out,
            eval,
            every,
            deterministic,
            threads,
            force,
        }
    }
}

impl NewRunOptions {
    /// Begins the run in a new folder, or resumes the interrupted run of the same command.
    pub(super) fn begin(self) -> Result<Run, Failure> {
        let plan = self.plan()?;
        let name = plan.default_name(self.config.as_deref());
        if !self.force {
            refuse_too_large(&plan)?;
        }
        if self.out.is_none()
            && let Some(folder) = interrupted_run(Path::new("runs"), &name, &plan)
            && wants_resumed(&folder)?
        {
            return Ok(Run::resume(folder, None)?);
        }
        // A run that cannot start creates no files.
        let mut prepared = PreparedRun::new(plan)?;
        self.check_threads(prepared.training())?;
        let folder = new_folder(self.out.as_deref(), &name)?;
        Ok(prepared.begin(folder)?)
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let (config, preset) = self.chosen()?;
        let usual = Plan::new(config, self.seed).with_threads(self.threads, self.deterministic);
        let game = game_arg::open(&usual.config.game)?;
        let evaluation = EvaluationPlan::choose(self.eval.as_deref(), &*game);
        let evaluation = evaluation.map_err(|e| e.about("--eval"))?;
        Ok(Plan {
            command: crate::typed().join(" "),
            preset: preset.map(|preset| preset.name.into()),
            every: self.every.unwrap_or(usual.every),
            ..usual.measured_by(evaluation)
        })
    }

    /// Refuses threads that would have nothing to do.
    fn check_threads(&self, training: &mut dyn Training) -> Result<(), Failure> {
        if self.threads == 1 && !self.deterministic {
            return Ok(());
        }
        let typed = match self.deterministic {
            true => "--deterministic".to_owned(),
            false => format!("--threads {}", self.threads),
        };
        let refuse = |why: Invalid| {
            Failure::from(why.about(typed)).with_hint("without it one thread learns, as ever")
        };
        training.check_threads().map_err(refuse)
    }

    /// Everything chosen, layer by layer.
    fn chosen(&self) -> Result<(Config, Option<&'static Preset>), Failure> {
        let preset = self.preset()?;
        let mut layers = preset.map_or_else(Layers::default, Preset::layers);
        if let Some(path) = &self.config {
            let name = path.display().to_string();
            let text = file::read("--config", path)?;
            layers.add_file(&name, &text)?;
        }
        for setting in &self.set {
            let hint = "`ludens settings` lists all settings";
            layers.set(setting).map_err(|e| Failure::from(e.about("--set")).with_hint(hint))?;
        }
        let (mut config, notes) = layers.resolve()?;
        for note in notes {
            eprintln!("note: {note}");
        }
        if let Some(game) = &self.game {
            let (named, chosen) = (game_name(game), game_name(&config.game));
            let fits = named == chosen || preset.is_none() && self.config.is_none();
            if !fits {
                let what = format!("these settings are for {chosen}, not for {named}");
                return Err(Failure::impossible(what));
            }
            set_game(&mut config, game);
        }
        config.episodes = self.episodes.unwrap_or(config.episodes);
        Ok((config, preset))
    }

    /// The base layer: the named preset, or the game's default one. A file that names the game
    /// itself, because none was typed, stands alone.
    fn preset(&self) -> Result<Option<&'static Preset>, Failure> {
        let game = self.game.as_deref().map(game_name);
        match (&self.preset, game) {
            (Some(name), Some(game)) => {
                let hint = format!("`ludens presets {game}` lists them");
                let found = find_preset(game, name);
                found.map(Some).map_err(|e| Failure::from(e).with_hint(hint))
            }
            (Some(_), None) => Err(Failure::impossible("--preset needs the name of a game")),
            (None, Some(game)) => {
                // An unknown game is explained better than a missing preset.
                game_arg::open(game)?;
                Ok(Some(find_preset(game, "default")?))
            }
            (None, None) => Ok(None),
        }
    }
}

/// Asks whether to resume the interrupted run in this folder; without a terminal, names it.
fn wants_resumed(folder: &RunFolder) -> Result<bool, Failure> {
    let path = folder.path.display();
    let found = format!("{path} holds an interrupted run with the same settings");
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        eprintln!("note: {found}; `ludens train --resume {path}` continues it");
        return Ok(false);
    }
    let mut answer = String::new();
    eprint!("{found}. Resume it? [Y/n] ");
    io::stderr().flush()?;
    io::stdin().read_line(&mut answer)?;
    Ok(!answer.trim().to_lowercase().starts_with('n'))
}
