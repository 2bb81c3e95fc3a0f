//! A run of learning in a folder of its own.

use crate::log::Log;
use crate::metrics::{EvaluationLine, Metrics, read_metrics};
use crate::{Plan, RunError, RunFolder, Summary, differences};
use ludens_arena::{Silent, Workload};
use ludens_core::Invalid;
use ludens_registry::{
    AnyGame, Measuring, Training, ValueFile, open_game, replace_file, stored_config, write_value,
};
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// A run of learning in a folder of its own.
///
/// Everything that is learned and written down depends on the plan alone, however often the run is
/// stopped or killed and resumed; only `times.jsonl` knows of clocks.
pub struct Run {
    folder: RunFolder,
    plan: Plan,
    game: Box<dyn AnyGame>,
    training: Box<dyn Training>,
    metrics: Log,
    games: Log,
    /// Keeps others from working in the same folder.
    _lock: File,
}

/// How a run works, without any effect on what is learned.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How many threads measure strength.
    pub threads: usize,
    /// How often the run is saved.
    pub save_every: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { threads: 1, save_every: Duration::from_secs(60) }
    }
}

/// How far a run has come.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Episodes learned.
    pub episode: u64,
    /// Episodes in all.
    pub episodes: u64,
    /// Moves since the run was begun or resumed.
    pub moves: u64,
    /// Whether it measures its strength at the moment.
    pub measuring: bool,
}

/// Told how a run goes.
pub trait Observer {
    /// How far it has come; several times a second.
    fn progress(&mut self, stage: &Stage);

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
    /// It was asked to stop after so many, and has been saved.
    Stopped(u64),
}

/// How often observers are told.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long to wait for room on the disk, and how often.
const WAIT: Duration = Duration::from_secs(10);
const WAITS: usize = 60;

impl Run {
    /// Begins a run in an empty folder.
    ///
    /// # Errors
    ///
    /// If the plan cannot be carried out, or the folder cannot be written.
    pub fn begin(plan: Plan, folder: RunFolder) -> Result<Run, RunError> {
        let game = open_game(&plan.config.game)?;
        let training = game.train(&plan.config, plan.seed)?;
        let lock = lock(&folder)?;
        folder.write_plan(&plan)?;
        let metrics = Log::open(&folder.metrics(), 0)?;
        let games = Log::open(&folder.games(), 0)?;
        Ok(Run { folder, plan, game, training, metrics, games, _lock: lock })
    }

    /// Goes on with a run that was stopped, killed or finished; to `episodes` in all, if given.
    ///
    /// # Errors
    ///
    /// If there is nothing to go on with, or nothing left to do.
    pub fn resume(folder: RunFolder, episodes: Option<u64>) -> Result<Run, RunError> {
        let mut plan = folder.read_plan()?;
        let lock = lock(&folder)?;
        let planned = plan.config.episodes;
        plan.config.episodes = episodes.unwrap_or(planned);
        let game = open_game(&plan.config.game)?;
        let mut training = game.train(&plan.config, plan.seed)?;
        let (mut metrics, mut games) = (0, 0);
        if let Some(path) = folder.latest() {
            let mut file = ValueFile::open(&path)?;
            check_config(&folder, &file, &*training)?;
            training.load(&mut file)?;
            let number = |name| file.number(name).map_err(|e| e.about(path.display()));
            (metrics, games) = (number("metrics-bytes")?, number("games-bytes")?);
        }
        let done = training.episode();
        if done >= plan.config.episodes {
            return Err(Invalid(format!(
                "{} is finished: {done} episodes were learned; with --episodes and a larger \
                 number it goes on",
                folder.path.display()
            ))
            .into());
        }
        if plan.config.episodes != planned {
            folder.write_plan(&plan)?;
        }
        let metrics = Log::open(&folder.metrics(), metrics)?;
        let games = Log::open(&folder.games(), games)?;
        Ok(Run { folder, plan, game, training, metrics, games, _lock: lock })
    }

    /// What the run does.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Where it does it.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// What is learned.
    pub fn training(&mut self) -> &mut dyn Training {
        &mut *self.training
    }

