//! A run of learning in a folder of its own.

mod check;
mod clock;
mod prepared;
mod remote;
mod saving;

use crate::log::{Log, LogEnd};
use crate::metrics::{EvaluationLine, Metrics, read_metrics};
use crate::plan::next;
use crate::summary::best_figure;
use crate::{Plan, RunError, RunFolder, Summary};
use check::{check_config, check_plan, log_ends};
use clock::RunClock;
use ludens_arena::{NoProgress, Workload};
use ludens_core::{Cancellation, Forfeit, Invalid, Record};
use ludens_files::{FolderLock, LockError, PendingFile, discard_file};
use ludens_registry::{AnyGame, MeasureOptions, Training, ValueFile, open_game};
pub use prepared::PreparedRun;
pub use remote::RemoteActors;
use std::time::{Duration, Instant};

/// A training run in its own folder.
///
/// All results depend on the plan alone, even if the run is stopped or killed and resumed. Only
/// `times.jsonl` depends on the clock.
pub struct Run {
    folder: RunFolder,
    plan: Plan,
    game: Box<dyn AnyGame>,
    training: Box<dyn Training>,
    metrics: Log,
    games: Log,
    /// The highest evaluation so far.
    best: Option<f64>,
    /// The remote actors that play the games of a batch, if not local threads.
    remote_actors: Option<Box<dyn RemoteActors>>,
    /// The checkpoint that is on its way to the disk; dropped, and so there, before the lock is.
    pending: Option<PendingFile>,
    /// Keeps others from working in the same folder.
    _lock: FolderLock,
}

/// Options of a run that do not change the result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// The number of threads that play the games of a batch, share weights and measure strength.
    pub threads: usize,
    /// The interval between checkpoints.
    pub save_every: Duration,
    /// Whether the value at the highest evaluation is kept beside the last.
    pub keep_best: bool,
    /// The pause between attempts to write to a full disk when the run has to be saved.
    pub retry_every: Duration,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            threads: 1,
            save_every: Duration::from_secs(60),
            keep_best: true,
            retry_every: Duration::from_secs(10),
        }
    }
}

/// The progress of a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TrainingProgress {
    /// Episodes learned.
    pub episode: u64,
    /// Episodes in all.
    pub episodes: u64,
    /// Moves since the run was begun or resumed.
    pub moves: u64,
    /// Whether the run is measuring its strength.
    pub measuring: bool,
}

/// Observes a run.
pub trait Observer {
    /// Reports the progress, several times per second.
    fn progress(&mut self, progress: &TrainingProgress);

    /// A line of the learning curve has been written.
    fn line(&mut self, line: &Metrics);

    /// Something went wrong that the run survives.
    fn warn(&mut self, what: &str);
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// All episodes have been learned.
    Finished(Box<Summary>),
    /// The run was stopped and saved after this many episodes.
    Stopped(u64),
}

/// The interval between progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// Most episodes that threads learn without looking up.
const SHARED_AT_ONCE: u64 = 1_000;

impl Run {
    /// Begins a run in an empty folder.
    ///
    /// # Errors
    ///
    /// If the plan cannot be carried out, or the folder cannot be written.
    pub fn begin(plan: Plan, folder: RunFolder) -> Result<Run, RunError> {
        PreparedRun::new(plan)?.begin(folder)
    }

