//! `ludens train`: learning a game.

mod bar;
mod options;
mod print;
mod watch;

use crate::arena_args::cores;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::{cancel_soon_after_interrupt, stop_on_interrupt};
use crate::serve::ListenArgs;
use crate::usage::whole;
use bar::TrainingBar;
use ludens_lab::{
    Ended, Metrics, Observer, Run, RunError, RunFolder, RunOptions, Summary, TrainingProgress,
};
use options::{NewRunOptions, refuse_too_large};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use watch::WatchedRun;

/// Trains a player by self-play, in a run folder that can be stopped and resumed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens train tictactoe
  ludens train connect4 --preset thill-tcl-et --seed 3
  ludens train nim --set explore.softmax.temperature=0.5 --episodes 5000
  ludens train connect4 --threads 4
  ludens train hex:size=5 --config mine.toml --eval decay --every 10000
  ludens train --resume runs/tictactoe-default-1
  ludens train othello --watch

`ludens presets` lists the presets, `ludens settings` every setting. Ctrl-C stops after the current
game and saves; --resume continues as if nothing had happened, even after a power cut.")]
#[command(mut_group("ListenArgs", |place| place.requires("watch")))]
pub(crate) struct TrainArgs {
    /// The game: name or name:key=value,...
    #[arg(value_name = "GAME", required_unless_present_any = ["resume", "config"])]
    game: Option<String>,

    /// Begin with the settings of this preset [default: default]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Then apply the settings of this file; a few lines are enough
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Then apply this setting, such as learner.alpha=0.1; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,

    /// Training games (episodes), such as 5000, 100k or 2M
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    episodes: Option<u64>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    seed: u64,

    /// Threads that learn in parallel. More than one is reproducible only with --deterministic, or if
    /// each player has weights of its own
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole(1..=1024))]
    threads: u64,

    /// Play games in batches and learn them in order: the same bytes for any number of threads
    #[arg(long)]
    deterministic: bool,

    /// Start even if it needs more memory than there is
    #[arg(long)]
    force: bool,

    /// The folder of the run [default: runs/GAME-PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// How strength is measured: protocol, protocol:games, several with commas between them, or
    /// none [default: the game's standard protocol]
    #[arg(long, value_name = "PROTOCOL")]
    eval: Option<String>,

    /// Episodes from one measurement to the next [default: a twentieth of all]
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    every: Option<u64>,

    /// Seconds from one save to the next
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    save_every: Duration,

    /// Continue the run in this folder
    #[arg(long, value_name = "DIR",
          conflicts_with_all = ["game", "preset", "config", "set", "seed", "out", "eval", "every",
                                "deterministic"])]
    resume: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,

    /// Watch it in the browser, which stays open afterwards until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    watch: bool,

    #[command(flatten)]
    place: ListenArgs,
}

/// The document that `--json` prints.
#[derive(Serialize)]
struct TrainDocument {
    folder: PathBuf,
    value: PathBuf,
    #[serde(flatten)]
    summary: Summary,
}

impl TrainArgs {
    pub(crate) fn run(mut self, out: &mut Console) -> Result<(), Failure> {
        let (threads, save_every) = (self.threads as usize, self.save_every);
        let pace = RunOptions { threads, save_every, ..RunOptions::default() };
        let (json, place) = (self.json, self.watch.then(|| self.place.clone()));
        let mut run = match self.resume.take() {
            Some(path) => {
                let folder = RunFolder { path };
                if !self.force {
                    refuse_too_large(&folder.read_plan()?)?;
                }
                let mut run = Run::resume(folder, self.episodes)?;
                check_threads(&mut run, pace.threads)?;
                run
            }
            None => NewRunOptions::from(self).begin()?,
        };
        if pace.threads > cores() {
            eprintln!("note: --threads {}: this machine has {} cores", pace.threads, cores());
        }
        if !json {
            print::begin(&mut run, pace.threads, out)?;
        }
        let stop = stop_on_interrupt();
        let watching = match &place {
            Some(place) => Some(WatchedRun::begin(place, &run, Arc::clone(&stop), out)?),
            None => None,
        };
        let page = watching.as_ref();
        let mut watcher = TrainObserver {
            bar: TrainingBar::new(run.plan().evaluation.as_ref().map(|_| run.plan().every)),
            out: (!json).then_some(&mut *out),
            failed: None,
            page,
        };
        let train = || run.go(pace, &|| is_stopping(&stop, page), &mut watcher);
        let ended = cancel_soon_after_interrupt().scope(train);
        let TrainObserver { bar, failed, .. } = watcher;
        drop(bar);
        let printed = print_end(&run, ended, failed, json, out);
        // The page may want to resume the run.
        drop(run);
        watching.map_or(Ok(()), WatchedRun::stay)?;
        printed
    }
}

/// Tells how it ended.
fn print_end(
    run: &Run,
    ended: Result<Ended, RunError>,
    failed: Option<Failure>,
    json: bool,
    out: &mut Console,
) -> Result<(), Failure> {
    if let Err(RunError::Cancelled) = ended {
        return Err(print::cancelled(run));
    }
    match (ended?, failed) {
        (_, Some(failure)) => Err(failure),
        (Ended::Stopped(episode), None) => Err(print::stopped(run, episode)),
        (Ended::Finished(summary), None) if !json => print::end(run, &summary, out),
        (Ended::Finished(summary), None) => {
            let (folder, value) = (run.folder().path.clone(), run.folder().value());
            out.json(&TrainDocument { folder, value, summary: *summary })
        }
    }
}

/// Whether the terminal or the page requested a stop.
fn is_stopping(stop: &AtomicBool, page: Option<&WatchedRun>) -> bool {
    stop.load(Ordering::Relaxed) || page.is_some_and(WatchedRun::is_stopping)
}

/// Tells people how a run goes.
struct TrainObserver<'a> {
    bar: TrainingBar,
    page: Option<&'a WatchedRun>,
    out: Option<&'a mut Console>,
    /// The error that prevents further output.
    failed: Option<Failure>,
}

impl Observer for TrainObserver<'_> {
    fn progress(&mut self, progress: &TrainingProgress) {
        self.bar.draw(progress);
        if let Some(page) = self.page {
            page.progress(progress);
        }
    }

    fn line(&mut self, line: &Metrics) {
        self.bar.clear();
        self.bar.measured(line);
        if let Some(out) = &mut self.out
            && let Err(failure) = print::line(line, out)
        {
            self.out = None;
            self.failed = Some(failure);
        }
    }

    fn warn(&mut self, what: &str) {
        self.bar.clear();
        eprintln!("warning: {what}");
    }
}

/// Refuses threads that a run was not begun for: from then on it would be another run.
fn check_threads(run: &mut Run, threads: usize) -> Result<(), Failure> {
    let shared = run.plan().shared;
    if threads == 1 || shared || run.training().batch().is_some_and(|games| games > 1) {
        return Ok(());
    }
    let what = format!("--threads {threads}: this run was begun with one thread");
    Err(Failure::impossible(what).with_hint(
        "a run begun with --threads or --deterministic may be resumed with any number of threads",
    ))
}

/// Reads a number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|number| (0.0..=86_400.0).contains(number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "expected 0 to 86400".into())
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Invalid(invalid) => invalid.into(),
            other => Failure::failed(other),
        }
    }
}