    /// Learns until all episodes are learned or `stop` says so.
    ///
    /// # Errors
    ///
    /// If it cannot go on; what was saved before is still there.
    pub fn go(
        &mut self,
        pace: Pace,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<Ended, RunError> {
        let mut clock = Clock::start(&self.folder)?;
        if self.training.episode() == 0 && self.metrics.length() == 0 {
            self.add_line(pace, &mut clock, observer)?;
        }
        while self.training.episode() < self.plan.config.episodes {
            if stop() {
                self.save_patiently(&self.folder.checkpoint(), stop, observer)?;
                return Ok(Ended::Stopped(self.training.episode()));
            }
            self.step(observer)?;
            let done = self.training.episode();
            if done.is_multiple_of(self.plan.every) || done == self.plan.config.episodes {
                self.add_line(pace, &mut clock, observer)?;
            }
            if clock.told.elapsed() >= TELL_EVERY {
                clock.told = Instant::now();
                observer.progress(&self.stage(&clock, false));
            }
            if clock.saved.elapsed() >= pace.save_every {
                // The old one stays until the new one is complete: the run can go on without.
                if let Err(e) = self.save(&self.folder.checkpoint()) {
                    observer.warn(&format!("the run could not be saved: {e}; it goes on"));
                }
                clock.saved = Instant::now();
            }
        }
        self.finish(stop, observer).map(|summary| Ended::Finished(Box::new(summary)))
    }

    /// Learns one more episode and writes some of them down.
    fn step(&mut self, observer: &mut dyn Observer) -> Result<(), RunError> {
        let stuck = |e: ludens_core::Forfeit| RunError::Stuck(format!("a player gave up: {e}"));
        if !self.training.episode().is_multiple_of(self.plan.sample) {
            return self.training.step().map_err(stuck);
        }
        let record = self.training.step_recorded().map_err(stuck)?;
        let line = record.to_line();
        self.games.add(line.as_bytes()).unwrap_or_else(|e| observer.warn(&e.to_string()));
        Ok(())
    }

    /// Measures, and adds a line to the learning curve.
    fn add_line(
        &mut self,
        pace: Pace,
        clock: &mut Clock,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        clock.moves += self.training.statistics().moves;
        let learned = clock.since_line.elapsed();
        observer.progress(&self.stage(clock, true));
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
        line.evaluation = self.measure(pace)?;
        self.metrics.add(&line.to_line()).unwrap_or_else(|e| observer.warn(&e.to_string()));
        clock.write_line(&line, learned).unwrap_or_else(|e| observer.warn(&e.to_string()));
        observer.line(&line);
        observer.progress(&self.stage(clock, false));
        Ok(())
    }

    fn measure(&mut self, pace: Pace) -> Result<Option<EvaluationLine>, RunError> {
        let Some(plan) = &self.plan.evaluation else { return Ok(None) };
        let report = self.training.measure(&Measuring {
            protocol: Some(&plan.protocol),
            games: plan.games,
            seed: self.plan.seed,
            workload: Workload { threads: pace.threads, progress: &Silent },
        })?;
        Ok(Some((&report).into()))
    }

    fn stage(&self, clock: &Clock, measuring: bool) -> Stage {
        Stage {
            episode: self.training.episode(),
            episodes: self.plan.config.episodes,
            moves: clock.moves + if measuring { 0 } else { self.training.statistics().moves },
            measuring,
        }
    }

    /// Saves everything needed to go on.
    fn save(&mut self, path: &Path) -> Result<(), RunError> {
        // A saved run must not promise lines that are not there.
        self.metrics.sync()?;
        self.games.sync()?;
        let lengths = [("metrics-bytes", &self.metrics), ("games-bytes", &self.games)];
        let lengths = lengths.map(|(key, log)| (key.to_owned(), log.length().to_string()));
        let mut content = self.training.content();
        content.about.extend(lengths);
        replace_file(path, |out| write_value(out, &content)).map_err(RunError::file(path))
    }

    /// Saves, waiting for room on the disk as long as nobody wants to stop.
    fn save_patiently(
        &mut self,
        path: &Path,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let stopping = stop();
        for _ in 0..WAITS {
            match self.save(path) {
                Ok(()) => return Ok(()),
                Err(e) if stopping || stop() => return Err(e),
                Err(e) => {
                    let wait = WAIT.as_secs();
                    observer.warn(&format!("{e}; trying again in {wait} seconds"));
                    std::thread::sleep(WAIT);
                }
            }
        }
        self.save(path)
    }

    fn finish(
        &mut self,
        stop: &dyn Fn() -> bool,
        observer: &mut dyn Observer,
    ) -> Result<Summary, RunError> {
        self.save_patiently(&self.folder.value(), stop, observer)?;
        // What was learned in the end is all that is needed to go on.
        let _ = std::fs::remove_file(self.folder.checkpoint());
        let curve = read_metrics(&self.folder.metrics())?;
        let summary = Summary::new(&self.plan, &curve);
        let json = serde_json::to_string_pretty(&summary).expect("a summary can be written");
        let files = [
            (self.folder.summary(), json + "\n"),
            (self.folder.summary_text(), summary.to_text(&curve)),
        ];
        for (path, text) in files {
            replace_file(&path, |out| out.write_all(text.as_bytes()))
                .map_err(RunError::file(&path))?;
        }
        Ok(summary)
    }
}

/// What a run remembers of time.
struct Clock {
    times: Log,
    told: Instant,
    saved: Instant,
    since_line: Instant,
    /// Moves up to the last line.
    moves: u64,
}

/// A line of `times.jsonl`.
#[derive(serde::Serialize)]
struct TimeLine {
    /// Seconds since 1970.
    unix: u64,
    episode: u64,
    /// Seconds of learning since the line before, or since the run was begun or resumed.
    learning: f64,
    /// Seconds of measuring strength.
    measuring: f64,
    episodes_per_second: f64,
    moves_per_second: f64,
}

impl Clock {
    fn start(folder: &RunFolder) -> Result<Clock, RunError> {
        let path = folder.times();
        let length = std::fs::metadata(&path).map_or(0, |about| about.len());
        let now = Instant::now();
        let times = Log::open(&path, length)?;
        Ok(Clock { times, told: now, saved: now, since_line: now, moves: 0 })
    }