    /// Resumes a run that was stopped, killed or finished, up to `episodes` in total if given.
    ///
    /// # Errors
    ///
    /// If there is nothing to go on with, or nothing left to do.
    pub fn resume(folder: RunFolder, episodes: Option<u64>) -> Result<Run, RunError> {
        folder.plan_text()?;
        let lock = lock(&folder)?;
        let text = folder.plan_text()?;
        let mut plan = folder.parse_plan(&text)?;
        let planned = plan.config.episodes;
        plan.config.episodes = episodes.unwrap_or(planned);
        plan.check_numbers()?;
        let game = open_game(&plan.config.game)?;
        let mut training = game.train(&plan.config, plan.seed)?;
        let (mut metrics, mut games) = (LogEnd::START, LogEnd::START);
        if let Some(path) = folder.latest() {
            let mut file = ValueFile::open(&path)?;
            check_config(&folder, &file, &*training)?;
            training.load(&mut file)?;
            check_plan(&folder, &file, &plan)?;
            (metrics, games) = log_ends(&file)?;
        }
        folder.check_plan(&text)?;
        let done = training.episode();
        // A run that was killed between its last save and its summary still has to end.
        let over = done == plan.config.episodes && folder.summary().exists();
        if over || done > plan.config.episodes {
            return Err(Invalid(format!(
                "{} is finished: it has trained for {done} episodes; a larger --episodes \
                 continues it",
                folder.path.display()
            ))
            .into());
        }
        let metrics = Log::open(&folder.metrics(), metrics)?;
        let games = Log::open(&folder.games(), games)?;
        if plan.config.episodes != planned {
            // It is not finished any more, wherever it is killed.
            discard_file(&folder.summary());
            folder.write_plan(&plan)?;
        }
        // A better value of lines that are forgotten is written again when they are.
        let best = best_figure(&read_metrics(&folder.metrics())?);
        Ok(Run {
            folder,
            plan,
            game,
            training,
            metrics,
            games,
            best,
            remote_actors: None,
            pending: None,
            _lock: lock,
        })
    }

    /// The plan of the run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder of the run.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Lets others play the games of a batch from now on. What is learned is the same.
    pub fn set_remote_actors(&mut self, remote_actors: Box<dyn RemoteActors>) {
        self.remote_actors = Some(remote_actors);
    }

    /// The training.
    pub fn training(&mut self) -> &mut dyn Training {
        &mut *self.training
    }

