//! Arguments of all commands in which agents play.

use crate::failure::Failure;
use crate::file;
use crate::interrupt::cancel_on_interrupt;
use crate::progress::ProgressLine;
use crate::usage::whole;
use ludens_core::{Invalid, Record};
use ludens_registry::AnyGame;
use ludens_registry::arena::{self, GameResult, Openings, Workload};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Random seed, threads, and how the result is printed.
#[derive(Clone, clap::Args)]
pub(crate) struct ArenaArgs {
    /// Random seed; the same seed gives the same result
    #[arg(long, value_name = "S", default_value_t = 1,
          allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Games played in parallel; the result does not depend on it [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    threads: Option<u64>,

    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

impl ArenaArgs {
    /// The workload, which reports its progress to `bar`.
    pub(crate) fn workload<'a>(&self, bar: &'a GamesBar) -> Workload<'a> {
        let threads = self.threads.map_or_else(cores, |threads| threads as usize);
        Workload { threads, progress: bar }
    }
}

/// The number of hardware threads.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// A progress line that counts games.
pub(crate) struct GamesBar {
    line: ProgressLine,
    expected: AtomicUsize,
    done: AtomicUsize,
}

impl GamesBar {
    /// Nothing is done yet.
    pub(crate) fn new(what: &str) -> GamesBar {
        let (expected, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        GamesBar { line: ProgressLine::new(what), expected, done }
    }
}

impl arena::ProgressObserver for GamesBar {
    fn expect(&self, games: usize) {
        self.expected.fetch_add(games, Ordering::Relaxed);
    }

    fn advance(&self) {
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        let expected = self.expected.load(Ordering::Relaxed).max(done);
        self.line.done(done as f64 / expected as f64);
    }
}

/// Does `work` of the arena until the end or until Ctrl-C or SIGTERM, which end engines too.
pub(crate) fn interruptible<T>(work: impl FnOnce() -> Result<T, Invalid>) -> Result<T, Failure> {
    let token = cancel_on_interrupt();
    let result = token.scope(work);
    if token.is_cancelled() {
        Err(Failure::interrupted("interrupted"))
    } else {
        result.map_err(refused)
    }
}

/// An error of the arena, with a hint.
fn refused(error: Invalid) -> Failure {
    let agent = error.0.contains("no agent is called");
    let failure = Failure::from(error);
    if agent { failure.with_hint("`ludens agents` lists all agents") } else { failure }
}

/// Reads where games begin.
pub(crate) fn openings(text: &str) -> Result<Openings, Failure> {
    Openings::parse(text).map_err(|e| e.about("--openings").into())
}

/// Writes the games down: as SGF if the name of the file ends so, else as lines of JSON.
pub(crate) fn record(game: &dyn AnyGame, games: &[GameResult], path: &Path) -> Result<(), Failure> {
    let as_sgf = file::ending(path) == "sgf";
    let text = |record: &Record| {
        if as_sgf { game.arena().sgf(record) } else { Ok(record.to_line()) }
    };
    let records = games.iter().filter_map(|game| game.record.as_ref());
    let texts = records.map(text).collect::<Result<String, Invalid>>();
    file::write(path, &texts.map_err(|e| e.about("--record"))?)
}
