//! A run that is ready to start.

use super::{Run, lock};
use crate::log::{Log, LogEnd};
use crate::{Plan, RunError, RunFolder};
use ludens_core::Invalid;
use ludens_registry::{AnyGame, Training, ValueSize, open_game};

/// A run that can begin, and has left no trace yet.
pub struct PreparedRun {
    plan: Plan,
    game: Box<dyn AnyGame>,
    training: Box<dyn Training>,
}

impl PreparedRun {
    /// Builds all that the plan needs.
    ///
    /// # Errors
    ///
    /// If the plan cannot be carried out.
    pub fn new(plan: Plan) -> Result<PreparedRun, Invalid> {
        plan.check_numbers()?;
        let game = open_game(&plan.config.game)?;
        let training = game.train(&plan.config, plan.seed)?;
        Ok(PreparedRun { plan, game, training })
    }

    /// The training.
    pub fn training(&mut self) -> &mut dyn Training {
        &mut *self.training
    }

    /// The size of the learned value.
    pub fn size(&mut self) -> ValueSize {
        self.training.size()
    }

    /// Begins in an empty folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn begin(self, folder: RunFolder) -> Result<Run, RunError> {
        let PreparedRun { plan, game, training } = self;
        let lock = lock(&folder)?;
        folder.write_plan(&plan)?;
        let metrics = Log::open(&folder.metrics(), LogEnd::START)?;
        let games = Log::open(&folder.games(), LogEnd::START)?;
        Ok(Run {
            folder,
            plan,
            game,
            training,
            metrics,
            games,
            best: None,
            remote_actors: None,
            pending: None,
            _lock: lock,
        })
    }
}