    /// Trains until all episodes are done or `stop` returns true.
    ///
    /// # Errors
    ///
    /// If it cannot go on; what was saved before is still there.
    pub fn go(
        &mut self,
        options: RunOptions,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<Ended, RunError> {
        self.go_on(options, stop, observer).map_err(|error| self.explained(error))
    }

    fn go_on(
        &mut self,
        options: RunOptions,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<Ended, RunError> {
        self.record_execution(options)?;
        let mut clock = RunClock::start(&self.folder)?;
        if self.training.episode() == 0 && self.metrics.end().length == 0 {
            self.add_line(options, &mut clock, observer)?;
        }
        while self.training.episode() < self.plan.config.episodes {
            if stop() {
                self.save_with_retries(&self.folder.checkpoint(), options, stop, observer)?;
                return Ok(Ended::Stopped(self.training.episode()));
            }
            let before = self.training.episode();
            self.advance(options, observer)?;
            check_cancelled()?;
            let done = self.training.episode();
            if done >= self.plan.next_line(before) || done == self.plan.config.episodes {
                self.add_line(options, &mut clock, observer)?;
            }
            if clock.last_report.elapsed() >= REPORT_EVERY {
                clock.last_report = Instant::now();
                observer.progress(&self.progress(&clock, false));
            }
            let is_due = clock.saved.elapsed() >= options.save_every;
            if is_due || self.pending.as_ref().is_some_and(PendingFile::is_finished) {
                self.end_saving(&mut clock, observer)?;
            }
            if is_due {
                self.save_or_warn(&mut clock, observer)?;
            }
        }
        self.finish(options, stop, observer).map(|summary| Ended::Finished(Box::new(summary)))
    }

    /// Writes into the folder how the run is executed, where that has changed.
    fn record_execution(&mut self, options: RunOptions) -> Result<(), RunError> {
        let plan = self.training.plan(options.threads, self.plan.shared)?;
        let execution = Some(plan.to_string());
        if self.plan.execution != execution {
            self.plan.execution = execution;
            self.folder.write_plan(&self.plan)?;
        }
        Ok(())
    }

    /// Learns one more episode or batch, and writes some games down.
    fn advance(
        &mut self,
        options: RunOptions,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let (episode, sample) = (self.training.episode(), self.plan.sample);
        if self.training.batch().is_some_and(|games| games > 1) {
            let records = match &mut self.remote_actors {
                None => self.training.step_batch(options.threads, sample)?,
                Some(remote_actors) => {
                    let games = remote_actors.play(&mut *self.training)?;
                    self.training.learn_games(&games, sample)?
                }
            };
            records.iter().for_each(|record| self.write_down(record, observer));
            return Ok(());
        }
        let stuck = |e: Forfeit| match check_cancelled() {
            Err(cancelled) => cancelled,
            Ok(()) => RunError::Stuck(format!("a player gave up: {e}")),
        };
        if episode.is_multiple_of(sample) {
            let record = self.training.step_recorded().map_err(stuck)?;
            self.write_down(&record, observer);
            return Ok(());
        }
        if self.plan.shared && options.threads > 1 {
            let ends = [next(episode, sample), self.plan.next_line(episode)];
            let end = ends.into_iter().min().unwrap_or(episode).min(self.plan.config.episodes);
            let episodes = (end - episode).min(SHARED_AT_ONCE);
            return Ok(self.training.step_parallel(episodes, options.threads)?);
        }
        self.training.step().map_err(stuck)
    }

    fn write_down(&mut self, record: &Record, observer: &mut dyn Observer) {
        self.games
            .add(record.to_line().as_bytes())
            .unwrap_or_else(|e| observer.warn(&e.to_string()));
    }

    /// Measures, and adds a line to the learning curve.
    fn add_line(
        &mut self,
        options: RunOptions,
        clock: &mut RunClock,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        clock.moves += self.training.statistics().moves;
        let learned = clock.learned(options.threads == 1);
        observer.progress(&self.progress(clock, true));
        let statistics = self.training.take_statistics();
        let (episode, players) = (self.training.episode(), self.game.info().players);
        let size = self.training.size();
        let mut line = Metrics::new(&self.plan.config, episode, players, &statistics, size);
        if line.error.is_some_and(|error| !error.is_finite()) {
            return Err(RunError::Stuck(format!(
                "the errors have grown beyond all bounds by episode {episode}; \
                 a smaller learner.alpha may help"
            )));
        }
        let mut measured = self.measure(options)?.into_iter();
        line.evaluation = measured.next();
        line.also = measured.collect();
        self.metrics.add(&line.to_line()).unwrap_or_else(|e| observer.warn(&e.to_string()));
        if options.keep_best {
            self.keep_if_best(&line, observer);
        }
        clock.write_line(&line, learned).unwrap_or_else(|e| observer.warn(&e.to_string()));
        observer.line(&line);
        observer.progress(&self.progress(clock, false));
        Ok(())
    }

    /// Measures strength by each protocol of the plan.
    fn measure(&mut self, options: RunOptions) -> Result<Vec<EvaluationLine>, RunError> {
        let mut lines = Vec::new();
        for evaluation in self.plan.evaluations() {
            let report = self.training.measure(&MeasureOptions {
                protocol: Some(&evaluation.protocol),
                games: evaluation.games,
                seed: self.plan.seed,
                // It would be the same at every line.
                with_perfect: false,
                workload: Workload { threads: options.threads, progress: &NoProgress },
            });
            check_cancelled()?;
            lines.push((&report?).into());
        }
        Ok(lines)
    }

    fn progress(&self, clock: &RunClock, measuring: bool) -> TrainingProgress {
        TrainingProgress {
            episode: self.training.episode(),
            episodes: self.plan.config.episodes,
            moves: clock.moves + if measuring { 0 } else { self.training.statistics().moves },
            measuring,
        }
    }
}

/// Refuses to save what a cancelled search has learned or measured.
fn check_cancelled() -> Result<(), RunError> {
    Cancellation::check().map_err(|_| RunError::Cancelled)
}

/// Refuses a second process in the same folder.
fn lock(folder: &RunFolder) -> Result<FolderLock, RunError> {
    FolderLock::acquire(&folder.path).map_err(|e| match e {
        LockError::Busy => {
            RunError::Stuck(format!("another ludens is at work in {}", folder.path.display()))
        }
        LockError::File(path, error) => RunError::File { path, error },
    })
}

#[cfg(test)]
mod allocation_tests;
#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod tests;