    fn write_line(&mut self, line: &Metrics, learned: Duration) -> Result<(), RunError> {
        let measuring = self.since_line.elapsed().saturating_sub(learned).as_secs_f64();
        let learning = learned.as_secs_f64();
        let unix = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let times = TimeLine {
            unix: unix.as_secs(),
            episode: line.episode,
            learning,
            measuring,
            episodes_per_second: line.episodes as f64 / learning,
            moves_per_second: line.moves as f64 / learning,
        };
        self.since_line = Instant::now();
        let mut text = serde_json::to_vec(&times).expect("numbers can be written");
        text.push(b'\n');
        self.times.add(&text)
    }
}

/// Refuses a second process in the same folder.
fn lock(folder: &RunFolder) -> Result<File, RunError> {
    let path = folder.path.join(".lock");
    let file = File::create(&path).map_err(RunError::file(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(RunError::Stuck(format!("another ludens is at work in {}", folder.path.display())))
        }
        Err(std::fs::TryLockError::Error(e)) => Err(RunError::file(&path)(e)),
    }
}

/// Refuses to go on with other settings than before.
fn check_config(
    folder: &RunFolder,
    file: &ValueFile,
    training: &dyn Training,
) -> Result<(), RunError> {
    let mut stored = stored_config(file)?;
    stored.episodes = training.config().episodes;
    let changed = differences(&stored, training.config());
    let Some((key, before, now)) = changed.into_iter().next() else { return Ok(()) };
    let tell = |value: Option<String>| value.unwrap_or_else(|| "not set".into());
    Err(Invalid(format!(
        "{} was changed: {key} was {} and is {}; a run goes on only as it began",
        folder.plan().display(),
        tell(before),
        tell(now)
    ))
    .into())
}

#[cfg(test)]
mod tests;
