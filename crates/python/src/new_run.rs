//! The plan of a run from Python arguments, as on the command line.

use ludens_core::Invalid;
use ludens_lab::{
    EvaluationPlan, Layers, Plan, PreparedRun, Preset, Run, RunError, check_memory, find_preset,
    game_name, new_folder, set_game,
};
use ludens_learn::Config;
use ludens_registry::{AnyGame, GAMES, open_game};
use pyo3::FromPyObject;
use std::path::PathBuf;

/// The longest file of settings, in bytes.
const LONGEST_CONFIG: u64 = 1 << 20;

/// The arguments of a new run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct NewRunRequest {
    game: Option<String>,
    preset: Option<String>,
    config: Option<PathBuf>,
    settings: Vec<String>,
    episodes: Option<u64>,
    seed: u64,
    threads: usize,
    deterministic: bool,
    out: Option<PathBuf>,
    eval: Option<String>,
    every: Option<u64>,
    command: String,
}

impl NewRunRequest {
    /// Begins the run in a new folder.
    pub(crate) fn begin(&self) -> Result<Run, RunError> {
        let plan = self.plan()?;
        let name = plan.default_name(self.config.as_deref());
        // A run that cannot start creates no files.
        check_memory(&plan)?;
        let mut prepared = PreparedRun::new(plan)?;
        if self.threads > 1 || self.deterministic {
            let said = if self.deterministic { "deterministic" } else { "threads" };
            prepared.training().check_threads().map_err(|e| e.about(said))?;
        }
        prepared.begin(new_folder(self.out.as_deref(), &name)?)
    }

    fn plan(&self) -> Result<Plan, Invalid> {
        if self.game.is_none() && self.config.is_none() {
            let what = "expected a game, such as \"connect4\", or a file of settings as config";
            return Err(Invalid(what.into()));
        }
        if self.every == Some(0) {
            return Err(Invalid("every: expected one or more episodes, found 0".into()));
        }
        let (config, preset) = self.chosen()?;
        let usual = Plan::new(config, self.seed).with_threads(self.threads, self.deterministic);
        let game = open_game(&usual.config.game)?;
        let evaluation = match self.eval.as_deref() {
            None if usual.game_name() == "python" => vec![quick_evaluation(&*game)],
            asked => EvaluationPlan::choose(asked, &*game).map_err(|e| e.about("eval"))?,
        };
        Ok(Plan {
            command: self.command.clone(),
            preset: preset.map(|preset| preset.name.into()),
            every: self.every.unwrap_or(usual.every),
            ..usual.measured_by(evaluation)
        })
    }

    /// Everything chosen, layer by layer.
    fn chosen(&self) -> Result<(Config, Option<&'static Preset>), Invalid> {
        let preset = self.preset()?;
        let mut layers = preset.map_or_else(Layers::default, Preset::layers);
        if let Some(path) = &self.config {
            let name = path.display().to_string();
            let text = ludens_files::read_text(path, LONGEST_CONFIG)
                .map_err(|e| Invalid(format!("config: {name} cannot be read: {e}")))?;
            layers.add_file(&name, &text)?;
        }
        for setting in &self.settings {
            layers.set(setting).map_err(|e| e.about("settings"))?;
        }
        let (mut config, _) = layers.resolve()?;
        if let Some(game) = &self.game {
            let (named, chosen) = (game_name(game), game_name(&config.game));
            if named != chosen && (preset.is_some() || self.config.is_some()) {
                let what = format!("these settings are for {chosen}, not for {named}");
                return Err(Invalid(what));
            }
            set_game(&mut config, game);
        }
        config.episodes = self.episodes.unwrap_or(config.episodes);
        Ok((config, preset))
    }

    /// The base layer: the named preset, or the default one unless a file replaces it.
    fn preset(&self) -> Result<Option<&'static Preset>, Invalid> {
        let game = self.game.as_deref().map(game_name);
        match (&self.preset, game) {
            (Some(name), Some(game)) => find_preset(game, name).map(Some),
            (Some(_), None) => Err(Invalid("preset needs the name of a game".into())),
            (None, Some(game)) if self.config.is_none() => {
                // Plugin games have no presets; opening an unknown game explains the error.
                if GAMES.iter().all(|entry| entry.name != game) {
                    return Ok(None);
                }
                find_preset(game, "default").map(Some)
            }
            (None, _) => Ok(None),
        }
    }
}

/// A quick evaluation for games in Python, whose moves are slow.
fn quick_evaluation(game: &dyn AnyGame) -> EvaluationPlan {
    let protocol = if game.info().players == 1 { "score" } else { "random" };
    EvaluationPlan { protocol: protocol.into(), games: Some(100) }
}
